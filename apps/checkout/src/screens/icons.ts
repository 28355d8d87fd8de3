import { type Html, html } from '@tollgate/runtime/html'

// Drawn here, for kinds of payment and for nobody's brand: a house with columns, a purse, a slip of paper. Lines in the
// colour of the text around them (.icon of the stylesheet).

const ICONS = {
  bank: html`<path d="M3 10l9-6 9 6zM4 20h16M6 10v7m4-7v7m4-7v7m4-7v7"/>`,
  screen: html`<path d="M3 5h18v12H3zM8 21h8m-4-4v4m-4-10l3 3 5-5"/>`,
  wallet: html`<path d="M20 8V5H5a2 2 0 000 4h15v11H5a2 2 0 01-2-2V7m17 5h-4a2 2 0 000 4h4"/>`,
  code: html`<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2m4-2v2m-6 4h2m4-2v2m-3-2h1"/>`,
  slip: html`<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6m-6 4h6"/>`,
  coin: html`<circle cx="12" cy="12" r="9"/><path d="M12 7l4 2.5v5L12 17l-4-2.5v-5z"/>`,
  card: html`<path d="M3 6h18v12H3zM3 10h18M7 14h4"/>`,
  phone: html`<path d="M7 3h10v18H7zM11 18h2"/>`,
} as const
type IconName = keyof typeof ICONS

const BY_METHOD: readonly (readonly [RegExp, IconName])[] = [
  [/OFFLINE|VOUCHER|CASH/, 'slip'],
  [/CARD/, 'card'],
  [/MOBILE|PHONE|CARRIER/, 'phone'],
  [/WALLET/, 'wallet'],
  [/CRYPTO|COIN|USD[CT]|EURC/, 'coin'],
  [/ONLINE/, 'screen'],
  [/TRANSFER|BANK/, 'bank'],
]
const BY_FLOW: ReadonlyMap<string, IconName> = new Map([
  ['REDIRECT', 'screen'],
  ['INSTRUCTIONS', 'bank'],
  ['QR', 'code'],
  ['REFERENCE', 'slip'],
])

/** The icon of a method: by its code where that says enough, else by how it is paid. The name always stands beside it. */
export function methodIcon(code: string, flow: string): Html {
  const named = BY_METHOD.find(([pattern]) => pattern.test(code))?.[1]
  const icon = ICONS[named ?? BY_FLOW.get(flow) ?? 'bank']
  return html`<svg class="choice__logo icon" viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>`
}

const SIGNS = {
  good: html`<path d="M3.3 8.6l3.1 3 6.3-7"/>`,
  bad: html`<path d="M8 4.5v4.2M8 11.4v.1"/>`,
  over: html`<path d="M13.5 8a5.5 5.5 0 11-11 0 5.5 5.5 0 0111 0zM8 4.8V8l2.2 1.4"/>`,
  back: html`<path d="M6 4L2.8 7.2 6 10.4M3 7.2h6.4a3.3 3.3 0 010 6.6H7"/>`,
  lock: html`<path d="M4.4 7h7.2a1 1 0 011 1v4.5a1 1 0 01-1 1H4.4a1 1 0 01-1-1V8a1 1 0 011-1zM5.3 7V5.2a2.7 2.7 0 015.4 0V7"/>`,
  language: html`<path d="M13.5 8a5.5 5.5 0 11-11 0 5.5 5.5 0 0111 0zM2.6 8h10.8M8 2.5c1.9 1.6 2.7 3.4 2.7 5.5S9.9 11.9 8 13.5C6.1 11.9 5.3 10.1 5.3 8S6.1 4.1 8 2.5"/>`,
} as const

/** A small sign; words beside it, or its place, say the same. */
export const sign = (name: keyof typeof SIGNS): Html =>
  html`<svg class="sign icon" viewBox="0 0 16 16" aria-hidden="true">${SIGNS[name]}</svg>`

/** How many colours of tiles the stylesheet has. */
export const TILES = 8
const WORDS_MAX = 2
const IDEOGRAPH = /^\p{Script=Han}|^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** In place of a logo: the first letters of a name, in a colour that always is the same for a code. */
export function monogramTile(code: string, name: string): Html {
  const numbers = Array.from(code, (letter) => letter.codePointAt(0) ?? 0)
  const tile = numbers.reduce((sum, number) => (sum * 31 + number) % 65_521, 7) % TILES
  return html`<span class="choice__logo monogram tile-${tile}" aria-hidden="true">${monogramOf(name)}</span>`
}

function monogramOf(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  const firsts = words.map((word) => [...letters.segment(word)][0]?.segment ?? '')
  const count = IDEOGRAPH.test(firsts[0] ?? '') ? 1 : WORDS_MAX
  return firsts.slice(0, count).join('').toUpperCase()
}
