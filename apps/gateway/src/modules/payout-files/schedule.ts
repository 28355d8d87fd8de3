import { isBankDay, localMoment } from '../bank-accounts/index.ts'

/** When files are made without anybody asking. */
export interface FileSchedule {
  /** Times of a day such as `08:30`, in order, by currency. */
  readonly times: ReadonlyMap<string, readonly string[]>
  /** In which the times are meant: a name of the IANA. */
  readonly zone: string
}

/** Whoever makes a file by it, in place of an operator. */
export const SCHEDULE_ACTOR = 'schedule'

/** Of `EUR=08:30,EUR=13:00,CZK=10:00`, which the settings have checked. */
export function readSchedule(text: string, zone: string): FileSchedule {
  const pairs = text.split(',').filter((pair) => pair !== '')
  const times = new Map<string, readonly string[]>()
  for (const pair of pairs) {
    const [currencyCode = '', time = ''] = pair.split('=')
    times.set(currencyCode, [...(times.get(currencyCode) ?? []), time].toSorted())
  }
  return { times, zone }
}

/** What a machine that was away makes up for; after that, people decide. */
const LATE_MINUTES_MAX = 120

/** When the files of a currency are to be made, and of what. */
export interface Turn {
  /** Such as `2026-11-27 08:30`. */
  readonly at: string
  /** Banks do not work on the day: only what goes at once can go. */
  readonly isInstantOnly: boolean
}

/** The turn of the currency that is to be made by now: the latest of the day, two hours old at most; undefined for none. */
export function dueTurn(
  { times, zone }: FileSchedule,
  currencyCode: string,
  nowMs: number,
): Turn | undefined {
  const now = localMoment(nowMs, zone)
  const time = times.get(currencyCode)?.findLast((each) => each <= now.time)
  if (time === undefined || minutesOf(now.time) - minutesOf(time) > LATE_MINUTES_MAX) return undefined
  return { at: `${now.day} ${time}`, isInstantOnly: !isBankDay(now.day, currencyCode) }
}

/** Whether something of that moment belongs to the turn. */
export function isSince({ zone }: FileSchedule, { at }: Turn, moment: Date): boolean {
  const { day, time } = localMoment(moment.getTime(), zone)
  return `${day} ${time}` >= at
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
