/**
 * Who has how many of a worker's places. A rail may have as many as are left free, so that one that hangs gets half of them, a second one
 * half of the rest, and there are always some for those that answer.
 */
export interface RailShares {
  take(rail: string): void
  release(rail: string): void
  /** Those that get no more, while so many places are free. */
  full(free: number): readonly string[]
  /** Those that have most; none while nothing is under way. */
  most(): readonly string[]
  /** So many tasks may be taken up, whichever of the other rails all of them belong to. */
  roomBeside(rails: readonly string[], free: number): number
}

export function createRailShares(): RailShares {
  const taken = new Map<string, number>()
  const count = (rail: string, more: number): void => {
    const now = (taken.get(rail) ?? 0) + more
    if (now === 0) taken.delete(rail)
    else taken.set(rail, now)
  }
  return {
    take: (rail) => count(rail, 1),
    release: (rail) => count(rail, -1),
    full: (free) => [...taken].filter(([, has]) => roomFor(has, free) === 0).map(([rail]) => rail),
    most: () => [...taken].filter(([, has]) => has === Math.max(...taken.values())).map(([rail]) => rail),
    roomBeside: (rails, free) =>
      roomFor(Math.max(0, ...[...taken].map(([rail, has]) => (rails.includes(rail) ? 0 : has))), free),
  }
}

/** What is taken is free no longer: after so many more, a rail has as many as are free. */
const roomFor = (has: number, free: number): number => Math.max(0, Math.floor((free - has) / 2))
