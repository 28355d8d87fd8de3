/** Something that cannot be done with operators: one sentence, and what class of problem it is for the exit code. */
export class OperatorProblem extends Error {
  override readonly name = 'OperatorProblem'
  readonly kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

  constructor(message: string, kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID' = 'INVALID') {
    super(message)
    this.kind = kind
  }
}
