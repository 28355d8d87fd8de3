import { Problem, type ProblemKind } from '../../platform/problem.ts'

/**
 * Something an operator asked for that cannot be done. The message is one sentence; `faults` are the single ones of what
 * was to be imported, each with its place.
 */
export class RateListProblem extends Problem {
  override readonly name = 'RateListProblem'
  readonly faults: readonly string[]

  constructor(message: string, kind?: ProblemKind, faults: readonly string[] = []) {
    super(message, kind)
    this.faults = faults
  }
}
