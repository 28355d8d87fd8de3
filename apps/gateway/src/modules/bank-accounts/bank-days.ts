const DAY_MS = 86_400_000
const DAY_LENGTH = 10
const SATURDAY = 6
const SUNDAY = 0

/** By which clocks banks are met, and until when they take what moves on the same day. */
export interface BankDays {
  /** A name of the IANA. */
  readonly zone: string
  /** A time of a day such as `15:30`, by currency. */
  readonly cutOffs: ReadonlyMap<string, string>
}

/** Where nothing is said of clocks and cut-off times. */
export const IN_UTC: BankDays = { zone: 'UTC', cutOffs: new Map() }

/** Of `EUR=15:30,CZK=11:00`, which the settings have checked. */
export function readBankDays(cutOffs: string, zone: string): BankDays {
  const pairs = cutOffs.split(',').filter((pair) => pair !== '')
  return {
    zone,
    cutOffs: new Map(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  }
}

/**
 * The day on which a bank is asked to move the money: the day of the file, or the next one on which banks work. Never a weekend,
 * and in EUR never a day on which TARGET, through which euros move between banks, is closed. From its cut-off time on, a bank
 * moves nothing on the same day any more.
 */
export function executionDay(createdAt: Date, currencyCode: string, { zone, cutOffs } = IN_UTC): string {
  const { day: today, time } = localMoment(createdAt.getTime(), zone)
  const cutOff = cutOffs.get(currencyCode)
  let day = cutOff !== undefined && time >= cutOff ? dayAfter(today) : today
  while (!isBankDay(day, currencyCode)) day = dayAfter(day)
  return day
}

/** Whether banks move money of the currency on a day such as `2026-11-27`. */
export function isBankDay(day: string, currencyCode: string): boolean {
  const midnight = Date.parse(day)
  return !isWeekend(midnight) && !(currencyCode === 'EUR' && isTargetHoliday(midnight))
}

/** `2026-11-27` and `08:30`, as clocks in the zone show it. */
export function localMoment(ms: number, zone: string): { readonly day: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(ms)
  const of = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? ''
  return { day: `${of('year')}-${of('month')}-${of('day')}`, time: `${of('hour')}:${of('minute')}` }
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, DAY_LENGTH)

function isWeekend(day: number): boolean {
  const weekday = new Date(day).getUTCDay()
  return weekday === SATURDAY || weekday === SUNDAY
}

/** Days on which TARGET is closed every year, as month and day. */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set(['01-01', '05-01', '12-25', '12-26'])
/** Good Friday and Easter Monday, in days from Easter Sunday. */
const EASTER_HOLIDAYS = [-2, 1] as const

/** The calendar of the European Central Bank, the same since 2002. */
function isTargetHoliday(day: number): boolean {
  const date = new Date(day)
  if (FIXED_HOLIDAYS.has(date.toISOString().slice(5, DAY_LENGTH))) return true
  const easter = easterOf(date.getUTCFullYear())
  return EASTER_HOLIDAYS.some((days) => easter + days * DAY_MS === day)
}

/** Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher. */
function easterOf(year: number): number {
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100]
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}
