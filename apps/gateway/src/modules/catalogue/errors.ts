import { Problem } from '../../platform/problem.ts'

/** An operator's setting that was not taken. The message is a sentence for people and says what would be right. */
export class SettingInvalid extends Problem {
  override readonly name = 'SettingInvalid'
}
