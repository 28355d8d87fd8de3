import {
  CURRENCIES_ISO_4217,
  fractionDigits,
  fromMinorUnits,
  parseAmount,
  toMinorUnits,
} from '@tollgate/money'
import type { ProtocolMoney } from '@tollgate/rail-protocol'
import { type Static, Type } from 'typebox'

/** How the bank can behave. What each mood does is in README.md. */
export const MOOD_NAMES = [
  'NORMAL',
  'SLOW',
  'DOWN',
  'TIMEOUT_AFTER_EXECUTING',
  'NOTIFY_TWICE',
  'NOTIFY_WRONG_ORDER',
  'LATE',
  'LESS',
  'MORE',
  'WRONG_CURRENCY',
  'NEVER',
  'BOUNCE',
] as const
export type Mood = (typeof MOOD_NAMES)[number]

const MINUTE_MS = 60_000
const DELAY_MS_MAX = 24 * 60 * MINUTE_MS
const EVERY_MAX = 1_000_000

/** A mood with its details. */
export const MoodSettingSchema = Type.Object(
  {
    mood: Type.Enum(MOOD_NAMES),
    /** Only every n-th new payment is in this mood; the others are in the normal one. */
    every: Type.Optional(Type.Integer({ minimum: 1, maximum: EVERY_MAX })),
    /** SLOW: how late. LATE: how long after the time to pay. BOUNCE: how long until the money comes back. */
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: DELAY_MS_MAX })),
    /** Money that comes in is paid by itself after so long, without a customer at the page. */
    autoMs: Type.Optional(Type.Integer({ minimum: 0, maximum: DELAY_MS_MAX })),
  },
  { additionalProperties: false },
)
export type MoodSetting = Readonly<Static<typeof MoodSettingSchema>>

export const NORMAL: MoodSetting = { mood: 'NORMAL' }

const DELAYS_MS: Readonly<Partial<Record<Mood, number>>> = { SLOW: 3_000, LATE: 1_000, BOUNCE: 5_000 }

/** How long the mood waits, in milliseconds. */
export function delayMsOf(setting: MoodSetting): number {
  return setting.delayMs ?? DELAYS_MS[setting.mood] ?? 0
}

/** What a payment with this number gets of a mood that is for all: the n-th ones the mood, the others the normal one. */
export function shareOf(setting: MoodSetting, number: number): MoodSetting {
  const { every = 1, autoMs } = setting
  if (number % every === 0) return setting
  return autoMs === undefined ? NORMAL : { ...NORMAL, autoMs }
}

/** What money moves in the mood when this was asked for. The amount is more than zero. */
export function moneyMoved(asked: ProtocolMoney, mood: Mood): ProtocolMoney {
  switch (mood) {
    case 'LESS':
      return { ...asked, amount: changed(asked, -1n) }
    case 'MORE':
      return { ...asked, amount: changed(asked, 1n) }
    case 'WRONG_CURRENCY':
      return { ...asked, currencyCode: asked.currencyCode === 'EUR' ? 'USD' : 'EUR' }
    case 'NORMAL':
    case 'SLOW':
    case 'DOWN':
    case 'TIMEOUT_AFTER_EXECUTING':
    case 'NOTIFY_TWICE':
    case 'NOTIFY_WRONG_ORDER':
    case 'LATE':
    case 'NEVER':
    case 'BOUNCE':
      return asked
  }
}

const DECIMALS_USUAL = 2
/** A tenth of the amount is missing or too much. */
const SHARE = 10n

function changed({ amount: text, currencyCode }: ProtocolMoney, sign: 1n | -1n): string {
  const amount = parseAmount(text)
  if (amount === undefined) throw new Error('the money of a payment was checked when it came in')
  const own = CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? DECIMALS_USUAL
  const decimals = Math.max(own, fractionDigits(amount))
  const units = toMinorUnits(amount, decimals)
  // Less than the least amount there is can only be nothing, and nothing does not move: ten times finer, then.
  if (units === 1n && sign < 0n) return fromMinorUnits(9n, decimals + 1)
  const difference = units < SHARE ? 1n : units / SHARE
  return fromMinorUnits(units + sign * difference, decimals)
}
