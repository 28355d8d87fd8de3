import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JournalSchema, Printed } from '@tollgate/contract'
import { type ChainHead, parseHead, printHead } from '../../platform/chain/index.ts'
import { ask, askOwn, HEAD, type Heard, type Question } from '../cells/ask.ts'
import { type Cell, requireCells, writeWhole } from '../cells/file.ts'
import {
  headOf,
  headsOf,
  type KeptHead,
  type KeptLine,
  lineAfter,
  readKept,
  type Verdict,
  verdictOf,
} from '../cells/heads.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { readFileBytes } from '../files.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, momentOf, table } from '../text.ts'

/** `tollgate cells heads keep` */
export async function keepHeads(shell: Shell, file: string): Promise<Report> {
  const cells = requireCells(await shell.config())
  const heard = await Promise.all(
    cells.map(async (cell) => [cell.cell, await askOwn(shell, cell, HEAD)] as const),
  )
  const away = heard.flatMap(([cell, said]) => ('away' in said ? [{ cell, reason: said.away }] : []))
  if (away.length === cells.length)
    throw new CommandFailure('UNREACHABLE', 'All cells are away. Nothing was kept.', away.map(awayText))
  // Only now, so that nothing is asked between reading the file and writing it.
  const before = existsSync(file) ? readFileBytes(file).toString('utf8') : ''
  const lines = readKept(before, file)
  const heads = new Map(heard.map(([cell, said]) => [cell, 'answer' in said ? said.answer.head : undefined]))
  const keptAt = new Date(shell.clock.nowMs()).toISOString()
  const { kept, text } = lineAfter(lines.at(-1), { keptAt, heads })
  writeWhole(file, `${before}${text}`)
  const behind = cells.filter(({ cell }) => isBehind(heads.get(cell), headsOf(lines, cell).at(-1)))
  return {
    json: {
      file,
      head: headOf(kept),
      keptAt,
      heads: Object.fromEntries(kept.heads),
      away,
      behind: behind.map(({ cell }) => cell),
    },
    text: headOf(kept),
    notes: [
      ...away.map((each) => `${awayText(each)} Its last kept head stands.`),
      ...behind.map(
        ({ cell }) =>
          `Cell ${cell} no longer has the head that was kept before: run \`tollgate cells heads check ${file}\`.`,
      ),
      'Keep this head elsewhere, on paper for example: `tollgate cells heads check --head` compares the file with it.',
    ],
    exitCode: away.length + behind.length > 0 ? EXIT_CODES.FAULT : EXIT_CODES.OK,
  }
}

const awayText = ({ cell, reason }: { readonly cell: string; readonly reason: string }): string =>
  `Cell ${cell} is away: ${reason}`

/** A journal only grows. */
function isBehind(now: string | undefined, last: KeptHead | undefined): boolean {
  const head = now === undefined ? undefined : parseHead(now)
  if (head === undefined || last === undefined) return false
  if (head.entryNo === last.entryNo) return head.chainHash.toString('hex') !== last.chainHash
  return head.entryNo < last.entryNo
}

/** `tollgate cells heads check` */
export async function checkHeads(
  shell: Shell,
  file: string,
  { head }: { readonly head?: string },
): Promise<Report> {
  const wanted = head === undefined ? undefined : readHead(head)
  const cells = requireCells(await shell.config())
  const lines = readKept(readFileBytes(file).toString('utf8'), file)
  const last = lines.at(-1)
  if (last === undefined) throw fault(`${file} is empty: \`tollgate cells heads keep\` writes it.`)
  if (wanted !== undefined) requireHead(lines, wanted, file)
  const listed = await Promise.all(cells.map((cell) => judge(shell, cell, headsOf(lines, cell.cell))))
  const kept = new Set(lines.flatMap(({ heads }) => [...heads.keys()]))
  for (const { cell } of cells) kept.delete(cell)
  const unlisted = [...kept].map((cell) => rowOf(cell, headsOf(lines, cell), { state: 'UNLISTED' }))
  const rows = [...listed, ...unlisted].toSorted((one, other) => (one.cell < other.cell ? -1 : 1))
  const isFault = rows.some(({ state }) => state !== 'UNCHANGED' && state !== 'NEW')
  return {
    json: { file, head: headOf(last), keptAt: last.keptAt, data: rows },
    text: table(
      ['CELL', 'HEADS', 'LAST KEPT', 'STATE'],
      rows.map((row) => [row.cell, String(row.heads), momentOf(row.keptAt) ?? '-', stateText(row)]),
      '',
    ),
    notes: [
      `${file} is as it was written: ${lines.length} lines, the last of ${momentOf(last.keptAt)}, head ${headOf(last)}.`,
    ],
    exitCode: isFault ? EXIT_CODES.FAULT : EXIT_CODES.OK,
  }
}

