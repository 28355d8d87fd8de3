import { parseArgs } from 'node:util'
import { UsageError } from '../../../../../lab/rig/usage.ts'

export interface SimulationOptions {
  /** Of the model rig, and with PostgreSQL of the pair check. */
  readonly runs: number
  readonly days: number
  readonly seed: number | undefined
  /** Compares the memory with a real PostgreSQL, and does nothing else. */
  readonly postgres: boolean
}

export const USAGE = `npm run simulate              10,000 histories against the model, and 1,000 simulated days of faults

  --runs <number>       so many histories
  --days <number>       so many simulated days
  --seed <number>       the seed of an earlier run, which each run prints first
  --postgres            the histories (300 unless told otherwise) against a real PostgreSQL and the memory, to compare them

Exit code 1 when something is not as it must be.
`

const RUNS = 10_000
const RUNS_POSTGRES = 300
const DAYS = 1_000
const SEED_MAX = 2 ** 31 - 1
const COUNT_MAX = 100_000_000

/** Undefined: help is wanted. Throws UsageError. */
export function parseOptions(args: readonly string[]): SimulationOptions | undefined {
  const values = parse(args)
  if (values.help) return undefined
  const runs = countOf('--runs', values.runs, COUNT_MAX)
  return {
    runs: runs ?? (values.postgres ? RUNS_POSTGRES : RUNS),
    days: countOf('--days', values.days, COUNT_MAX) ?? DAYS,
    seed: countOf('--seed', values.seed, SEED_MAX),
    postgres: values.postgres,
  }
}

/** The command that does it again. */
export function commandOf({ runs, days, postgres }: SimulationOptions, seed: number): string {
  const parts = postgres ? ['--postgres'] : ['--days', days]
  return ['npm run simulate --', '--runs', runs, ...parts, '--seed', seed].join(' ')
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        runs: { type: 'string' },
        days: { type: 'string' },
        seed: { type: 'string' },
        postgres: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function countOf(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (count <= max) return count
  throw new UsageError(`${name} is ${text}; it takes a whole number up to ${max}.`)
}
