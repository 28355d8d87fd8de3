/** Something an operator asked for that cannot be done: one sentence, and what class of problem it is for the exit code. */
export class BankAccountProblem extends Error {
  override readonly name = 'BankAccountProblem'
  readonly kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

  constructor(message: string, kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID' = 'INVALID') {
    super(message)
    this.kind = kind
  }
}
