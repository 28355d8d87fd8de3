/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { setServerClock } from './clock.ts'
import { announce, attribute, chance, elapsedMs, show } from './page.ts'
import { pollDelayMs } from './schedule.ts'

const SILENCE_MAX_MS = 10_000
const POLL_TIMEOUT_MS = 8_000
const POLL_PAUSE_MIN_MS = 1_000
/** However long a server asks to wait, the customer is told within this time. */
const RETRY_AFTER_MAX_SECONDS = 300
const GONE = [401, 403, 404, 410]
const LOOK_EVENT = 'tollgate:look'

/** Asks the live part of the page, if there is one, to look at the payment now. */
export function look(): void {
  document.dispatchEvent(new Event(LOOK_EVENT))
}

/** Where the page looks, what it knows, and what it is waiting with. */
interface Watch {
  readonly element: Element
  source: EventSource | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  polls: number
  errors: number
  /** Polls may overlap: only the last one may plan the next. */
  turn: number
  pollBeganMs: number
  /** Whether the server ever answered: only then does a refusal mean that something has ended. */
  hasHeard: boolean
  isDone: boolean
}

/** `live`: an event stream, polling where that is silent, and nothing at all while nobody looks. */
export function enhanceLive(element: Element): void {
  const watch: Watch = {
    element,
    source: undefined,
    timer: undefined,
    polls: 0,
    errors: 0,
    turn: 0,
    pollBeganMs: Number.NEGATIVE_INFINITY,
    hasHeard: false,
    isDone: false,
  }
  const wake = (): void => {
    if (watch.isDone || document.visibilityState === 'hidden') return
    // Coming back is told by several events at once.
    const isAsking = elapsedMs() - watch.pollBeganMs < POLL_PAUSE_MIN_MS
    if (!isAsking) {
      watch.errors = 0
      void poll(watch)
    }
    if (watch.source === undefined) listen(watch)
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') rest(watch)
    else wake()
  })
  addEventListener('focus', wake)
  addEventListener('online', wake)
  addEventListener('pagehide', () => rest(watch))
  document.addEventListener(LOOK_EVENT, wake)
  if (document.visibilityState !== 'hidden') listen(watch)
}

function rest(watch: Watch): void {
  watch.source?.close()
  watch.source = undefined
  watch.turn += 1
  clearTimeout(watch.timer)
}

function listen(watch: Watch): void {
  const url = attribute(watch.element, 'data-live-events')
  if (watch.isDone || url === '' || typeof EventSource === 'undefined') {
    plan(watch)
    return
  }
  const source = new EventSource(url)
  watch.source = source
  const guard = (): void => after(watch, SILENCE_MAX_MS, () => giveUp(watch))
  source.addEventListener('state', ({ data }) => {
    watch.polls = 0
    guard()
    take(watch, String(data))
  })
  // The browser itself connects again unless the server refused; the guard counts on meanwhile.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) giveUp(watch)
  })
  guard()
}

/** No sign of life from the stream: asking instead, for as long as the page stays in front. */
function giveUp(watch: Watch): void {
  watch.source?.close()
  watch.source = undefined
  plan(watch)
}

function plan(watch: Watch): void {
  if (watch.isDone) return
  after(watch, pollDelayMs(watch.polls, watch.errors, chance()), () => void poll(watch))
  watch.polls += 1
}

function after(watch: Watch, delayMs: number, act: () => void): void {
  clearTimeout(watch.timer)
  watch.timer = setTimeout(act, delayMs)
}

async function poll(watch: Watch): Promise<void> {
  watch.turn += 1
  watch.pollBeganMs = elapsedMs()
  const { turn } = watch
  let retryAfterSeconds = 0
  try {
    const answer = await fetch(attribute(watch.element, 'data-live-poll'), {
      headers: { accept: 'application/json' },
      cache: 'no-store',
      signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
    })
    if (GONE.includes(answer.status)) giveWay(watch)
    const asked = Number(answer.headers.get('retry-after')) || 0
    retryAfterSeconds = Math.min(asked, RETRY_AFTER_MAX_SECONDS)
    if (!answer.ok) throw new Error(String(answer.status))
    take(watch, await answer.text())
    watch.errors = 0
  } catch {
    watch.errors += 1
  }
  if (watch.isDone || watch.source !== undefined || turn !== watch.turn) return
  plan(watch)
  if (retryAfterSeconds > 0) after(watch, retryAfterSeconds * 1000, () => void poll(watch))
}

/** What stream and polling bring: `{"state":"…","now":"…"}`. */
function take(watch: Watch, text: string): void {
  const { state, now } = readState(text)
  watch.hasHeard = true
  if (now !== undefined) setServerClock(now)
  if (state !== undefined && state !== attribute(watch.element, 'data-live-state')) finish(watch)
}

function readState(text: string): { readonly state?: string; readonly now?: string } {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return {}
  return {
    ...('state' in value && typeof value.state === 'string' ? { state: value.state } : {}),
    ...('now' in value && typeof value.now === 'string' ? { now: value.now } : {}),
  }
}

/**
 * The server does not tell this page any more. When it did before, the page is out of date; when it never did (a browser
 * without cookies), a new page would know less than this one.
 */
function giveWay(watch: Watch): void {
  if (watch.hasHeard) finish(watch)
  else {
    watch.isDone = true
    rest(watch)
  }
}

/** The payment has moved on: the page with it, unless something typed would be lost. */
function finish(watch: Watch): void {
  if (watch.isDone) return
  watch.isDone = true
  rest(watch)
  const url = attribute(watch.element, 'data-live-url')
  if (url === '' || new URL(url, location.href).origin !== location.origin) return
  if (!isSomethingTyped()) {
    location.replace(url)
    return
  }
  announce(attribute(watch.element, 'data-live-changed'))
  document.querySelectorAll('[data-live-notice]').forEach(show)
}

function isSomethingTyped(): boolean {
  return [...document.querySelectorAll('input, textarea')].some((field) => {
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
    return field instanceof HTMLInputElement && field.type !== 'hidden' && field.value !== field.defaultValue
  })
}
