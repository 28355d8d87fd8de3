/// <reference lib="dom" />
import { elapsedMs } from './page.ts'

/** How far the server's clock is ahead of the time since the page was begun, in milliseconds. */
let aheadMs: number | undefined

/** Takes over what the server says that it is now. An unreadable text changes nothing. */
export function setServerClock(now: string): void {
  const server = Date.parse(now)
  if (!Number.isNaN(server)) aheadMs = server - elapsedMs()
}

/** The server's time in milliseconds since 1970; undefined while it has not said it. */
export function serverNowMs(): number | undefined {
  return aheadMs === undefined ? undefined : aheadMs + elapsedMs()
}
