import type { Random } from '../../rig/random.ts'
import type { Cell } from './cell.ts'
import type { Timeline } from './timeline.ts'

/** Payments that come by chance (Poisson): so many a second in the mean, whatever becomes of those before. */
export function arrive(
  timeline: Timeline,
  random: Random,
  { perSecond, act }: { readonly perSecond: number; readonly act: () => void },
): void {
  const next = (): void => {
    const pauseMs = (-Math.log(1 - random.share()) * 1000) / perSecond
    timeline.after(pauseMs, () => {
      act()
      next()
    })
  }
  next()
}

/** What `npm run bench` looks at: the answer to a create, or the callback at the end of a payment. */
export type End = 'ANSWER' | 'CALLBACK'

/** As many as `clients` at a time, each of which begins the next payment when its last one has come to the end that is looked at. */
export function keepBusy(
  timeline: Timeline,
  cell: Cell,
  {
    clients,
    end,
    onEnd,
  }: { readonly clients: number; readonly end: End; readonly onEnd: (ms: number) => void },
): void {
  const next = (): void => {
    const fromMs = timeline.nowMs()
    const ended = (): void => {
      onEnd(timeline.nowMs() - fromMs)
      next()
    }
    if (end === 'CALLBACK') cell.create(() => undefined, ended)
    else cell.create(ended)
  }
  for (let client = 0; client < clients; client += 1) next()
}

/** The value that the share of them does not exceed; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
