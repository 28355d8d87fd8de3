const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/
const MS_PER_DAY = 86_400_000

/** Reads `2026-11-20` as the beginning of the day (UTC), or a moment such as `2026-11-20T14:00:00Z`; else undefined. */
export function readMoment(text: string): Date | undefined {
  if (!DAY.test(text) && !MOMENT.test(text)) return undefined
  const date = new Date(text)
  // The 30th of February must not become the 2nd of March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text.slice(0, 10))) return undefined
  return date
}

/** The moment that is meant when a day or a moment is asked for: of a day its end, of today now. */
export function readAskedMs(text: string, nowMs: number): number | undefined {
  const date = readMoment(text)
  if (date === undefined) return undefined
  const startMs = date.getTime()
  if (!DAY.test(text)) return startMs
  const endMs = startMs + MS_PER_DAY - 1
  return startMs <= nowMs && nowMs <= endMs ? nowMs : endMs
}
