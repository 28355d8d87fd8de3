import type { Wire } from './exchange.ts'

const KEPT_MAX = 512
/** After so long a connection is opened anew: names may lead elsewhere meanwhile. */
const LIFETIME_MS = 60_000

/** An open connection, and how old it is. */
export interface Kept {
  readonly wire: Wire
  readonly openedAtMs: number
}

/** Connections that wait for another request, by origin: scheme, name and port. */
export interface KeptWires {
  /** One that is open, and that nobody else has now. */
  take(origin: string): Kept | undefined
  /** Keeps it for the next one, or destroys it where it takes no other request, is old, or too many wait. */
  giveBack(origin: string, kept: Kept): void
  /** It has ended by itself. */
  forget(origin: string, kept: Kept): void
  close(): void
}

/** Builds an empty store. The one that has waited longest goes first when there are too many. */
export function createKeptWires(nowMs: () => number = () => performance.now()): KeptWires {
  const idle = new Map<string, Kept[]>()
  let count = 0
  let isClosed = false

  const isFresh = ({ wire, openedAtMs }: Kept): boolean => wire.isOpen() && nowMs() - openedAtMs < LIFETIME_MS

  function remove(origin: string, kept: Kept): void {
    const own = idle.get(origin)
    const place = own?.indexOf(kept) ?? -1
    if (own === undefined || place === -1) return
    own.splice(place, 1)
    count -= 1
    if (own.length === 0) idle.delete(origin)
  }

  function dropOldest(): void {
    const [first] = idle
    const [origin, [kept] = []] = first ?? []
    if (origin === undefined || kept === undefined) return
    remove(origin, kept)
    kept.wire.destroy()
  }

  return {
    take(origin) {
      // The one used last: it is the least likely to be closed at this moment.
      for (let kept = idle.get(origin)?.at(-1); kept !== undefined; kept = idle.get(origin)?.at(-1)) {
        remove(origin, kept)
        if (isFresh(kept)) return kept
        kept.wire.destroy()
      }
      return undefined
    },
    giveBack(origin, kept) {
      if (isClosed || !isFresh(kept)) {
        kept.wire.destroy()
        return
      }
      const own = idle.get(origin) ?? []
      own.push(kept)
      // Last in line: what was used now has waited least.
      idle.delete(origin)
      idle.set(origin, own)
      count += 1
      if (count > KEPT_MAX) dropOldest()
    },
    forget: remove,
    close() {
      isClosed = true
      for (const kept of [...idle.values()].flat()) kept.wire.destroy()
      idle.clear()
      count = 0
    },
  }
}
