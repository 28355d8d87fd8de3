import { Problem } from '../../platform/problem.ts'

/** Something an operator asked for that cannot be done with rate lists. */
export class RateListProblem extends Problem {
  override readonly name = 'RateListProblem'
}
