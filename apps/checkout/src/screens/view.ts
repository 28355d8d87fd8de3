import { CURRENCIES_ISO_4217, compareAmounts, parseAmount } from '@tollgate/money'
import { type Html, html } from '@tollgate/runtime/html'
import { formatMoment, formatMoney, formatTime, type MessageKey, type Texts } from '../messages/index.ts'
import type { Shop } from '../records.ts'

/** What every screen is drawn with. */
export interface View {
  readonly texts: Texts
  /** The address of this payment's page, as a path; empty where there is no payment. */
  readonly base: string
  /** Which of the payment's screens the address asks for; changing the language or trying again keeps to it. */
  readonly step?: 'method' | 'operator' | 'reference' | undefined
  /** Goes into every form. */
  readonly formToken: string
  readonly mode: 'PAY' | 'STATUS'
  readonly isSandbox: boolean
  readonly nowMs: number
  readonly shop: Shop | undefined
  readonly logo?: ShownLogo | undefined
  readonly money: WrittenMoney | undefined
  readonly idPayin: string | undefined
  /** The shop's address, once it may be shown. */
  readonly returnUrl: URL | undefined
  /** Whether there is something to choose; a step that the shop has taken is none of the customer's. */
  readonly hasChoice: boolean
  /** The public address of this page. */
  readonly pageUrl: string
  /** The image of a code that opens this payment on another device; for a payment that is open. */
  readonly phoneCode?: string | undefined
  /** How often this page has tried in vain to reach the gateway. */
  readonly tries?: number
}

/** The shop's logo, as a browser finds it at this page. */
export interface ShownLogo {
  readonly src: string
  /** In pixels. */
  readonly width: number
  readonly height: number
}

export interface WrittenMoney {
  readonly amount: string
  readonly currencyCode: string
}

/** What became of it: done, refused, under way, given back, or over without either. */
type Icon = 'good' | 'bad' | 'wait' | 'back' | 'over'

/** What a screen is made of; the frame puts it on the page. */
export interface Page {
  readonly status?: number
  /** Of the tab; without it, the heading. */
  readonly tab?: string
  readonly heading: string
  readonly content: Html
  /** With what is paid, once that is chosen; the frame shows it beside the order. */
  readonly method?: Html | string
  /** The page is asked for again after so long, where there is no script. */
  readonly refreshSeconds?: number
  /** … under this address; the page's own unless given. */
  readonly refreshUrl?: string
  /** Follows the payment: the state that this screen shows. */
  readonly live?: string
  /** The error summary has the focus, not the heading. */
  readonly isFaulty?: boolean
  readonly icon?: Icon
  readonly retryAfterSeconds?: number
  /** For developers, under the content. */
  readonly panel?: Html
}

/** The zone of times that a server shows to people whose own it does not know; the zone is always written beside. */
const TIME_ZONE = 'UTC'

/** The address of the screen, with a parameter. */
export const addressWith = ({ base, step }: Pick<View, 'base' | 'step'>, parameter: string): string =>
  `${base}?${step === undefined ? '' : `step=${step}&`}${parameter}`

export const moneyText = ({ texts }: View, money: WrittenMoney): string => formatMoney(texts.language, money)
export const amountText = (view: View): string =>
  view.money === undefined ? '' : moneyText(view, view.money)

/** Date, time and zone. The script tells it in the customer's own zone. */
export const momentTag = ({ texts }: View, iso: string): Html =>
  html`<time datetime="${iso}" data-enhance="local-time" data-local-time="moment">${formatMoment(texts.language, new Date(iso), TIME_ZONE)}</time>`
/** The time of the day and its zone, in the same way. */
export const timeTag = ({ texts }: View, iso: string): Html =>
  html`<time datetime="${iso}" data-enhance="local-time" data-local-time="time">${formatTime(texts.language, new Date(iso), TIME_ZONE)} ${TIME_ZONE}</time>`

const MARK = '\u0001'

/** A text with a piece of HTML in place of its one argument. */
export function sayAround({ texts }: View, key: MessageKey, name: string, piece: Html): Html {
  const [before = '', after = ''] = texts.say(key, { [name]: MARK }).split(MARK)
  return html`${before}${piece}${after}`
}

/** The amount as a machine wants it: all decimals of the currency, a point, nothing else. */
export function plainAmount({ amount, currencyCode }: WrittenMoney): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const decimals = CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? 0
  const padded = fraction.padEnd(decimals, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** Whether it is as much as the other, in the same currency. */
export function isAtLeast(one: WrittenMoney, other: WrittenMoney): boolean {
  const [amount, atLeast] = [parseAmount(one.amount), parseAmount(other.amount)]
  const isComparable = one.currencyCode === other.currencyCode
  return isComparable && amount !== undefined && atLeast !== undefined && compareAmounts(amount, atLeast) >= 0
}
