import { parseArgs } from 'node:util'
import { UsageError } from '../rig/usage.ts'

/** The parts of the standard run. */
export const PARTS = [
  'life',
  'create',
  'payout',
  'read',
  'token',
  'mixed',
  'callbacks',
  'alone',
  'steady',
  'start',
  'statements',
] as const
export type Part = (typeof PARTS)[number]

/** What is measured, and how long. */
export interface RunOptions {
  readonly only: ReadonlySet<Part>
  readonly rounds: number
  readonly seconds: number
  readonly warmupSeconds: number
  readonly connections: number
  readonly merchants: number
  /** The folder on whose disk the database lies. */
  readonly dataDir: string | undefined
  /** Whether docs/ is brought up to date. */
  readonly write: boolean
}

export interface GrowthOptions extends RunOptions {
  /** Numbers of payments that lie in the database when it is measured, rising. */
  readonly payments: readonly number[]
}

export interface SoakOptions extends RunOptions {
  readonly minutes: number
  readonly ratePerSecond: number
}

export interface OutageOptions extends RunOptions {
  /** Payments that are left behind. */
  readonly due: number
  readonly ratePerSecond: number
}

export interface SearchOptions extends RunOptions {
  readonly payments: number
  /** A folder for the filled database, which stays and is used again. */
  readonly keepIn: string | undefined
}

type Command =
  | { readonly kind: 'run'; readonly options: RunOptions }
  | { readonly kind: 'growth'; readonly options: GrowthOptions }
  | { readonly kind: 'soak'; readonly options: SoakOptions }
  | { readonly kind: 'outage'; readonly options: OutageOptions }
  | { readonly kind: 'chains' }
  | { readonly kind: 'search'; readonly options: SearchOptions }
  | { readonly kind: 'help' }

export const USAGE = `npm run bench                     everything, in less than ten minutes
npm run bench -- --only create    one part, or several: ${PARTS.join(',')}
npm run bench -- growth           the cost of a payment as payments pile up
npm run bench -- soak             memory over time
npm run bench -- outage           new payments while an hour's work is made up for
npm run bench -- chains           reading a chain: blocks a second, questions to its nodes
npm run bench -- --only search    operators' searches, the console's home page and an export, and their plans

  --rounds 5            rounds, each of which measures everything once; growth and search: 3
  --seconds 2           how long one measurement takes, after its warm-up; growth: 40
  --warmup 0.7          seconds before it
  --connections 256     connections of the load generator
  --merchants 1000      merchants of the scenarios with many
  --data-dir <folder>   where the database lies; default: the system's temporary folder
  --write               writes docs/performance*, as a run of everything does
  --no-write            leaves docs/performance* alone; so does --only
  --payments 10000,1000000,5000000    growth: payments in the database
  --payments 5000000, --keep <folder> search: payments in the database, and a folder where it stays for the next run
  --payments 1000000, --rate 200      outage: payments that are due, and new ones a second
  --minutes 10, --rate 500            soak: how long, and payments a second
`

const OPTIONS = {
  only: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  warmup: { type: 'string', default: '0.7' },
  connections: { type: 'string', default: '256' },
  merchants: { type: 'string', default: '1000' },
  'data-dir': { type: 'string' },
  write: { type: 'boolean', default: false },
  'no-write': { type: 'boolean', default: false },
  payments: { type: 'string' },
  keep: { type: 'string' },
  minutes: { type: 'string', default: '10' },
  rate: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

type Values = ReturnType<typeof parse>['values']

/** Throws UsageError. */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help) return { kind: 'help' }
  // A part that is too long for a run of everything is asked for as the others are, too.
  const [kind = values.only === 'search' ? 'search' : 'run', ...rest] = positionals
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')} is more than one command.`)
  const read = COMMANDS.get(kind)
  if (read === undefined)
    throw new UsageError(`There is no command ${kind}; there are ${[...COMMANDS.keys()].join(', ')}.`)
  return read(runOptions(values, LENGTHS[kind] ?? LENGTH), values)
}

type ReadCommand = (options: RunOptions, values: Values) => Command

