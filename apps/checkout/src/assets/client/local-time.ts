/// <reference lib="dom" />
import { attribute } from './page.ts'

const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }
const MOMENT: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', ...TIME }

/** `local-time`: a time in the customer's own zone, and in the same form in which the server wrote it in its own. */
export function enhanceLocalTime(element: Element): void {
  const date = new Date(attribute(element, 'datetime'))
  if (Number.isNaN(date.getTime())) return
  const form = attribute(element, 'data-local-time') === 'time' ? TIME : MOMENT
  element.textContent = new Intl.DateTimeFormat(dateLocale(), form).format(date)
}

/** English dates are British, unless the browser speaks another English. */
function dateLocale(): string {
  const { lang } = document.documentElement
  if (lang !== 'en') return lang
  return navigator.languages.find((tag) => tag.startsWith('en-')) ?? 'en-GB'
}
