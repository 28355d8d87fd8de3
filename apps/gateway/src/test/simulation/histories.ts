import fc from 'fast-check'
import { KINDS, type Name, nameText, type Order } from './client.ts'
import { CONFUSIONS, type Command, OUTCOMES, SITES } from './commands.ts'
import { FAULTS } from './faults.ts'
import { BEHAVIOURS } from './receivers.ts'
import { CURRENCIES, MERCHANTS } from './shop.ts'
import { LINE_FORMS } from './uploads.ts'
import { PROCESSES } from './world.ts'

// What may be asked, told and broken, drawn by fast-check.

const merchantId = fc.constantFrom(MERCHANTS[0], MERCHANTS[0], ...MERCHANTS)
const name: fc.Arbitrary<Name> = fc.record({
  merchantId,
  kind: fc.constantFrom(...KINDS),
  id: fc.constantFrom('a', 'b', 'c'),
})
const order: fc.Arbitrary<Order> = fc
  .record({
    name,
    amount: fc.constantFrom(1, 7, 33, 99, 100, 101, 1_000_000_007),
    currencyCode: fc.constantFrom('EUR', 'EUR', 'EUR', ...CURRENCIES),
    isWallet: fc.boolean(),
    token: fc.constantFrom('FULL', 'FULL', 'FULL', 'FULL', 'SPARE', 'SPARE', 'READER', 'ONE_PAYIN'),
  })
  .map(({ name: { kind, ...rest }, isWallet, ...more }) => ({
    ...rest,
    ...more,
    kind,
    methodCode: isWallet && kind === 'PAYIN' ? 'WALLET' : 'TRANSFER',
  }))

const process = fc.constantFrom(...PROCESSES)
const of = name
const ofPayin = name.map((given): Name => ({ ...given, kind: 'PAYIN' }))

const ofPayout = name.map((given): Name => ({ ...given, kind: 'PAYOUT' }))
/** Of the beginnings below. */
const payoutAtFirst: Name = { merchantId: MERCHANTS[0], kind: 'PAYOUT', id: 'a' }
/** Of the beginning with payins, which statements are about. */
const payinAtFirst: Name = { merchantId: MERCHANTS[0], kind: 'PAYIN', id: 'a' }
const operator = fc.constantFrom('ANNA', 'BERT')
/** The other one of the beginnings, which is worth an approval. */
const payoutThatWaits: Name = { ...payoutAtFirst, id: 'b' }
const ofIncoming = fc.oneof(
  ofPayin,
  name.map((given): Name => ({ ...given, kind: 'TOPUP' })),
)
const ending = fc.record({
  action: fc.constantFrom('confirm', 'confirm', 'confirm', 'refuse', 'withdraw'),
  operatorCode: operator,
})
const CONFIRMED = { action: 'confirm', operatorCode: 'BERT' } as const
const payOut = { kind: 'PAYOUT', methodCode: 'TRANSFER' } as const

const fee = (
  kind: 'PAYIN' | 'PAYOUT',
  fixed: readonly number[],
  hundredths: readonly number[],
): fc.Arbitrary<Command> =>
  fc.record({
    name: fc.constant('SET_FEE'),
    kind: fc.constant(kind),
    methodCode: fc.constantFrom('TRANSFER', ...(kind === 'PAYIN' ? (['WALLET'] as const) : [])),
    currencyCode: fc.constantFrom('EUR', 'EUR', ...CURRENCIES),
    fixed: fc.constantFrom(...fixed),
    hundredths: fc.constantFrom(...hundredths),
  })

