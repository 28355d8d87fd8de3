/// <reference lib="dom" />
import { serverNowMs, setServerClock } from './clock.ts'
import { look } from './live.ts'
import { announce, attribute, numberOf, templateText } from './page.ts'
import { clockText, isClockShown, minuteToSpeak } from './schedule.ts'

const CLOCK_TICK_MS = 1_000

/** `countdown`: the time left, by the server's clock. It never declares the end: that is the server's. */
export function enhanceCountdown(element: Element): void {
  const deadlineMs = Date.parse(attribute(element, 'data-deadline'))
  if (Number.isNaN(deadlineMs)) return
  setServerClock(attribute(element, 'data-server-now'))
  const totalSeconds = numberOf(element, 'data-total-seconds')
  let before = Number.POSITIVE_INFINITY
  const tick = (): void => {
    const now = serverNowMs()
    if (now === undefined) return
    const left = Math.max(0, Math.ceil((deadlineMs - now) / 1000))
    showClock(element, left, totalSeconds)
    // At the first tick only the time that is left is known: what has passed already is not spoken of.
    const minutes = Number.isFinite(before) ? minuteToSpeak(before, left) : undefined
    if (left === 0) {
      endCountdown(element)
      clearInterval(timer)
    } else if (minutes !== undefined)
      announce(templateText(element, 'data-countdown-left', { count: minutes }))
    before = left
  }
  const timer = setInterval(tick, CLOCK_TICK_MS)
  tick()
}

function showClock(element: Element, left: number, totalSeconds: number): void {
  const clock = element.querySelector('[data-countdown-clock]')
  if (clock === null) return
  clock.toggleAttribute('hidden', !isClockShown(left, totalSeconds))
  clock.textContent = clockText(left)
}

function endCountdown(element: Element): void {
  const text = attribute(element, 'data-countdown-over')
  element.textContent = text
  announce(text)
  look()
}
