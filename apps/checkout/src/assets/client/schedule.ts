const POLLS_MS = [2_500, 5_000, 15_000] as const
const POLL_LAST_MS = 15_000
const POLL_MAX_MS = 60_000
const JITTER = 0.2

/**
 * How long to wait before the next look, in milliseconds.
 * @param polls how many looks there were already
 * @param errors how many of the last ones failed, one after the other
 * @param chance evenly from 0 to 1
 */
export function pollDelayMs(polls: number, errors: number, chance: number): number {
  const planned = POLLS_MS[polls] ?? POLL_LAST_MS
  const patient = Math.min(planned * 2 ** Math.min(errors, 10), POLL_MAX_MS)
  return Math.round(patient * (1 - JITTER + 2 * JITTER * chance))
}

const SPOKEN_MINUTES = [10, 5, 2, 1] as const
const CLOCK_SHOWN_SECONDS = 600
const CLOCK_ALWAYS_SECONDS = 900

/** The minute to speak of when the time left went from one value to another, in seconds; undefined for none. */
export function minuteToSpeak(beforeSeconds: number, nowSeconds: number): number | undefined {
  return SPOKEN_MINUTES.findLast((minutes) => nowSeconds <= minutes * 60 && beforeSeconds > minutes * 60)
}

/** Whether the ticking clock is shown: it makes people nervous, so only near the end. */
export function isClockShown(leftSeconds: number, totalSeconds: number): boolean {
  return leftSeconds > 0 && (leftSeconds <= CLOCK_SHOWN_SECONDS || totalSeconds <= CLOCK_ALWAYS_SECONDS)
}

/** `9:05` for 545 seconds. */
export function clockText(leftSeconds: number): string {
  const seconds = String(leftSeconds % 60).padStart(2, '0')
  return `${String(Math.floor(leftSeconds / 60))}:${seconds}`
}