/** What each command takes beside the options of all. */
const COMMANDS: ReadonlyMap<string, ReadCommand> = new Map<string, ReadCommand>([
  ['run', (options) => ({ kind: 'run', options })],
  [
    'growth',
    (options, { payments = GROWTH_PAYMENTS }) => ({
      kind: 'growth',
      options: { ...options, payments: risingNumbers('payments', payments) },
    }),
  ],
  [
    'soak',
    (options, { minutes, rate = '500' }) => ({
      kind: 'soak',
      options: {
        ...options,
        minutes: numberIn('minutes', minutes, { from: 0.1, to: 1_440 }),
        ratePerSecond: numberIn('rate', rate, RATES),
      },
    }),
  ],
  [
    'outage',
    (options, { payments = '1000000', rate = '200' }) => ({
      kind: 'outage',
      options: {
        ...options,
        due: wholeIn('payments', payments, { from: 1_000, to: PAYMENTS_MAX }),
        ratePerSecond: numberIn('rate', rate, RATES),
      },
    }),
  ],
  [
    'search',
    (options, { payments = SEARCH_PAYMENTS, keep }) => ({
      kind: 'search',
      options: {
        ...options,
        payments: wholeIn('payments', payments, { from: 10_000, to: PAYMENTS_MAX }),
        keepIn: keep,
      },
    }),
  ],
  ['chains', () => ({ kind: 'chains' })],
])

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

interface Length {
  readonly rounds: string
  readonly seconds: string
}

const LENGTH: Length = { rounds: '5', seconds: '2' }
/**
 * After a checkpoint the first entry on each page of an index costs a page of log. Under load checkpoints are minutes
 * apart: a measurement of two seconds after one would show little else.
 */
const GROWTH_LENGTH: Length = { rounds: '3', seconds: '40' }
const LENGTHS: Readonly<Record<string, Length>> = {
  growth: GROWTH_LENGTH,
  search: { ...LENGTH, rounds: '3' },
  outage: { ...LENGTH, seconds: '20' },
}

function runOptions(values: Values, length: Length): RunOptions {
  return {
    only: partsOf(values.only),
    rounds: wholeIn('rounds', values.rounds ?? length.rounds, { from: 1, to: 100 }),
    seconds: numberIn('seconds', values.seconds ?? length.seconds, { from: 0.5, to: 600 }),
    warmupSeconds: numberIn('warmup', values.warmup, { from: 0, to: 60 }),
    connections: wholeIn('connections', values.connections, { from: 1, to: 1_000 }),
    merchants: wholeIn('merchants', values.merchants, { from: 1, to: 10_000 }),
    dataDir: values['data-dir'],
    write: values.write || (values.only === undefined && !values['no-write']),
  }
}

function partsOf(text: string | undefined): ReadonlySet<Part> {
  if (text === undefined || text === 'search') return new Set(PARTS)
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !PARTS.some((part) => part === name))
  if (unknown.length > 0)
    throw new UsageError(`--only does not know ${unknown.join(', ')}; there are ${PARTS.join(', ')}.`)
  return new Set(PARTS.filter((part) => names.includes(part)))
}

interface Range {
  readonly from: number
  readonly to: number
}

function numberIn(name: string, text: string, { from, to }: Range): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= from && value <= to))
    throw new UsageError(`--${name} is ${text}; it takes a number from ${from} to ${to}.`)
  return value
}

function wholeIn(name: string, text: string, range: Range): number {
  const value = numberIn(name, text, range)
  if (!Number.isInteger(value)) throw new UsageError(`--${name} is ${text}; it takes a whole number.`)
  return value
}

const RATES: Range = { from: 1, to: 50_000 }
const PAYMENTS_MAX = 1_000_000_000
const GROWTH_PAYMENTS = '10000,1000000,5000000'
const SEARCH_PAYMENTS = '5000000'

function risingNumbers(name: string, text: string): readonly number[] {
  const numbers = text.split(',').map((part) => wholeIn(name, part, { from: 1, to: PAYMENTS_MAX }))
  if (numbers.some((number, index) => number <= (numbers[index - 1] ?? 0)))
    throw new UsageError(`--${name} is ${text}; its numbers rise.`)
  return numbers
}
