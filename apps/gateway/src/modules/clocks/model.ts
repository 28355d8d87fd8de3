/** One time that a clock was advanced. */
export interface Advance {
  readonly seconds: number
  /** The operator's code. */
  readonly advancedBy: string
  readonly advancedAt: Date
}

/** How a merchant's clock stands. */
export interface MerchantClock {
  /** The sum of all advances. */
  readonly advancedSeconds: number
  /** What time it is for the merchant: the database's, and what was advanced. */
  readonly now: Date
  /** The latest first. */
  readonly advances: readonly Advance[]
}
