import type { FeeRule } from '@tollgate/money'
import fc from 'fast-check'
import { PAYMENT_KINDS, type PaymentKey, textOf } from '../../modules/payments/model.ts'
import type { Books } from './books.ts'
import {
  type Change,
  type Command,
  type Creation,
  CURRENCIES,
  moneyOf,
  type PhaseChange,
  REPORTS,
  type Settling,
} from './commands.ts'

/** A command that may name a payment, or an account, by its place among those that are there. */
export type Intent =
  | { readonly name: 'DO'; readonly commands: readonly Command[] }
  | { readonly name: 'PROPOSE'; readonly reports: readonly (Pick<Change, 'report'> & Placed)[] }
  | ({ readonly name: 'PHASE'; readonly phase: PhaseChange['phase'] } & Placed)
  | ({ readonly name: 'SETTLE' } & Pick<Settling, 'part' | 'into'> & Placed)

/** From the first on, or below zero from the last one. */
interface Placed {
  readonly place: number
}

/** The commands that are meant, where the books are like this. What names nothing becomes no command. */
export function resolve(intent: Intent, books: Books): readonly Command[] {
  switch (intent.name) {
    case 'DO':
      return intent.commands
    case 'PROPOSE': {
      const changes = new Map<string, Change>()
      for (const { place, report } of intent.reports) {
        const key = paymentAt(books, place)
        changes.set(textOf(key), { key, report })
      }
      return [{ name: 'PROPOSE', changes: [...changes.values()] }]
    }
    case 'PHASE':
      return [{ name: 'PHASE', key: paymentAt(books, intent.place), phase: intent.phase }]
    case 'SETTLE':
      return settlingAt(books, intent)
  }
}

const PLACE_MAX = 8
const NOWHERE = PLACE_MAX
const NOBODY: PaymentKey = { merchantId: '1', kind: 'PAYOUT', idPayment: 'nobody' }

function paymentAt({ payments }: Books, at: number): PaymentKey {
  const found = at === NOWHERE ? undefined : [...payments.values()].at(at % Math.max(1, payments.size))
  const { merchantId, kind, idPayment } = found ?? NOBODY
  return { merchantId, kind, idPayment }
}

function settlingAt({ balances }: Books, { part, into, place }: Extract<Intent, { name: 'SETTLE' }>) {
  const earned = [...balances.values()].filter(({ notSettled }) => notSettled !== '0')
  const balance = earned.at(place % Math.max(1, earned.length))
  if (balance === undefined) return []
  const { merchantId, currencyCode } = balance
  const settling: Settling = { name: 'SETTLE', merchantId, currencyCode, part, into }
  return [{ ...settling, into: into === currencyCode ? undefined : into }]
}

/** One merchant has most of the payments, so that they meet each other. */
const merchantId = fc.constantFrom('1', '1', '1', '1', '2', '3')
const currencyCode = fc.constantFrom('EUR', 'EUR', ...CURRENCIES)

/** In smallest units: around the points where fees are rounded. */
const SMALL = [1n, 2n, 49n, 50n, 51n, 99n, 100n, 101n, 149n, 150n, 9_999n, 10_001n] as const
/** Far beyond what a float can hold. */
const LARGE = [12_345_678n, 10n ** 18n, 10n ** 24n + 1n] as const
const units = fc.constantFrom(...SMALL, ...LARGE)

/** What an operator may set: amounts in smallest units, the percentage in hundredths of a percent. */
interface UnitRule {
  readonly fixed?: bigint
  readonly percentage?: bigint
  readonly minimum?: bigint
  readonly maximum?: bigint
}
const rule = fc.constantFrom<(UnitRule | undefined)[]>(
  undefined,
  { fixed: 1n },
  { fixed: 100n },
  { percentage: 49n },
  { percentage: 100n },
  { percentage: 250n, fixed: 2n },
  { percentage: 150n, minimum: 2n },
  { percentage: 150n, minimum: 1n, maximum: 50n },
  { percentage: 10_000n },
)

interface Wanted {
  readonly key: PaymentKey
  readonly currencyCode: string
  readonly units: bigint
  readonly rule: UnitRule | undefined
}

function creationOf(wanted: Wanted): Creation {
  const money = moneyOf(wanted.units, wanted.currencyCode)
  return { name: 'CREATE', key: wanted.key, money, rule: wanted.rule && ruleOf(wanted.rule, wanted) }
}

function ruleOf({ fixed = 0n, percentage = 0n, minimum, maximum }: UnitRule, wanted: Wanted): FeeRule {
  const amountOf = (inUnits: bigint) => moneyOf(inUnits, wanted.currencyCode).amount
  return {
    fixed: amountOf(fixed),
    percentage: moneyOf(percentage, 'EUR').amount,
    ...(minimum !== undefined && { minimum: amountOf(minimum) }),
    ...(maximum !== undefined && { maximum: amountOf(maximum) }),
  }
}

const creating: fc.Arbitrary<Intent> = fc
  .record({
    key: fc.record({
      merchantId,
      kind: fc.constantFrom('PAYOUT', 'PAYOUT', ...PAYMENT_KINDS),
      idPayment: fc.constantFrom('a', 'b', 'c'),
    }),
    currencyCode,
    units,
    rule,
  })
  .map((wanted) => ({ name: 'DO', commands: [creationOf(wanted)] }))

/** A payment that is created and paid: without money, every payout would be refused. */
const funding: fc.Arbitrary<Intent> = fc
  .record({
    key: fc.record({
      merchantId,
      kind: fc.constantFrom('TOPUP', 'TOPUP', 'PAYIN'),
      idPayment: fc.constantFrom('f', 'g', 'h', 'i'),
    }),
    currencyCode,
    units: fc.constantFrom(101n, 10_001n, ...LARGE),
    rule,
  })
  .map((wanted) => ({
    name: 'DO',
    commands: [creationOf(wanted), { name: 'PROPOSE', changes: [{ key: wanted.key, report: 'PAID' }] }],
  }))

const place = fc.integer({ min: -5, max: PLACE_MAX })
const reporting = (reportsMax: number): fc.Arbitrary<Intent> =>
  fc
    .array(
      fc.record({
        report: fc.constantFrom(
          'PAID',
          'PAID',
          'FAILED',
          'FAILED',
          'EXPIRED',
          'REVERSED',
          'REVERSED',
          'CORRECTED',
          'CORRECTED',
          ...REPORTS,
        ),
        place,
      }),
      { minLength: 1, maxLength: reportsMax },
    )
    .map((reports) => ({ name: 'PROPOSE', reports }))

const settling: fc.Arbitrary<Intent> = fc.record({
  name: fc.constant('SETTLE'),
  part: fc.constantFrom('ALL', 'HALF', 'UNIT'),
  into: fc.constantFrom(undefined, undefined, ...CURRENCIES),
  place: fc.nat(3),
})

/** What one caller does; `reportsMax` are made at once. */
export const calls = (reportsMax: number): fc.Arbitrary<Intent> =>
  fc.oneof(
    { weight: 5, arbitrary: creating },
    { weight: 7, arbitrary: reporting(reportsMax) },
    { weight: 4, arbitrary: funding },
    { weight: 2, arbitrary: settling },
  )

/** What happens while nothing else does. */
export const pauses: fc.Arbitrary<Intent> = fc.oneof(
  fc.constant<Intent>({ name: 'DO', commands: [{ name: 'TIME' }] }),
  fc.record({ name: fc.constant('PHASE'), place, phase: fc.constantFrom('SUBMITTED', 'UNKNOWN') }),
)
