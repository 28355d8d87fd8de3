/** What a code means: its HTTP status, the sentence in the answer, why it happens and what to do about it. */
export interface ErrorDescription {
  readonly status: 400 | 401 | 403 | 404 | 406 | 409 | 410 | 429 | 500
  readonly message: string
  readonly cause: string
  readonly remedy: string
}
