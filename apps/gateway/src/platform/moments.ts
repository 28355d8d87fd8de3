import { invalidField } from './refusal.ts'

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

/** The moment in a field of a request: a day (its beginning, UTC) or a moment in UTC. Anything else is a 400 that names the field. */
export function momentOf(field: string, text: string): Date
export function momentOf(field: string, text: string | undefined): Date | undefined
export function momentOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = readMoment(text)
  if (moment !== undefined) return moment
  throw invalidField(field, `is not ${A_MOMENT}`)
}

/** The beginning (UTC) of a day whose form the schema has checked; 400 for one that the calendar does not have. */
export function dayOf(field: string, text: string): Date
export function dayOf(field: string, text: string | undefined): Date | undefined
export function dayOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const day = readMoment(text)
  if (day !== undefined) return day
  throw invalidField(field, 'is no day of the calendar')
}
