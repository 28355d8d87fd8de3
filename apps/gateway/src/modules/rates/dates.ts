import { isDay, momentOf } from '../../platform/moments.ts'

const MS_PER_DAY = 86_400_000

/** The moment that is meant when a sheet is asked for by `date`: of a day its end, of today now. Anything else is a 400. */
export function readAskedMs(text: string, nowMs: number): number {
  const startMs = momentOf('date', text).getTime()
  if (!isDay(text)) return startMs
  const endMs = startMs + MS_PER_DAY - 1
  return startMs <= nowMs && nowMs <= endMs ? nowMs : endMs
}
