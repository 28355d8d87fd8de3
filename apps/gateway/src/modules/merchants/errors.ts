import { Problem } from '../../platform/problem.ts'

/** Something that cannot be done with merchants. */
export class MerchantProblem extends Problem {
  override readonly name = 'MerchantProblem'
}
