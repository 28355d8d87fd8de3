import { hash } from 'node:crypto'
import { CHAIN_BEGINNING, parseHead, printHead } from '../../platform/chain/index.ts'
import { CELL } from '../../settings.ts'
import { parsed } from '../api.ts'
import { CommandFailure } from '../failure.ts'

// The file of kept heads: a line for each time, with the heads of all journals, chained by hash. Who changes a journal would have to
// change the file as well, and then its last hash is not the one that was kept elsewhere.

/** A line of the file. */
export interface KeptLine {
  /** The first is 1. */
  readonly line: number
  readonly keptAt: string
  /** By letter, as each journal prints its head. */
  readonly heads: ReadonlyMap<string, string>
  /** Of these the heads are those of the line before, if it has any. */
  readonly away: readonly string[]
  /** SHA-256 of the line up to here, in which the hash of the line before is the last member. */
  readonly hash: string
}

const BEGINNING = CHAIN_BEGINNING.chainHash.toString('hex')

/** The one head over all lines up to this one, as people keep it. */
export const headOf = ({ line, hash: chainHash }: Pick<KeptLine, 'line' | 'hash'>): string =>
  printHead({ entryNo: line, chainHash: Buffer.from(chainHash, 'hex') })

interface Now {
  readonly keptAt: string
  /** By letter in their order; undefined where a cell is away. */
  readonly heads: ReadonlyMap<string, string | undefined>
}

/** The line that follows, and its text. */
export function lineAfter(
  last: KeptLine | undefined,
  now: Now,
): { readonly kept: KeptLine; readonly text: string } {
  const line = numberAfter(last)
  const heads = new Map(
    [...now.heads].flatMap(([cell, head = last?.heads.get(cell)]) =>
      head === undefined ? [] : [[cell, head] as const],
    ),
  )
  const away = [...now.heads].filter(([, head]) => head === undefined).map(([cell]) => cell)
  const members = {
    line,
    keptAt: now.keptAt,
    heads: Object.fromEntries(heads),
    away,
    before: hashBefore(last),
  }
  const content = JSON.stringify(members)
  const kept = { line, keptAt: now.keptAt, heads, away, hash: hash('sha256', content) }
  return { kept, text: `${content.slice(0, -1)},"hash":"${kept.hash}"}\n` }
}

/** The lines of a file. Throws a sentence that names the first one that is not as it was written. */
export function readKept(text: string, file: string): readonly KeptLine[] {
  const texts = text.split('\n')
  const rest = texts.pop()
  const lines: KeptLine[] = []
  for (const each of texts) lines.push(lineIn(each, lines.at(-1), `Line ${lines.length + 1} of ${file}`))
  if (rest !== '') throw fault(`Line ${lines.length + 1} of ${file} is cut off.`)
  return lines
}

const fault = (message: string): CommandFailure => new CommandFailure('FAULT', message)
const LINE = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/

function lineIn(text: string, last: KeptLine | undefined, where: string): KeptLine {
  const [, begin = '', written = ''] = LINE.exec(text) ?? []
  const content = `${begin}}`
  const members = parsed(content)
  if (!isMembers(members)) throw fault(`${where} is not a line of kept heads.`)
  if (hash('sha256', content) !== written) throw fault(`${where} was changed: its hash does not match.`)
  const { line, keptAt, heads, away, before } = members
  if (before !== hashBefore(last) || line !== numberAfter(last))
    throw fault(`${where} does not follow the one before: lines were changed, removed or added.`)
  return { line, keptAt, heads: new Map(Object.entries(heads)), away, hash: written }
}

const hashBefore = (last: KeptLine | undefined): string => last?.hash ?? BEGINNING
const numberAfter = (last: KeptLine | undefined): number => (last?.line ?? 0) + 1

interface Members {
  readonly line: number
  readonly keptAt: string
  readonly heads: Readonly<Record<string, string>>
  readonly away: readonly string[]
  readonly before: string
}

function isMembers(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false
  if (!('keptAt' in value && 'heads' in value && 'away' in value)) return false
  return isMoment(value.keptAt) && isHeads(value.heads) && Array.isArray(value.away)
}

const isMoment = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))

const isHeads = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([cell, head]: [string, unknown]) => CELL.test(cell) && isHead(head))

const isHead = (value: unknown): boolean => typeof value === 'string' && parseHead(value) !== undefined

/** A head that a journal had. */
export interface KeptHead {
  readonly entryNo: number
  /** Hexadecimal. */
  readonly chainHash: string
  /** When the journal had it last. */
  readonly keptAt: string
}

/** Each head that was kept of a cell, once, in the order in which the journal had them last. */
export function headsOf(lines: readonly KeptLine[], cell: string): readonly KeptHead[] {
  const heads = new Map<string, KeptHead>()
  for (const { keptAt, heads: kept, away } of lines) {
    const text = kept.get(cell)
    const head = text === undefined || away.includes(cell) ? undefined : parseHead(text)
    if (text === undefined || head === undefined) continue
    heads.delete(text)
    heads.set(text, { entryNo: head.entryNo, chainHash: head.chainHash.toString('hex'), keptAt })
  }
  return [...heads.values()]
}

/** What became of the heads of a journal. */
export interface Verdict {
  /** REWRITTEN: an entry is another one now. SHORTER: it ends before an entry that it had. */
  readonly state: 'UNCHANGED' | 'REWRITTEN' | 'SHORTER'
  /** The last time at which the journal still had what it lacks now. */
  readonly since?: string
  /** The first entry that is known to be another one, or to be missing. */
  readonly entryNo?: number
}

/** Compares kept heads with the chain hashes that the journal has today for their entries; undefined behind its end. */
export function verdictOf(
  heads: readonly KeptHead[],
  today: ReadonlyMap<number, string | undefined>,
): Verdict {
  const lost = heads.filter(({ entryNo, chainHash }) => entryNo > 0 && today.get(entryNo) !== chainHash)
  const last = lost.at(-1)
  if (last === undefined) return { state: 'UNCHANGED' }
  return {
    state: lost.some(({ entryNo }) => today.get(entryNo) !== undefined) ? 'REWRITTEN' : 'SHORTER',
    since: last.keptAt,
    entryNo: Math.min(...lost.map(({ entryNo }) => entryNo)),
  }
}
