/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { readScreen } from './keys.ts'
import { every, offerCopying } from './main.ts'

// A payment that is looked at is followed: the stream says that there is something new, and the screen is asked for again.

const RETRY_MS = 1_000
const RETRY_MAX_MS = 60_000

/** Twice as long after every failure, and never at the same moment as everybody else. */
const pauseAfter = (failures: number): number =>
  Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** failures) *
  (0.5 + (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 512)

const statusNow = (screen: Document): string => screen.querySelector('.hero .chip')?.textContent ?? ''

/** Somebody's work in it must not be lost: the focus, or what was typed. */
const isInUse = (part: HTMLElement): boolean =>
  part.contains(document.activeElement) ||
  [...every<HTMLInputElement>('input', part)].some(({ value, defaultValue }) => value !== defaultValue)

/** Puts the new parts of a screen in place of the old ones; false where one is in use and waits. */
function replaceParts(fresh: Document): boolean {
  for (const symbol of every('.sprite symbol', fresh))
    if (document.getElementById(symbol.id) === null)
      document.querySelector('.sprite defs')?.append(document.adoptNode(symbol))
  let isDone = true
  for (const part of every('[data-live-part]')) {
    const next = fresh.querySelector<HTMLElement>(`[data-live-part="${part.dataset['livePart'] ?? ''}"]`)
    if (next === null) continue
    if (isInUse(part)) {
      isDone = false
      continue
    }
    part.replaceWith(document.adoptNode(next))
    for (const button of every<HTMLButtonElement>('button[data-copy]', next)) offerCopying(button)
  }
  return isDone
}

function followPayment(sign: HTMLElement): void {
  const says = document.querySelector('[data-live-says]')
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isWaiting = false
  let isOver = false
  let status = statusNow(document)
  const say = (words: string): void => {
    sign.textContent = words
  }
  const close = (): void => {
    clearTimeout(timer)
    stream?.close()
  }
  const end = (): void => {
    isOver = true
    close()
    say('Not followed any more')
  }
  const take = (fresh: Document | null): void => {
    const next = fresh?.querySelector<HTMLElement>('[data-live]')
    if (fresh === null || !next) return
    sign.dataset['version'] = next.dataset['version'] ?? ''
    const now = statusNow(fresh)
    isWaiting = !replaceParts(fresh)
    if (now !== status && says !== null) says.textContent = `Status: ${now}`
    status = now
  }
  let reading: XMLHttpRequest | undefined
  const read = (): void => {
    reading?.abort()
    reading = readScreen(location.href, take, true)
  }
  const open = (): void => {
    close()
    if (document.hidden || isOver) return
    stream = new EventSource(`${sign.dataset['live'] ?? ''}?seen=${sign.dataset['version'] ?? ''}`)
    stream.addEventListener('open', () => {
      failures = 0
      say('Live')
    })
    stream.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      if (data !== sign.dataset['version']) read()
    })
    stream.addEventListener('over', end)
    stream.addEventListener('error', () => {
      close()
      say('Reconnecting')
      timer = setTimeout(open, pauseAfter(failures))
      failures += 1
    })
  }
  sign.hidden = false
  open()
  // Tabs that nobody looks at hold no stream.
  document.addEventListener('visibilitychange', open)
  addEventListener('pagehide', close)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) open()
  })
  // What waited for somebody to finish.
  document.addEventListener('focusout', () => {
    if (isWaiting && !isOver) setTimeout(read)
  })
}

for (const sign of every('[data-live]')) followPayment(sign)
