import { parseArgs } from 'node:util'
import { UsageError } from '../bench/arguments.ts'
import { FAULT_KINDS, type FaultKind } from './kinds/index.ts'

/** How much there is of a run. */
export interface Extent {
  /** How long each kind of fault strikes. */
  readonly phaseSeconds: number
  /** The kinds come again until so many payments are acknowledged, and so many processes killed. */
  readonly acknowledgedMin: number
  readonly killsMin: number
}

export interface FaultsOptions {
  readonly form: 'short' | 'long'
  readonly extent: Extent
  readonly seed: number | undefined
  readonly kinds: readonly FaultKind[]
  /** Whether docs/ is brought up to date. */
  readonly write: boolean
}

export const USAGE = `npm run faults               every kind of fault once, in less than eight minutes
npm run faults -- --long     again and again: 100,000 acknowledged payments, 200 kills

  --seed <number>       the seed of an earlier run, which each run prints first
  --only <kinds>        ${FAULT_KINDS.map(({ name }) => name).join(',')}
  --write               writes the figures into docs/reliability.md and docs/reliability.json; not with --only

Exit code 1 when an invariant is broken.
`

const SHORT: Extent = { phaseSeconds: 16, acknowledgedMin: 0, killsMin: 0 }
const LONG: Extent = { phaseSeconds: 45, acknowledgedMin: 100_000, killsMin: 200 }
const SEED_MAX = 2 ** 32 - 1

/** Undefined: help is wanted. Throws UsageError. */
export function parseOptions(args: readonly string[]): FaultsOptions | undefined {
  const values = parse(args)
  if (values.help) return undefined
  const form = values.long ? 'long' : 'short'
  return {
    form,
    extent: values.long ? LONG : SHORT,
    seed: values.seed === undefined ? undefined : seedOf(values.seed),
    kinds: values.only === undefined ? FAULT_KINDS : kindsOf(values.only),
    write: values.write && values.only === undefined,
  }
}

/** The command that does it again. */
export function commandOf({ form, kinds }: FaultsOptions, seed: number): string {
  const parts = [
    'npm run faults --',
    ...(form === 'long' ? ['--long'] : []),
    ...(kinds.length < FAULT_KINDS.length ? ['--only', kinds.map(({ name }) => name).join(',')] : []),
  ]
  return [...parts, '--seed', seed].join(' ')
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        long: { type: 'boolean', default: false },
        seed: { type: 'string' },
        only: { type: 'string' },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function seedOf(text: string): number {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (seed <= SEED_MAX) return seed
  throw new UsageError(`--seed is ${text}; it takes a whole number up to ${SEED_MAX}.`)
}

function kindsOf(text: string): readonly FaultKind[] {
  const names = text.split(',').map((name) => name.trim())
  const known = FAULT_KINDS.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new UsageError(`--only does not know ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  return FAULT_KINDS.filter(({ name }) => names.includes(name))
}