const fault = (message: string): CommandFailure => new CommandFailure('FAULT', message)

function readHead(text: string): ChainHead {
  const head = parseHead(text)
  if (head !== undefined) return head
  throw new CommandFailure(
    'USAGE',
    `--head takes what \`tollgate cells heads keep\` printed: the number of a line, a colon and 64 hexadecimal digits; it is ${JSON.stringify(text)}.`,
  )
}

/** What was kept elsewhere has to be in the file. */
function requireHead(lines: readonly KeptLine[], wanted: ChainHead, file: string): void {
  const line = lines[wanted.entryNo - 1]
  if (line === undefined)
    throw fault(`${file} has no line ${wanted.entryNo}: it was cut off, or is another file.`)
  if (headOf(line) !== printHead(wanted))
    throw fault(`Line ${wanted.entryNo} of ${file} is not the one with this head: the file was rewritten.`)
}

interface Row extends Omit<Verdict, 'state'> {
  readonly cell: string
  /** How many different heads were kept. */
  readonly heads: number
  readonly keptAt?: string
  readonly state: Verdict['state'] | 'NEW' | 'AWAY' | 'UNLISTED'
  readonly reason?: string
}

const rowOf = (
  cell: string,
  heads: readonly KeptHead[],
  found: Omit<Row, 'cell' | 'heads' | 'keptAt'>,
): Row => {
  const keptAt = heads.at(-1)?.keptAt
  return { cell, heads: heads.length, ...(keptAt !== undefined && { keptAt }), ...found }
}

async function judge(shell: Shell, cell: Cell, heads: readonly KeptHead[]): Promise<Row> {
  const today = await entriesOf(shell, cell, heads)
  if ('away' in today) return rowOf(cell.cell, heads, { state: 'AWAY', reason: today.away })
  return rowOf(cell.cell, heads, heads.length === 0 ? { state: 'NEW' } : verdictOf(heads, today.answer))
}

const entry = (entryNo: number): Question<Printed<typeof JournalSchema>> => ({
  permission: 'ledger.read',
  path: '/operator/journal',
  query: { from: entryNo, limit: 1 },
})

/** Half of what an operator may ask. */
const PAUSE_MS = 100

/** The chain hashes that a journal has for the entries of heads; undefined behind its end. */
async function entriesOf(
  shell: Shell,
  cell: Cell,
  heads: readonly KeptHead[],
): Promise<Heard<ReadonlyMap<number, string | undefined>>> {
  const head = await askOwn(shell, cell, HEAD)
  if ('away' in head) return head
  const hashes = new Map<number, string | undefined>()
  for (const entryNo of new Set(heads.map((each) => each.entryNo))) {
    if (entryNo > head.answer.entryNo || entryNo === 0) continue
    const heard = await ask(shell, cell, entry(entryNo))
    if ('away' in heard) return heard
    hashes.set(entryNo, heard.answer.data[0]?.chainHash)
    await sleep(PAUSE_MS)
  }
  return { answer: hashes }
}

function stateText({ state, since, entryNo, reason }: Row): string {
  const after = since === undefined ? '' : moment(new Date(since))
  switch (state) {
    case 'UNCHANGED':
      return 'has every head that was kept'
    case 'NEW':
      return 'no head kept yet'
    case 'REWRITTEN':
      return `rewritten since ${after}: entry ${entryNo ?? ''} has changed`
    case 'SHORTER':
      return `ends before entry ${entryNo ?? ''}, which it had on ${after}`
    case 'AWAY':
      return `away: ${reason ?? ''}`
    case 'UNLISTED':
      return 'no longer in the file of cells; not asked'
  }
}
