export type ProblemKind = 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

/**
 * Something an operator asked for that cannot be done: one sentence, and what class of problem it is for the exit code.
 * Each room has its own, so that a command knows them all without loading a single room.
 */
export abstract class Problem extends Error {
  readonly kind: ProblemKind
  /** The single ones of what was handed in, each with its place. */
  readonly faults: readonly string[]

  constructor(message: string, kind: ProblemKind = 'INVALID', faults: readonly string[] = []) {
    super(message)
    this.kind = kind
    this.faults = faults
  }
}
