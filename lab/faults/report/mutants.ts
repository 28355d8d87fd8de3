import { at } from '@tollgate/testkit'
import { figure } from '../../rig/table.ts'

/** A gateway that was broken on purpose, and what noticed. */
export interface MutantResult {
  readonly name: string
  readonly title: string
  /** What it ran under. */
  readonly under: string
  /** The invariant that had to be broken. */
  readonly mustBreak: string
  /** All that were found broken. */
  readonly broken: readonly string[]
  readonly isCaught: boolean
  /** What the invariant's first finding says; empty when it held. */
  readonly says: string
  readonly seconds: number
}

/** A run of mutants, as docs/reliability.json has it. */
export interface MutantResults {
  readonly takenOn: string
  readonly command: string
  readonly seed: number
  readonly minutes: number
  readonly mutants: readonly MutantResult[]
}

/** A line of the page. */
export function mutantItem({ name, title, under, ...result }: MutantResult): string {
  const { mustBreak, broken, isCaught, seconds } = result
  const others = broken.filter((invariant) => invariant !== mustBreak)
  const caught = `Caught by ${[`**${mustBreak}**`, ...others].join(', ')} in ${figure(seconds)} s`
  return `- \`${name}\`: ${title}. Under: ${under}. ${isCaught ? caught : '**Not caught**'}.`
}

/** Of each group of `npm run mutation`, how many percent of the changed lines its tests noticed. */
export function scoresIn(results: object): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(results).flatMap(([name, result]) => {
      const score = at(result, 'score')
      return typeof score === 'number' ? [[name, score]] : []
    }),
  )
}
