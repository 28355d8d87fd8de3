import { parseArgs } from 'node:util'
import { UsageError } from '../../rig/usage.ts'
import { seedOf } from '../arguments.ts'
import { MESSAGE_MUTANTS } from './messages.ts'
import { MONEY_MUTANTS } from './money.ts'
import type { Mutant } from './mutant.ts'
import { PEOPLE_MUTANTS } from './people.ts'
import { STANDBY_MUTANTS } from './standby.ts'

/** All there are, in the order of a run. */
export const MUTANTS: readonly Mutant[] = [
  ...MONEY_MUTANTS,
  ...MESSAGE_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...STANDBY_MUTANTS,
]

export interface MutantsArguments {
  readonly mutants: readonly Mutant[]
  readonly seed: number | undefined
  /** Whether docs/ is brought up to date. */
  readonly write: boolean
}

export const USAGE = `npm run mutants              runs gateways that are broken on purpose; each must be found out

  --only <mutants>      ${MUTANTS.map(({ name }) => name).join(',')}
  --seed <number>       the seed of an earlier run, which each run prints first
  --write               writes the result into docs/reliability.md and docs/reliability.json; not with --only

Exit code 1 when a mutant survives, or when the code has changed so that one no longer applies.
`

/** Undefined: help is wanted. Throws UsageError. */
export function parseArguments(args: readonly string[]): MutantsArguments | undefined {
  const { help, only, seed, write } = parse(args)
  if (help) return undefined
  return {
    mutants: only === undefined ? MUTANTS : mutantsOf(only),
    seed: seed === undefined ? undefined : seedOf(seed),
    write: write && only === undefined,
  }
}

/** The command that does it again. */
export function commandOf({ mutants }: Pick<MutantsArguments, 'mutants'>, seed: number): string {
  const only = mutants.length < MUTANTS.length ? ['--only', mutants.map(({ name }) => name).join(',')] : []
  return ['npm run mutants --', ...only, '--seed', seed].join(' ')
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        seed: { type: 'string' },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function mutantsOf(text: string): readonly Mutant[] {
  const names = text.split(',').map((name) => name.trim())
  const known = MUTANTS.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new UsageError(`--only does not know ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  return MUTANTS.filter(({ name }) => names.includes(name))
}
