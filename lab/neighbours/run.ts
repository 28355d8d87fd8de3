import { availableParallelism } from 'node:os'
import type { Account } from '../rig/accounts.ts'
import { median } from '../rig/statistics.ts'
import { figure, terminalTable } from '../rig/table.ts'
import { type PinnedCell, startPinnedCell } from './cell.ts'
import type { Window } from './messages.ts'

interface NeighboursWish {
  /** Of cells alone and together, one after the other. */
  readonly rounds: number
  /** Of one measurement. */
  readonly seconds: number
}

/** How long a cell is dead. */
const DEAD_SECONDS = 60
const CELLS_MIN_CORES = 2
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * `npm run lab -- neighbours`: two cells, each on a core of its own with all its load. What a payment costs while the other works, beside what it
 * costs alone; and what one notices of the other's death. True when nothing was lost or done twice.
 */
export async function runNeighbours({ rounds, seconds }: NeighboursWish): Promise<boolean> {
  if (availableParallelism() < CELLS_MIN_CORES) throw new Error('two cells need two cores')
  const cells: PinnedCell[] = []
  try {
    cells.push(await startPinnedCell('A', 0), await startPinnedCell('B', 1))
    const [a, b] = cells
    if (a === undefined || b === undefined) throw new Error('two cells were started')
    await compareCosts(a, b, { rounds, seconds })
    await outlive(a, b)
    return report(await Promise.all([a.end(), b.end()]))
  } finally {
    await Promise.all(cells.map((cell) => cell.stop()))
  }
}

async function compareCosts(
  a: PinnedCell,
  b: PinnedCell,
  { rounds, seconds }: NeighboursWish,
): Promise<void> {
  // Programs that have just started cost more.
  await Promise.all([a.work(), b.work()])
  await a.measure(seconds)
  await Promise.all([a.rest(), b.rest()])
  const found: { readonly alone: number; readonly together: number }[] = []
  for (let round = 1; round <= rounds; round += 1) {
    // Who is alone takes turns, so that a core that is slower than the other counts for nothing.
    const [one, other] = round % 2 === 1 ? [a, b] : [b, a]
    await one.work()
    const alone = costOf(await one.measure(seconds))
    await other.work()
    const [together] = await Promise.all([one.measure(seconds), other.measure(seconds)])
    await Promise.all([one.rest(), other.rest()])
    found.push({ alone, together: costOf(together) })
    say(`  round ${round}: ${figure(alone)} µs alone, ${figure(costOf(together))} beside the other`)
  }
  const ratios = found.map(({ alone, together }) => together / alone)
  say(
    terminalTable(
      ['CPU of a whole life', 'median', 'rounds'],
      [
        ['alone, µs', figure(median(found.map(({ alone }) => alone))), ''],
        ['beside another cell, µs', figure(median(found.map(({ together }) => together))), ''],
        ['of what it is alone', figure(median(ratios)), ratios.map(figure).join(' ')],
      ],
    ),
  )
}

const costOf = ({ cpuMicroseconds, lives }: Window): number => cpuMicroseconds / lives

/** One dies for a minute, and comes back; the other is asked all the time. */
async function outlive(a: PinnedCell, b: PinnedCell): Promise<void> {
  await Promise.all([a.work(), b.work()])
  const before = await b.measure(DEAD_SECONDS)
  await a.kill()
  const during = await b.measure(DEAD_SECONDS)
  const [after] = await Promise.all([b.measure(DEAD_SECONDS), a.revive()])
  say(
    terminalTable(
      ['creates of the other cell', 'count', 'p50 ms', 'p99 ms', 'max ms'],
      [
        ['a minute before', ...latencies(before)],
        ['the minute of the outage', ...latencies(during)],
        ['the minute after, in which it starts', ...latencies(after)],
      ],
    ),
  )
}

function latencies({ tookMs }: Window): readonly string[] {
  const sorted = tookMs.toSorted((one, other) => one - other)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return [String(sorted.length), figure(at(0.5)), figure(at(0.99)), figure(at(1))]
}

function report(accounts: readonly Account[]): boolean {
  say(
    terminalTable(
      ['cell', 'acknowledged', 'lost', 'doubled', 'callbacks that came twice'],
      accounts.map(({ acknowledged, lost, doubled, repeatedCallbacks }, index) => [
        'AB'[index] ?? '',
        ...[acknowledged, lost, doubled, repeatedCallbacks].map(String),
      ]),
    ),
  )
  return accounts.every(({ lost, doubled }) => lost + doubled === 0)
}