/** What may come next. */
const COMMANDS: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: order.map((given) => ({ name: 'CREATE' as const, ...given })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ given: order, count: fc.integer({ min: 2, max: 14 }) })
      .map(({ given, count }) => ({ name: 'STORM' as const, ...given, count })),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('READ'), of }) },
  {
    weight: 2,
    arbitrary: fc.record({ name: fc.constant('REFER'), of: ofPayin, reference: fc.constantFrom('R1', 'R2') }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      name: fc.constant('DECIDE'),
      of,
      copies: fc.integer({ min: 1, max: 3 }),
      outcome: fc.constantFrom('PAID', 'PAID', 'PAID', 'RETURNED', ...OUTCOMES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant('CONFUSE'), of, with: fc.constantFrom(...CONFUSIONS) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constant('WAIT'), minutes: fc.constantFrom(1, 5, 11, 4_500) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('RECEIVE'),
      merchantId,
      behaviour: fc.constantFrom(...BEHAVIOURS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('CRASH'), process }) },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant('SKEW'), process, minutes: fc.constantFrom(-4, 0, 4) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.constant('BREAK'),
      site: fc.constantFrom(...SITES),
      fault: fc.constantFrom(...FAULTS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('FAIL_OVER'),
      site: fc.constantFrom(...SITES),
      cutOffMs: fc.constantFrom(0, 1, 5, 30, 2_000),
      awayMs: fc.constantFrom(0, 200, 4_000),
      keptShare: fc.constantFrom(0, 0.5, 1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.constant('ADJUST'),
      of,
      outcome: fc.constantFrom('EXECUTED', 'NOT_EXECUTED', 'RETURNED'),
      by: fc.array(fc.constantFrom('ANNA', 'BERT'), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.constant('ADJUST'),
      of: fc.oneof(fc.constant(payoutAtFirst), of),
      outcome: fc.constantFrom('NOT_EXECUTED', 'EXECUTED'),
      by: fc.constant(['ANNA', 'BERT']),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ given: order, by: operator })
      .map(({ given, by }) => ({ ...given, name: 'CREATE_HELD' as const, ...payOut, by })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.constantFrom('RELEASE', 'RELEASE', 'CANCEL_HELD'),
      of: ofPayout,
      by: operator,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('APPROVE'),
      of: fc.oneof(fc.constant(payoutThatWaits), ofPayout),
      by: fc.array(operator, { minLength: 1, maxLength: 3 }),
      sees: fc.constantFrom('CONTENT', 'CONTENT', 'CONTENT', 'OTHER'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constant('REJECT'),
      of: fc.oneof(fc.constant(payoutThatWaits), ofPayout),
      by: operator,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('UPLOAD'),
      lines: fc.oneof(
        fc.constant([payoutAtFirst]),
        ofPayout.map((given) => [given]),
        fc.uniqueArray(ofIncoming, { minLength: 1, maxLength: 2, selector: nameText }),
      ),
      isExact: fc.constantFrom(true, true, false),
      by: operator,
      form: fc.constantFrom(...LINE_FORMS),
      endings: fc.array(ending, { maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('UPLOAD'),
      lines: fc.constant([payinAtFirst]),
      by: fc.constant('ANNA'),
      isExact: fc.constantFrom(true, true, true, false),
      form: fc.constantFrom(...LINE_FORMS),
      endings: fc.constantFrom([CONFIRMED], [{ ...CONFIRMED, operatorCode: 'ANNA' }, CONFIRMED]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constant('SET_METHOD'),
      merchantId,
      kind: fc.constantFrom(...KINDS),
      isOn: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(fee('PAYIN', [0], [0, 100, 275]), fee('PAYOUT', [0, 1, 3], [0, 50])),
  },
  { weight: 1, arbitrary: fc.record({ name: fc.constantFrom('REVOKE', 'ROTATE'), merchantId }) },
)

const COMMANDS_MAX = 10

const funds: Order = {
  merchantId: MERCHANTS[0],
  kind: 'TOPUP',
  id: 'c',
  amount: 1_000,
  currencyCode: 'EUR',
  methodCode: 'TRANSFER',
  token: 'FULL',
}
/** Money, and a payout of it: few of the histories drawn would come to one by themselves. */
const BEGINNINGS: readonly (readonly Command[])[] = [
  [],
  [
    { name: 'CREATE', ...funds },
    { name: 'DECIDE', of: funds, outcome: 'PAID', copies: 1 },
    { name: 'CREATE', ...funds, ...payOut, ...payoutAtFirst, amount: 99 },
    { name: 'CREATE', ...funds, ...payOut, ...payoutThatWaits, amount: 101 },
  ],
  [
    { name: 'CREATE', ...funds, ...payinAtFirst, amount: 33 },
    { name: 'CREATE', ...funds, ...payinAtFirst, id: 'b', amount: 33 },
  ],
]

const DRAWN = fc.array(COMMANDS, { maxLength: COMMANDS_MAX, size: 'max' })

/** What may happen one after the other. */
export const HISTORIES: fc.Arbitrary<readonly Command[]> = fc
  .tuple(fc.constantFrom(...BEGINNINGS), DRAWN)
  .map(([beginning, drawn]) => [...beginning, ...drawn])

const STORMY: ReadonlySet<Command['name']> = new Set([
  ...(['BREAK', 'CRASH', 'FAIL_OVER', 'WAIT'] as const),
  ...(['CREATE_HELD', 'RELEASE', 'CANCEL_HELD'] as const),
])

/**
 * Without crashes, failovers and lost answers, which are not the statements' business, and without holds, which race with
 * workers; and nobody waits for days.
 */
export const calm = (commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ name: each }) => !STORMY.has(each))

export const CALM_HISTORIES: fc.Arbitrary<readonly Command[]> = DRAWN.map(calm)
