import { join } from 'node:path'
import { updatePage } from '../rig/page.ts'
import { ROOT } from '../rig/programs.ts'
import { markdownTable, type Row, terminalTable } from '../rig/table.ts'
import { calibrate, isWithin } from './calibration.ts'
import { readFigures } from './figures.ts'
import {
  CALIBRATION_HEAD,
  calibrationTable,
  MONTH_HEAD,
  monthTable,
  neighbourLatency,
  OUTAGE_HEAD,
  outageTable,
  PLACEMENT_HEAD,
  placementTable,
} from './report.ts'
import {
  CELLS,
  deployWave,
  MERCHANTS,
  monthRows,
  outageRows,
  PLANNED_PER_SECOND,
  placementRows,
} from './scenarios.ts'

const SEED = 1
const PAGE = join(ROOT, 'docs/scale.md')

interface Part {
  /** Of its section in the page. */
  readonly section: string
  readonly says: string
  readonly head: Row
  readonly rows: readonly Row[]
}

/**
 * Simulates one cell beside what was measured of it, then outages of one, then a month of many. The same figures give the same
 * tables, whatever the machine. True when the model of one cell is as near to the measured one as it has to be, and an outage of one
 * cell moves no other.
 */
export function runCells({ write }: { readonly write: boolean }): boolean {
  const figures = readFigures()
  const comparisons = calibrate(figures, SEED)
  const outages = outageRows(figures, SEED)
  const neighbour = neighbourLatency(outages)
  const parts: readonly Part[] = [
    {
      section: 'one cell',
      says: 'One cell, simulated and measured:',
      head: CALIBRATION_HEAD,
      rows: calibrationTable(comparisons),
    },
    {
      section: 'outages',
      says: `A cell with ${PLANNED_PER_SECOND} payments a second. p50 and p99: until a payment of the two minutes after is accepted:`,
      head: OUTAGE_HEAD,
      rows: outageTable(outages),
    },
    {
      section: 'placement',
      says: `Where merchants are: ${MERCHANTS.toLocaleString('en-US')} of them, ${PLANNED_PER_SECOND} payments a second in each cell in the mean:`,
      head: PLACEMENT_HEAD,
      rows: placementTable(placementRows(SEED)),
    },
    { section: 'month', says: 'A month:', head: MONTH_HEAD, rows: monthTable(monthRows(figures, SEED)) },
  ]
  for (const { says, head, rows } of parts)
    process.stdout.write(`\n${says}\n\n${terminalTable(head, rows)}\n`)
  const wave = deployWave(figures.apiKilled)
  process.stdout.write(
    `\nA cell beside the one that fails: ${neighbour ?? 'MOVED BY IT'}, with and without it.
A deploy through ${CELLS} cells at the busiest hour: ${Math.round(wave.refusedFirst).toLocaleString('en-US')} payments refused at first, ${(wave.share * 100).toFixed(3)} % of the hour.\n`,
  )
  if (write) for (const { section, head, rows } of parts) updatePage(PAGE, section, markdownTable(head, rows))
  return comparisons.every(isWithin) && neighbour !== undefined
}
