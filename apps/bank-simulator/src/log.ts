import type { Clock } from './clock.ts'

/** What the simulator says of itself: one JSON line an event, never personal data. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, string | number>>): void
  warn(message: string, fields?: Readonly<Record<string, string | number>>): void
  error(message: string, fields?: Readonly<Record<string, string | number>>): void
}

export function createLog(clock: Clock, write: (line: string) => void): Log {
  const at =
    (level: string): Log['info'] =>
    (message, fields = {}) =>
      write(
        `${JSON.stringify({ level, time: new Date(clock.nowMs()).toISOString(), ...fields, msg: message })}\n`,
      )
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** For tests that do not look. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
