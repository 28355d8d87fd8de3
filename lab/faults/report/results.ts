import type { Machine } from '../../rig/machine.ts'
import { figure, type Row } from '../../rig/table.ts'
import { COMPONENTS } from '../setup/kills.ts'
import type { Durations, Figures } from './figures.ts'

/** What was done and seen while one kind of fault struck. */
export interface Phase {
  readonly name: string
  readonly title: string
  readonly strikes: number
  readonly acknowledged: number
  readonly unknown: number
  /** From the last payment until nothing was under way any more. */
  readonly quietSeconds: number
}

/** A kind of fault that could not be had on the machine. */
export interface Skipped {
  readonly name: string
  readonly title: string
  readonly reason: string
}

/** A run in which every invariant held, as docs/reliability.json has it. */
export interface Results {
  readonly takenOn: string
  readonly command: string
  readonly seed: number
  readonly minutes: number
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly database: Readonly<Record<string, string>>
  readonly phases: readonly Phase[]
  readonly skipped: readonly Skipped[]
  readonly figures: Figures
}

/** A gateway that had to lose payments, and did. */
export interface ControlResults {
  readonly takenOn: string
  readonly command: string
  readonly seed: number
  /** Acknowledged payments that were found lost. */
  readonly lost: number
}

export const PHASE_HEAD: Row = ['fault', 'strikes', 'acknowledged', 'unknown', 'quiet after s']

/** One row for each kind; the phases of a long run that have the same kind are put together. */
export function phaseRows(phases: readonly Phase[]): readonly Row[] {
  const names = [...new Set(phases.map(({ name }) => name))]
  return names.map((name) => {
    const same = phases.filter((phase) => phase.name === name)
    const sum = (of: (phase: Phase) => number): string =>
      figure(same.reduce((total, phase) => total + of(phase), 0)).replace(/[.]0+$/, '')
    return [
      same[0]?.title ?? name,
      sum(({ strikes }) => strikes),
      sum(({ acknowledged }) => acknowledged),
      sum(({ unknown }) => unknown),
      figure(Math.max(...same.map(({ quietSeconds }) => quietSeconds))),
    ]
  })
}

export const FIGURE_HEAD: Row = ['figure', 'value']

export function figureRows({ figures }: Pick<Results, 'figures'>): readonly Row[] {
  const { recovery, callbacks } = figures
  const killed = COMPONENTS.filter((component) => figures.kills[component] > 0)
  const kills = killed.map((component) => `${component} ${figures.kills[component]}`).join(', ')
  return [
    ['payments acknowledged', count(figures.acknowledged)],
    ['of these lost', count(figures.lost)],
    ['doubled: accepted, booked or executed twice', count(figures.doubled)],
    ['payouts held for people to decide: handed over, perhaps, and not executed', count(figures.forPeople)],
    ['requests', count(figures.requests)],
    ['requests whose outcome the merchant could not know', count(figures.unknown)],
    ['payments decided by asking again with the same id', count(figures.decidedByAsking)],
    ['kills', kills || 'none'],
    ...COMPONENTS.flatMap((component) => {
      const durations = recovery[component]
      const end = component === 'frozen primary' ? 'left' : 'killed'
      const title = `${component} ${end}, to the first 201: median, p99, max`
      return durations === undefined ? [] : [[title, durationText(durations)]]
    }),
    ['callbacks: changes told', count(callbacks.events)],
    ['calls at receivers', count(callbacks.arrivals)],
    ['calls after a 200, of workers that could not write it down', count(callbacks.afterAccepted)],
    ...(callbacks.lateness === null
      ? []
      : [['first call after the change: median, p99, max', durationText(callbacks.lateness)]]),
    ...Object.entries(figures.notes)
      .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([name, value]) => [name, figure(value).replace(/[.]0+$/, '')]),
  ]
}

const count = (value: number): string => value.toLocaleString('en-US')

function durationText({ medianMs, p99Ms, maxMs }: Durations): string {
  return `${[medianMs, p99Ms, maxMs].map((ms) => figure(ms / 1000)).join(', ')} s`
}
