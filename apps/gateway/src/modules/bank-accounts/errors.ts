import { Problem } from '../../platform/problem.ts'

/** Something that cannot be done with the operator’s own accounts. */
export class BankAccountProblem extends Problem {
  override readonly name = 'BankAccountProblem'
}
