import { CURRENCIES_ISO_4217 } from '@tollgate/money'
import type { Html } from '../html.ts'
import { formatDay, formatMoment, formatMoney, formatTime, type Texts } from '../messages/index.ts'
import type { Shop } from '../records.ts'

/** What every screen is drawn with. */
export interface View {
  readonly texts: Texts
  /** The address of this payment's page, as a path; empty where there is no payment. */
  readonly base: string
  /** Goes into every form. */
  readonly formToken: string
  readonly mode: 'PAY' | 'STATUS'
  readonly isSandbox: boolean
  readonly nowMs: number
  readonly shop: Shop | undefined
  readonly money: WrittenMoney | undefined
  readonly idPayin: string | undefined
  /** The shop's address, once it may be shown. */
  readonly returnUrl: URL | undefined
  /** Whether there is something to choose; a step that the shop has taken is none of the customer's. */
  readonly hasChoice: boolean
  /** The public address of this page. */
  readonly pageUrl: string
}

export interface WrittenMoney {
  readonly amount: string
  readonly currencyCode: string
}

export type StepName = 'choose' | 'details' | 'pay' | 'done'

/** What a screen is made of; the frame puts it on the page. */
export interface Page {
  readonly status?: number
  /** Of the tab; without it, the heading. */
  readonly tab?: string
  readonly heading: string
  readonly content: Html
  readonly step?: StepName
  /** The page is asked for again after so long, where there is no script. */
  readonly refreshSeconds?: number
  /** Follows the payment: the state that this screen shows. */
  readonly live?: string
  /** The error summary has the focus, not the heading. */
  readonly isFaulty?: boolean
  readonly icon?: 'good' | 'bad' | 'wait'
  readonly retryAfterSeconds?: number
  /** For developers, under the content. */
  readonly panel?: Html
}

/** The zone of times that a server shows to people whose own it does not know; the zone is always written beside. */
const TIME_ZONE = 'UTC'

export const moneyText = ({ texts }: View, money: WrittenMoney): string => formatMoney(texts.language, money)
export const amountText = (view: View): string =>
  view.money === undefined ? '' : moneyText(view, view.money)
export const momentText = ({ texts }: View, iso: string): string =>
  formatMoment(texts.language, new Date(iso), TIME_ZONE)
export const timeText = ({ texts }: View, iso: string): string =>
  `${formatTime(texts.language, new Date(iso), TIME_ZONE)} ${TIME_ZONE}`
export const dayText = ({ texts }: View, iso: string): string =>
  formatDay(texts.language, new Date(iso), TIME_ZONE)

/** The amount as a machine wants it: all decimals of the currency, a point, nothing else. */
export function plainAmount({ amount, currencyCode }: WrittenMoney): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const decimals = CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? 0
  const padded = fraction.padEnd(decimals, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}
