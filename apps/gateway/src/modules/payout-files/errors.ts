/** Something an operator asked for that cannot be done: one sentence, and what class of problem it is for the exit code. */
export class PayoutFileProblem extends Error {
  override readonly name = 'PayoutFileProblem'
  readonly kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

  constructor(message: string, kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID' = 'INVALID') {
    super(message)
    this.kind = kind
  }
}
