const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?Z$/

/** What `readMoment` reads, in words for whoever typed something else. */
export const A_MOMENT = 'a day such as 2026-11-20, or a moment in UTC such as 2026-11-20T14:00:00Z'

/** Whether a text has the form of a day. */
export const isDay = (text: string): boolean => DAY.test(text)

/** A day as its beginning (UTC), or a moment in UTC, to the millisecond; undefined for anything else, and for no day of the calendar. */
export function readMoment(text: string): Date | undefined {
  if (!DAY.test(text) && !MOMENT.test(text)) return undefined
  const date = new Date(text)
  // The 30th of February must not become the 2nd of March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text.slice(0, 10))) return undefined
  return date
}
