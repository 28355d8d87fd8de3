import type { LivesPlan } from './plan.ts'
import type { Prepared } from './templates.ts'

/** Follows whole lives: a payment ends when its callback comes. */
interface Lives {
  /** The connection is free; it sends when one may begin. Not called where requests come at a fixed rate. */
  onFree(connection: Connection): void
  /** A life begins when its request is due. */
  onSent(prepared: Prepared, dueMs: number): void
  /** A callback came. Only the first for an id ends its life. */
  onCallback(id: string): void
  /** Begins no more, and waits for the callbacks of those that have begun; not for one that is sent again after a pause. */
  end(): Promise<void>
}

const END_TIMEOUT_MS = 20_000

interface Connection {
  readonly send: (intendedMs: number) => void
}

/** `onEnded` is told when the request for it was due. */
export function createLives(
  { inFlightMax }: LivesPlan,
  onEnded: (prepared: Prepared, dueMs: number) => void,
): Lives {
  const idle: Connection[] = []
  const begun = new Map<string, readonly [prepared: Prepared, dueMs: number]>()

  const ended = Promise.withResolvers<undefined>()
  let isEnding = false

  function fill(): void {
    while (!isEnding && begun.size < inFlightMax) {
      const connection = idle.shift()
      if (connection === undefined) return
      connection.send(performance.now())
    }
  }

  return {
    onFree(connection) {
      idle.push(connection)
      fill()
    },
    onSent(prepared, dueMs) {
      begun.set(prepared.id(), [prepared, dueMs])
    },
    onCallback(id) {
      const life = begun.get(id)
      if (life === undefined) return
      begun.delete(id)
      onEnded(...life)
      if (isEnding && begun.size === 0) ended.resolve(undefined)
      fill()
    },
    async end() {
      isEnding = true
      const late = setTimeout(() => ended.resolve(undefined), END_TIMEOUT_MS)
      if (begun.size > 0) await ended.promise
      clearTimeout(late)
    },
  }
}
