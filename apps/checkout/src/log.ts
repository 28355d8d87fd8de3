import type { Clock } from './clock.ts'

/** What the page says of itself: one JSON line an event, never a query, a token or personal data. */
export interface Log {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}
export type LogFields = Readonly<Record<string, string | number>>

export function createLog(clock: Clock, write: (line: string) => void): Log {
  const at =
    (level: string): Log['info'] =>
    (message, fields = {}) =>
      write(
        `${JSON.stringify({ level, time: new Date(clock.nowMs()).toISOString(), ...fields, msg: message })}\n`,
      )
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
