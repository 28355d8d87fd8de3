import type { Finding } from '../check/facts.ts'
import { nowMs } from '../driver/history.ts'

/** What a kind of fault has to say besides what all of them say: figures of its own, and what it saw break. */
export interface Notes {
  /** By what they are called. */
  readonly figures: ReadonlyMap<string, number>
  readonly findings: readonly Finding[]
  /** When the database's clock jumped, in milliseconds since 1970 by a clock that does not. */
  readonly clockJumps: readonly number[]
  /** The database's clock jumps now. */
  clockJumped(): void
  /** One more of what the figure counts. */
  count(figure: string): void
  /** Keeps the least of all values. */
  least(figure: string, value: number): void
  /** Ends the run as a broken invariant does. */
  broken(finding: Finding): void
}

export function createNotes(): Notes {
  const figures = new Map<string, number>()
  const findings: Finding[] = []
  const clockJumps: number[] = []
  return {
    figures,
    findings,
    clockJumps,
    clockJumped: () => void clockJumps.push(nowMs()),
    count: (figure) => void figures.set(figure, (figures.get(figure) ?? 0) + 1),
    least: (figure, value) => void figures.set(figure, Math.min(figures.get(figure) ?? value, value)),
    broken: (finding) => void findings.push(finding),
  }
}
