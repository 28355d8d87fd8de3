/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import {
  announce,
  attribute,
  byId,
  elapsedMs,
  interrupt,
  numberOf,
  onInterrupt,
  show,
  templateText,
} from './page.ts'

const SUBMIT_PAUSE_MS = 15_000
const NO_APP_AFTER_MS = 2_000
const PROCEED_TICK_MS = 1_000
const LEFT = 'left'

/** `single-submit`: the second of two clicks does nothing. The button keeps its name and value, so it is not disabled. */
export function enhanceSingleSubmit(form: Element): void {
  let sentMs = Number.NEGATIVE_INFINITY
  form.addEventListener('submit', (event) => {
    if (elapsedMs() - sentMs < SUBMIT_PAUSE_MS) {
      event.preventDefault()
      return
    }
    sentMs = elapsedMs()
    interrupt()
    const button = event instanceof SubmitEvent ? event.submitter : null
    button?.setAttribute('aria-disabled', 'true')
    announce(attribute(form, 'data-submitting'))
    setTimeout(() => button?.removeAttribute('aria-disabled'), SUBMIT_PAUSE_MS)
  })
}

/** `offline`: a banner while there is no network. */
export function enhanceOffline(banner: Element): void {
  const update = (): void => {
    banner.toggleAttribute('hidden', navigator.onLine)
    if (!navigator.onLine) announce(banner.textContent)
  }
  addEventListener('offline', update)
  addEventListener('online', () => {
    update()
    announce(attribute(banner, 'data-offline-back'))
  })
  update()
}

/**
 * Whether a link leads away from here, and has done so already: who comes back by the history would be sent away again and
 * again. The entry of the history is marked, so that it is known after a reload, too.
 */
function hasLeft(link: HTMLElement): boolean {
  if (!(link instanceof HTMLAnchorElement) || link.origin === location.origin) return false
  const [entry] = performance.getEntriesByType('navigation')
  const isBack = entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward'
  if (isBack || history.state === LEFT) return true
  link.addEventListener('click', () => history.replaceState(LEFT, ''))
  return false
}

/** `proceed`: clicks a link after some seconds, unless somebody minds. */
export function enhanceProceed(element: Element): void {
  const link = byId(attribute(element, 'data-proceed-link'))
  if (link === null || matchMedia('(prefers-reduced-motion: reduce)').matches || hasLeft(link)) return
  let left = numberOf(element, 'data-proceed-seconds')
  const count = element.querySelector('[data-proceed-count]')
  const text = (): string => templateText(element, 'data-proceed-text', { count: left })
  const stop = (): void => {
    clearInterval(timer)
    element.remove()
  }
  const tick = (): void => {
    if (document.visibilityState === 'hidden') return
    if (left <= 0) {
      clearInterval(timer)
      link.click()
      return
    }
    if (count !== null) count.textContent = text()
    left -= 1
  }
  const timer = setInterval(tick, PROCEED_TICK_MS)
  element.querySelector('[data-proceed-stop]')?.addEventListener('click', () => {
    stop()
    link.focus()
  })
  onInterrupt(stop)
  show(element)
  announce(text())
  tick()
}

/** `share`: only where the browser can. */
export function enhanceShare(button: Element): void {
  if (!('share' in navigator)) return
  button.addEventListener('click', () => {
    interrupt()
    // What is empty is left out: an empty address would be that of this page.
    const given = ['url', 'title', 'text']
      .map((name) => [name, attribute(button, `data-share-${name}`)] as const)
      .filter(([, value]) => value !== '')
    // Rejected when the customer changes their mind: nothing to say then.
    navigator.share(Object.fromEntries(given)).catch(() => undefined)
  })
  show(button)
}

/** `print` */
export function enhancePrint(button: Element): void {
  button.addEventListener('click', () => {
    interrupt()
    print()
  })
  addEventListener('beforeprint', interrupt)
  show(button)
}

/** `app-link`: a browser does not tell that no app has taken a link; that the page is still in front does. */
export function enhanceAppLink(link: Element): void {
  link.addEventListener('click', () => {
    let isGone = false
    const leave = (): void => {
      isGone = true
    }
    document.addEventListener('visibilitychange', leave, { once: true })
    setTimeout(() => {
      document.removeEventListener('visibilitychange', leave)
      const hint = byId(attribute(link, 'data-app-hint'))
      if (hint === null || isGone || document.visibilityState === 'hidden') return
      show(hint)
      announce(hint.textContent)
    }, NO_APP_AFTER_MS)
  })
}

/** Out of the back/forward cache comes a page that may be long out of date, with forms that are already sent. */
export function reloadWhenRestored(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}
