import { Problem } from '../../platform/problem.ts'

/** Something that cannot be done with files of payouts. */
export class PayoutFileProblem extends Problem {
  override readonly name = 'PayoutFileProblem'
}
