import { Problem } from '../../platform/problem.ts'

/** An operator's setting that was not taken. The message is a sentence for people and says what would be right. */
export class SettingInvalid extends Problem {
  override readonly name = 'SettingInvalid'
}

/** A catalogue document that was not taken; each fault with its line. */
export class DocumentInvalid extends Problem {
  override readonly name = 'DocumentInvalid'

  constructor(faults: readonly string[]) {
    super('The document has faults; nothing was changed.', 'INVALID', faults)
  }
}
