/** A request of the API as it was answered, for the merchant's developers. Its body is not in it. */
export interface AnsweredRequest {
  readonly requestId: string
  /** Whose it was; undefined when nobody could be told. */
  readonly merchantCode: string | undefined
  /** Otherwise the merchant is only what the request claims. */
  readonly isProven: boolean
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly status: number
  /** Of a refusal. */
  readonly code: string | undefined
  /** What was wrong, a sentence each. */
  readonly says: readonly string[]
  readonly tookMs: number
}
