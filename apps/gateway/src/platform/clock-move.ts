/** A merchant's clock is advanced, in the sandbox: what a room is told, so that what is due there becomes due earlier. */
export interface ClockMove {
  readonly merchantId: string
  readonly seconds: number
  /** Whether another day (UTC) begins for the merchant: what is counted by the day begins anew. */
  readonly isNewDay: boolean
}
