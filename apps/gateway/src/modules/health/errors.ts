import { Problem } from '../../platform/problem.ts'

/** Something that cannot be said of an institution. */
export class HealthProblem extends Problem {
  override readonly name = 'HealthProblem'
}
