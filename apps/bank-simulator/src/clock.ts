/** The wall clock, handed in so that tests can hold it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }
