import { A_MOMENT, readMoment } from '../platform/moments.ts'
import { invalidField } from '../platform/refusal.ts'

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
