/** The wall clock, handed in so that tests can hold it. */
export interface WallClock {
  /** Milliseconds since 1970. For timestamps shown to people and for token lifetimes. */
  nowMs(): number
}

/** The process's clocks. Due times of durable work never come from here: they come from the database. */
export interface Clock extends WallClock {
  /** Monotonic milliseconds. For durations, deadlines and the rate limiter. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}
