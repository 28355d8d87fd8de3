import { parseArgs } from 'node:util'
import { UsageError } from '../rig/usage.ts'
import { CLIENTS } from './driver/driver.ts'
import { CONTROLS, type Control } from './failover/control.ts'
import { failover } from './failover/kind.ts'
import { patroniFailover } from './failover/patroni.ts'
import { FAULT_KINDS, type FaultKind } from './kinds/index.ts'
import { upgrade } from './kinds/upgrade.ts'

/** How much there is of a run. */
export interface Extent {
  /** How long each kind of fault strikes. */
  readonly phaseSeconds: number
  /** And each kind that kills. */
  readonly killPhaseSeconds: number
  /** How many merchants ask at a time. */
  readonly clients: number
  /** How long it may then take until nothing is under way or due any more. */
  readonly quietSecondsMax: number
  /** The kinds come again until so many payments are acknowledged, and so many processes killed. */
  readonly acknowledgedMin: number
  readonly killsMin: number
}

/** `failover`: on a primary with a standby instead of a single server; `patroni`: on three servers under Patroni; `upgrade`: begun with an earlier version. */
export type Form = 'short' | 'long' | 'failover' | 'patroni' | 'upgrade'

export interface FaultsOptions {
  readonly form: Form
  readonly extent: Extent
  readonly seed: number | undefined
  readonly kinds: readonly FaultKind[]
  /** What must lose payments, so that it is seen whether the checks can tell. */
  readonly control?: Control
  /** Whether docs/ is brought up to date. */
  readonly write: boolean
}

const namesOf = (kinds: readonly FaultKind[]): string => kinds.map(({ name }) => name).join(',')
const kindsIn = (form: Form): readonly FaultKind[] =>
  FAULT_KINDS.filter((kind) => form === 'long' || !kind.isLongOnly)

export const USAGE = `npm run faults               the kinds of faults once each, in less than eight minutes
npm run faults -- --long     all of them, again and again: 100,000 acknowledged payments, 200 kills
npm run faults -- --failovers <number>   on a primary with a synchronous standby: so many failovers
                             with --patroni on three servers under Patroni, etcd and HAProxy, where Debian's are installed
npm run faults -- --upgrade               the version before the newest migrations is upgraded to this one, under load
npm run faults -- --control <name>       loses payments on purpose, and must find them lost: ${CONTROLS.join(' or ')}

  --seed <number>       the seed of an earlier run, which each run prints first
  --only <kinds>        ${namesOf(kindsIn('short'))},
                        and of the long form alone: ${namesOf(FAULT_KINDS.filter((kind) => kind.isLongOnly))}
  --write               writes the figures into docs/reliability.md and docs/reliability.json; not with --only

Exit code 1 when an invariant is broken.
`

/** What an extent is where nothing else is said. */
export const COMMON = { quietSecondsMax: 180, acknowledgedMin: 0, killsMin: 0, clients: CLIENTS } as const
const SHORT: Extent = { ...COMMON, phaseSeconds: 6, killPhaseSeconds: 8 }
const LONG: Extent = {
  ...COMMON,
  phaseSeconds: 40,
  killPhaseSeconds: 150,
  clients: 48,
  acknowledgedMin: 100_000,
  killsMin: 200,
}
/** A phase of failovers is checked as a whole, since the books are read through each time. */
const FAILOVER = { ...COMMON, phaseSeconds: 120, killPhaseSeconds: 120 } as const
const UPGRADE: Extent = { ...COMMON, phaseSeconds: 60, killPhaseSeconds: 60 }
const PATRONI = { phaseSeconds: 300, killPhaseSeconds: 300, clients: 80 } as const
const FAILOVERS_MAX = 1_000
/** How many seeds there are. */
export const SEEDS = 2 ** 32

/** Undefined: help is wanted. Throws UsageError. */
export function parseOptions(args: readonly string[]): FaultsOptions | undefined {
  const values = parse(args)
  if (values.help) return undefined
  const seed = values.seed === undefined ? undefined : seedOf(values.seed)
  const other = otherForm(values, seed)
  if (other !== undefined) return other
  const form = values.long ? 'long' : 'short'
  return {
    form,
    extent: values.long ? LONG : SHORT,
    seed,
    kinds: values.only === undefined ? kindsIn(form) : kindsOf(values.only),
    write: values.write && values.only === undefined,
  }
}

/** What is no run through the kinds; undefined where it is one. */
function otherForm(values: Values, seed: number | undefined): FaultsOptions | undefined {
  if (values.control !== undefined) return controlOptions(values.control, seed, values.write)
  if (values.patroni) return onPatroni(failoverOptions(values.failovers, seed, values.write))
  if (values.failovers !== undefined) return failoverOptions(values.failovers, seed, values.write)
  if (values.upgrade) return { form: 'upgrade', extent: UPGRADE, seed, kinds: [upgrade], write: values.write }
  return undefined
}

function controlOptions(text: string, seed: number | undefined, write: boolean): FaultsOptions {
  const control = CONTROLS.find((name) => name === text)
  if (control === undefined)
    throw new UsageError(`--control does not know ${text}; there are ${CONTROLS.join(', ')}.`)
  return { ...failoverOptions('1', seed, write), control }
}

function failoverOptions(text = 'missing', seed?: number, write = false): FaultsOptions {
  const killsMin = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (killsMin < 1 || killsMin > FAILOVERS_MAX)
    throw new UsageError(`--failovers is ${text}; it takes a whole number from 1 to ${FAILOVERS_MAX}.`)
  return { form: 'failover', extent: { ...FAILOVER, killsMin }, seed, kinds: [failover], write }
}

/** As many merchants as ask for some 200 payments a second. */
function onPatroni(options: FaultsOptions): FaultsOptions {
  return { ...options, form: 'patroni', extent: { ...options.extent, ...PATRONI }, kinds: [patroniFailover] }
}

/** The command that does it again. */
export function commandOf({ form, kinds, extent, control }: FaultsOptions, seed: number): string {
  if (control !== undefined) return `npm run faults -- --control ${control} --seed ${seed}`
  if (form === 'failover' || form === 'patroni') {
    const patroni = form === 'patroni' ? ' --patroni' : ''
    return `npm run faults -- --failovers ${extent.killsMin}${patroni} --seed ${seed}`
  }
  if (form === 'upgrade') return `npm run faults -- --upgrade --seed ${seed}`
  const parts = [
    'npm run faults --',
    ...(form === 'long' ? ['--long'] : []),
    ...(namesOf(kinds) === namesOf(kindsIn(form)) ? [] : ['--only', namesOf(kinds)]),
  ]
  return [...parts, '--seed', seed].join(' ')
}

type Values = ReturnType<typeof parse>

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        long: { type: 'boolean', default: false },
        failovers: { type: 'string' },
        patroni: { type: 'boolean', default: false },
        upgrade: { type: 'boolean', default: false },
        control: { type: 'string' },
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

/** Throws UsageError. */
export function seedOf(text: string): number {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (seed < SEEDS) return seed
  throw new UsageError(`--seed is ${text}; it takes a whole number up to ${SEEDS - 1}.`)
}

function kindsOf(text: string): readonly FaultKind[] {
  const names = text.split(',').map((name) => name.trim())
  const known = FAULT_KINDS.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new UsageError(`--only does not know ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  return FAULT_KINDS.filter(({ name }) => names.includes(name))
}
