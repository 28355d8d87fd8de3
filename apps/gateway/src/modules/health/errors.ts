/** Something that cannot be said of an institution: one sentence. */
export class HealthProblem extends Error {
  override readonly name = 'HealthProblem'
  readonly kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

  constructor(message: string, kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID') {
    super(message)
    this.kind = kind
  }
}
