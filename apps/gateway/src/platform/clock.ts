/** The process's clocks, handed in so that tests can hold them. Due times of durable work never come from here: they come from the database. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. For timestamps shown to people and for token lifetimes. */
  nowMs(): number
  /** Monotonic milliseconds. For durations, deadlines and the rate limiter. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}
