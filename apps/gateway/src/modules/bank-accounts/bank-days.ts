const DAY_MS = 86_400_000
const SATURDAY = 6
const SUNDAY = 0

/**
 * The day on which a bank is asked to move the money: the day of the file, or the next one on which banks work. Never a weekend,
 * and in EUR never a day on which TARGET, through which euros move between banks, is closed.
 */
export function executionDay(createdAt: Date, currencyCode: string): string {
  let day = Date.UTC(createdAt.getUTCFullYear(), createdAt.getUTCMonth(), createdAt.getUTCDate())
  while (isWeekend(day) || (currencyCode === 'EUR' && isTargetHoliday(day))) day += DAY_MS
  return new Date(day).toISOString().slice(0, 10)
}

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
  if (FIXED_HOLIDAYS.has(date.toISOString().slice(5, 10))) return true
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
