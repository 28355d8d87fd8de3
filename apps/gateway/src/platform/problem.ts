export type ProblemKind = 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

/**
 * Something an operator asked for that cannot be done: one sentence, and what class of problem it is for the exit code.
 * Each room has its own, so that a command knows them all without loading a single room.
 */
export abstract class Problem extends Error {
  readonly kind: ProblemKind
  /** The single ones of what was handed in, each with its place. */
  readonly faults: readonly string[]
  /** The field of the request that is wrong, where it is one. */
  #field: string | undefined

  constructor(message: string, kind: ProblemKind = 'INVALID', faults: readonly string[] = []) {
    super(message)
    this.kind = kind
    this.faults = faults
  }

  get field(): string | undefined {
    return this.#field
  }

  /** Names the field of the request that is wrong, as the operator API calls it. */
  about(field: string): this {
    this.#field = field
    return this
  }
}
