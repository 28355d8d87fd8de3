/**
 * Something an operator asked for that cannot be done. The message is one sentence; `faults` are the single ones of what
 * was to be imported, each with its place.
 */
export class RateListProblem extends Error {
  override readonly name = 'RateListProblem'
  readonly kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID'
  readonly faults: readonly string[]

  constructor(
    message: string,
    kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID' = 'INVALID',
    faults: readonly string[] = [],
  ) {
    super(message)
    this.kind = kind
    this.faults = faults
  }
}
