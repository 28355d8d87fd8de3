/** A request as it is shown to the merchant whose it was, or who is claimed to have sent it. */
export interface RecordedRequest {
  /** Ascends. */
  readonly requestNo: string
  readonly requestId: string
  readonly isProven: boolean
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string | undefined
  readonly says: readonly string[]
  readonly tookMs: number
  readonly answeredAt: Date
}
