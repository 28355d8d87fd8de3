import type { ReadItem, StatementLineListSchema } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { amountText, wordsOf } from '../format.ts'
import type { IconName } from '../icons.ts'
import { chip, type Tone } from '../parts.ts'

// What lines of bank statements, their states and what can be decided about them are called.

export type Line = ReadItem<typeof StatementLineListSchema>

type Look = readonly [tone: Tone, icon: IconName, words: string]

const STATES: Readonly<Record<string, Look>> = {
  NEW: ['info', 'clock', 'Not looked at yet'],
  MATCHED: ['good', 'check', 'Matched'],
  UNDER: ['warn', 'minus', 'Too little'],
  OVER: ['warn', 'plus', 'Too much'],
  LATE: ['warn', 'clock', 'Payment ended'],
  DOUBLE: ['warn', 'copy', 'Paid already'],
  UNKNOWN: ['warn', 'help', 'No payment named'],
  AMBIGUOUS: ['warn', 'link', 'Several payments'],
  OTHER_CURRENCY: ['warn', 'coins', 'Other currency'],
  APPLIED: ['good', 'check', 'Given to a payment'],
  RETURNING: ['info', 'undo', 'To be sent back'],
  RETURNED: ['back', 'undo', 'Sent back'],
  SAME_MONEY: ['mute', 'copy', 'Told before'],
  NOTED: ['mute', 'audit', 'Noted'],
  SPLIT: ['mute', 'sheet', 'Replaced by its parts'],
}

export const lineStateChip = (state: string): Html =>
  chip(...(STATES[state] ?? (['mute', 'help', wordsOf(state)] as const)))

export const lineStateWords = (state: string): string => STATES[state]?.[2] ?? wordsOf(state)

const DECISIONS: Readonly<Record<string, string>> = {
  ACCEPT: 'Given to the payment',
  COVER: 'Given to the payment, the difference covered',
  SAME_MONEY: 'Told before: the same money',
  RETURN: 'To be sent back',
  RETURNED: 'Sent back',
  NOTE: 'Noted',
}

export const decisionWords = (decision: string): string => DECISIONS[decision] ?? wordsOf(decision)

/** The money of a line with its sign: what left has a minus. */
export function lineMoney({ direction, money }: Pick<Line, 'direction' | 'money'>): Html {
  const { amount, currencyCode } = money
  const sign = direction === 'DEBIT' ? '−' : ''
  return html`<span class="amt">${sign}${amountText({ amount, currencyCode })} <span class="cur">${currencyCode}</span></span>`
}

/** Who is at the other end, as far as it is shown. */
export const partyWords = ({ party }: Pick<Line, 'party'>): string =>
  party?.name ?? party?.accountNumber ?? 'No name'

/** operator:ada is ada. */
export const actorName = (actor: string): string => actor.replace(/^operator:/, '')

/** A day of a bank, which is in no time zone. */
export const bankDay = (day: string): string => `${day}T00:00:00Z`
