/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { interpolate } from '../../messages/interpolate.ts'
import type { Message, MessageArgs, PluralForms } from '../../messages/message.ts'

const ANNOUNCE_DELAY_MS = 100
const INTERRUPT_EVENT = 'tollgate:interrupt'

/** An attribute, or nothing. */
export function attribute(element: Element, name: string): string {
  return element.getAttribute(name) ?? ''
}

/** A number in an attribute; 0 where there is none. */
export function numberOf(element: Element, name: string): number {
  const value = Number(attribute(element, name))
  return Number.isFinite(value) ? value : 0
}

/** The text of an attribute that holds JSON as `texts.template` writes it, with its arguments. */
export function templateText(element: Element, name: string, args: MessageArgs): string {
  return interpolate(document.documentElement.lang, readMessage(attribute(element, name)), args)
}

function readMessage(source: string): Message {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return source
  }
  return isPluralForms(value) ? value : String(value)
}

function isPluralForms(value: unknown): value is PluralForms {
  return typeof value === 'object' && value !== null && 'other' in value
}

/** Says something to those who do not see the page. The same words twice are said twice. */
export function announce(text: string): void {
  const region = document.querySelector('[data-announcer]')
  if (region === null || text === '') return
  region.textContent = ''
  setTimeout(() => {
    region.textContent = text
  }, ANNOUNCE_DELAY_MS)
}

export function show(element: Element | null): void {
  element?.removeAttribute('hidden')
}

export function hide(element: Element | null): void {
  element?.setAttribute('hidden', '')
}

/** The element with this id; null where there is none. */
export function byId(id: string): HTMLElement | null {
  return id === '' ? null : document.getElementById(id)
}

/** Milliseconds since the page was begun; a clock that nobody sets. */
export function elapsedMs(): number {
  return performance.now()
}

/** Evenly from 0 to 1. */
export function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

/** The customer does something that must not be interrupted by the page's going on. */
export function interrupt(): void {
  document.dispatchEvent(new Event(INTERRUPT_EVENT))
}

export function onInterrupt(act: () => void): void {
  document.addEventListener(INTERRUPT_EVENT, act)
}
