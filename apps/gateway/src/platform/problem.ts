export type ProblemKind = 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

/**
 * Something an operator asked for that cannot be done: one sentence, and what class of problem it is for the exit code.
 * Each room has its own, so that a command knows them all without loading a single room.
 */
export abstract class Problem extends Error {
  readonly kind: ProblemKind

  constructor(message: string, kind: ProblemKind = 'INVALID') {
    super(message)
    this.kind = kind
  }
}
