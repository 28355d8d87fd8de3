import { executionDay } from '../bank-accounts/index.ts'

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

/**
 * The turn of the currency that is to be made by now, such as `2026-11-27 08:30`: the latest of the day, two hours old at most.
 * Undefined when there is none, and on days on which banks do not work.
 */
export function dueTurn(
  { times, zone }: FileSchedule,
  currencyCode: string,
  nowMs: number,
): string | undefined {
  const now = localText(nowMs, zone)
  const day = now.slice(0, DAY_LENGTH)
  if (executionDay(new Date(`${day}T12:00:00Z`), currencyCode) !== day) return undefined
  const time = times.get(currencyCode)?.findLast((each) => `${day} ${each}` <= now)
  if (time === undefined || minutesOf(now.slice(DAY_LENGTH + 1)) - minutesOf(time) > LATE_MINUTES_MAX)
    return undefined
  return `${day} ${time}`
}

/** Whether something of that moment belongs to the turn. */
export const isSince = ({ zone }: FileSchedule, turn: string, moment: Date): boolean =>
  localText(moment.getTime(), zone) >= turn

const DAY_LENGTH = 10

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** `2026-11-27 08:30` as clocks in the zone show it. */
function localText(ms: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit' },
    ...{ day: '2-digit', hour: '2-digit', minute: '2-digit' },
  }).formatToParts(ms)
  const of = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}`
}
