import { Problem } from '../../platform/problem.ts'

/** Something that cannot be done with operators. */
export class OperatorProblem extends Problem {
  override readonly name = 'OperatorProblem'
}
