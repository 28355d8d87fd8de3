import { addAmounts, parsePlainAmount } from '@tollgate/money'
import type { Name, Order } from './client.ts'
import type { Command } from './commands.ts'
import type { FeeChange } from './operators.ts'
import type { Execute, Session, Statements } from './statements.ts'
import { ALL } from './statements-configuration.ts'
import { balanceText } from './statements-ledger.ts'
import type { LineForm } from './uploads.ts'
import { STATEMENTS } from './world.ts'

// Databases of which one thing is broken: each must be noticed, or the simulation proves nothing.

interface Breakage {
  readonly what: string
  readonly statements: Statements
  /** A history in which it matters. */
  readonly commands: readonly Command[]
  /** What notices it. */
  readonly seenAs: RegExp
}

const run = (name: string, session: Session, values: readonly unknown[]): readonly object[] => {
  const execute = STATEMENTS[name]
  if (execute === undefined) throw new Error(`there is no statement ${name}`)
  return Reflect.apply(execute, undefined, [session, ...values])
}

/** The statements, with another one in the place of `name`. */
const replaced = (name: string, execute: Execute): Statements => ({ ...STATEMENTS, [name]: execute })

/** The statement changes something, and nobody hears of it. */
const untold = (name: string): Statements =>
  replaced(name, (session: Session, ...values: unknown[]) => {
    const rows = run(name, session, values)
    forgetChanges(session)
    return rows
  })

const MUCH = parsePlainAmount('1000000000000000')

/** Takes what is not there. */
function acceptUncovered(session: Session, ...values: unknown[]): readonly object[] {
  const { balances } = session.disk
  const change = (amount: typeof MUCH): void => {
    for (const balance of [...balances.values()]) {
      const available = addAmounts(parsePlainAmount(balance.available), amount)
      balances.put(balanceText(balance.merchant_id, balance.currency_code), { ...balance, available })
    }
  }
  change(MUCH)
  const rows = run('payments_insert_outgoing', session, values)
  change(parsePlainAmount(`-${MUCH}`))
  return rows
}

function goOnAfterSuccess(session: Session, ...values: unknown[]): readonly object[] {
  const rows = run('callbacks_update_attempts', session, values)
  for (const event of [...session.disk.events.values()])
    if (event.state === 'DELIVERED' && event.attempts_started < event.attempts_max)
      session.disk.events.put(event.event_id, {
        ...event,
        state: 'PENDING',
        done_at: null,
        due_at: session.at + 120_000_000,
      })
  return rows
}

const of: Name = { merchantId: '1', kind: 'PAYIN', id: 'a' }
const order: Order = { ...of, amount: 100, currencyCode: 'EUR', methodCode: 'TRANSFER', token: 'FULL' }
const payout: Order = { ...order, kind: 'PAYOUT', amount: 7 }
const CREATE: Command = { name: 'CREATE', ...order }
const PAY_OUT: Command = { name: 'CREATE', ...payout }
const PAID: Command = { name: 'DECIDE', of, outcome: 'PAID', copies: 1 }
const FUNDED: readonly Command[] = [
  { ...CREATE, kind: 'TOPUP' },
  { ...PAID, of: { ...of, kind: 'TOPUP' } },
]

const HELD: Command = { ...payout, name: 'CREATE_HELD', by: 'ANNA' }

/** One operator says twice what became of a payout. */
const SAID_TWICE: readonly Command[] = [
  ...FUNDED,
  PAY_OUT,
  { name: 'ADJUST', of: { ...of, kind: 'PAYOUT' }, outcome: 'EXECUTED', by: ['ANNA', 'ANNA'] },
]

const waiting: Order = { ...payout, amount: 100 }
const WAITING: Command = { ...waiting, name: 'CREATE' }
const RICH: readonly Command[] = [{ ...CREATE, kind: 'TOPUP', amount: 1_000 }, ...FUNDED.slice(1)]

/** One operator hands a document in, and confirms it, too. */
const UPLOADED: readonly Command[] = [
  CREATE,
  {
    name: 'UPLOAD',
    lines: [of],
    isExact: true,
    form: 'TEXT',
    by: 'ANNA',
    endings: [{ action: 'confirm', operatorCode: 'ANNA' }],
  },
]

/** Payments, and a statement about the first of them, which another operator confirms. */
const brought = (payments: readonly Command[], form: LineForm): readonly Command[] => [
  ...payments,
  {
    name: 'UPLOAD',
    lines: [of],
    isExact: true,
    form,
    by: 'ANNA',
    endings: [{ action: 'confirm', operatorCode: 'BERT' }],
  },
]

const FEE: FeeChange = {
  kind: 'PAYIN',
  methodCode: 'TRANSFER',
  currencyCode: 'EUR',
  fixed: 0,
  hundredths: 275,
}

/** Takes back what the triggers of the configuration did. */
function forgetChanges({ disk: { changedConfiguration } }: Session): void {
  for (const id of [...changedConfiguration.keys()]) changedConfiguration.delete(id)
}

export const BREAKAGES: readonly Breakage[] = [
  {
    what: 'a repeat is accepted once more',
    statements: replaced('payments_insert', (session: Session, ...values: unknown[]) => {
      const rows = run('payments_insert', session, values)
      const nonces: unknown = values[3]
      if (rows.length > 0 || !Array.isArray(nonces)) return rows
      return nonces.map((nonce) => ({ nonce, created_at: new Date(0), expire_at: new Date(0) }))
    }),
    commands: [CREATE, CREATE],
    seenAs: /the answer to 1 PAYIN a/,
  },
  {
    what: 'an acknowledged payment is not there',
    statements: replaced('payments_insert', (session: Session, ...values: unknown[]) => {
      const rows = run('payments_insert', session, values)
      session.disk.rollBack()
      return rows
    }),
    commands: [CREATE],
    seenAs: /1 PAYIN a/,
  },
  {
    what: 'a payout is taken from what is not there',
    statements: replaced('payments_insert_outgoing', acceptUncovered),
    commands: [...FUNDED, { ...PAY_OUT, amount: 101 }],
    seenAs: /the answer to 1 PAYOUT a/,
  },
  {
    what: 'what was held is not released',
    statements: replaced('ledger_update_balances', (session: Session, ...values: unknown[]) => {
      const before = [...session.disk.balances.values()]
      const rows = run('ledger_update_balances', session, values)
      for (const { merchant_id, currency_code, reserved } of before) {
        const key = balanceText(merchant_id, currency_code)
        const after = session.disk.balances.get(key)
        if (after !== undefined) session.disk.balances.put(key, { ...after, reserved })
      }
      return rows
    }),
    commands: [
      ...FUNDED,
      PAY_OUT,
      { name: 'DECIDE', of: { ...of, kind: 'PAYOUT' }, outcome: 'FAILED', copies: 1 },
    ],
    seenAs: /the balance of 1 in EUR/,
  },
  {
    what: 'a retry pays again, because the hand-over is not written down before',
    statements: replaced('payments_update_submitted', () => [{ stop: null }]),
    commands: [...FUNDED, { name: 'BREAK', site: 'bank PUT', fault: 'ANSWER_LOST' }, PAY_OUT],
    seenAs: /1 PAYOUT a was handed over \d times/,
  },
  {
    what: 'callbacks are claimed without a lease that lasts',
    statements: replaced('callbacks_claim_due', (session: Session, ...values: unknown[]) =>
      run('callbacks_claim_due', session, values.with(9, 1)),
    ),
    // The first attempt needs no claim, the repeat does.
    commands: [
      { name: 'RECEIVE', merchantId: '1', behaviour: 'HANG' },
      CREATE,
      PAID,
      { name: 'WAIT', minutes: 3 },
    ],
    seenAs: /begun twice, and nobody had died/,
  },
  {
    what: 'callbacks are written with a lease that does not last',
    statements: replaced('callbacks_insert_events', (session: Session, ...values: unknown[]) =>
      run('callbacks_insert_events', session, values.with(9, 1)),
    ),
    commands: [{ name: 'RECEIVE', merchantId: '1', behaviour: 'HANG' }, CREATE, PAID],
    seenAs: /begun twice, and nobody had died/,
  },
  {
    what: 'a callback goes on after a 200',
    statements: replaced('callbacks_update_attempts', goOnAfterSuccess),
    commands: [CREATE, PAID],
    seenAs: /went on after a 200/,
  },
  {
    what: 'a callback is repeated too soon',
    statements: replaced('callbacks_update_attempts', (session: Session, ...values: unknown[]) =>
      run('callbacks_update_attempts', session, [...values.slice(0, 8), 60]),
    ),
    commands: [
      { name: 'RECEIVE', merchantId: '1', behaviour: 'ERROR' },
      CREATE,
      PAID,
      { name: 'WAIT', minutes: 5 },
    ],
    seenAs: /was made again after 60/,
  },
  {
    what: 'a change is not called back',
    statements: replaced('callbacks_insert_events', () => []),
    commands: [CREATE, PAID],
    seenAs: /S11/,
  },
  {
    what: 'a message of an institution is forgotten',
    statements: replaced('rail_notifications_claim', () => []),
    commands: [CREATE, PAID],
    seenAs: /the status of 1 PAYIN a/,
  },
  {
    what: 'a fee is changed, and nobody is told',
    statements: untold('catalogue_upsert_fee'),
    commands: [{ name: 'SET_FEE', ...FEE }, CREATE, PAID],
    seenAs: /the balance of 1 in EUR/,
  },
  {
    what: 'a payment ends at the fee of that moment',
    statements: replaced('payments_list_for_update', (session: Session, ...values: unknown[]) => {
      const fee = session.disk.catalogue.get(ALL)?.fees.at(-1)?.fixed
      return run('payments_list_for_update', session, values).map((row) => ({ ...row, fee_amount: fee }))
    }),
    commands: [
      ...FUNDED,
      { ...PAY_OUT, amount: 10 },
      {
        name: 'SET_FEE',
        kind: 'PAYOUT',
        methodCode: 'TRANSFER',
        currencyCode: 'EUR',
        fixed: 3,
        hundredths: 0,
      },
      { ...PAID, of: { ...of, kind: 'PAYOUT' } },
    ],
    seenAs: /1 PAYOUT a|the balance of 1 in EUR/,
  },
  {
    what: 'a method is taken from a merchant, and nobody is told',
    statements: untold('catalogue_delete_merchant_method'),
    commands: [
      CREATE,
      { name: 'SET_METHOD', merchantId: '1', kind: 'PAYIN', isOn: false },
      { ...CREATE, id: 'b' },
    ],
    seenAs: /the answer to 1 PAYIN b/,
  },
  {
    what: 'a token is revoked, and nobody is told',
    statements: untold('tokens_insert_revocation'),
    commands: [
      { ...CREATE, token: 'SPARE' },
      { name: 'REVOKE', merchantId: '1' },
      { ...CREATE, token: 'SPARE', id: 'b' },
    ],
    seenAs: /the answer to 1 PAYIN b/,
  },
  {
    what: 'one operator is enough',
    statements: replaced('payment_inquiries_list_decisions', (session: Session, ...values: unknown[]) => [
      ...run('payment_inquiries_list_decisions', session, values),
      ...['EXECUTED', 'NOT_EXECUTED', 'RETURNED'].map((answer) => ({ answer, operator_code: 'NOBODY' })),
    ]),
    commands: SAID_TWICE,
    seenAs: /a word about 1 PAYOUT a/,
  },
  {
    what: 'an operator counts twice',
    statements: replaced('payment_inquiries_list_decisions', (session: Session, ...values: unknown[]) =>
      run('payment_inquiries_list_decisions', session, values).map((row) => ({
        ...row,
        operator_code: 'NOBODY',
      })),
    ),
    commands: SAID_TWICE,
    seenAs: /a word about 1 PAYOUT a/,
  },
  {
    what: 'a payout that was noted by a worker who died is not handed over',
    statements: replaced('payments_update_submitted_again', () => []),
    commands: [...FUNDED, { name: 'BREAK', site: 'bank PUT', fault: 'CRASH_BEFORE' }, PAY_OUT],
    seenAs: /the institution never got 1 PAYOUT a/,
  },
  {
    what: 'a payout is said to be on hold, and is not',
    statements: replaced('payments_update_held', () => [{ held: 1 }]),
    commands: [...FUNDED, HELD],
    seenAs: /a hold of 1 PAYOUT a/,
  },
  {
    what: 'a payout on hold is handed over',
    statements: replaced('payments_update_held', (session: Session, ...values: unknown[]) => {
      const rows = run('payments_update_held', session, values)
      for (const [key, payment] of [...session.disk.payments.keys()].map(
        (each) => [each, session.disk.payments.get(each)] as const,
      )) {
        if (payment?.processor_status !== 'ON_HOLD') continue
        session.disk.payments.put(key, { ...payment, processor_status: 'QUEUED' })
        run('payment_tasks_upsert', session, [...key.split(' '), 'RAIL'])
      }
      return rows
    }),
    commands: [...FUNDED, HELD],
    seenAs: /a hold of 1 PAYOUT a|S19/,
  },
  {
    what: 'who stops a payout lets it go',
    statements: replaced('payment_holds_list', (session: Session, ...values: unknown[]) =>
      run('payment_holds_list', session, values).map((row) => ({ ...row, operator_code: 'NOBODY' })),
    ),
    commands: [...FUNDED, HELD, { name: 'RELEASE', of: { ...of, kind: 'PAYOUT' }, by: 'ANNA' }],
    seenAs: /the end of a hold of 1 PAYOUT a|S19/,
  },
  {
    what: 'approval is not asked',
    statements: replaced('payments_insert_outgoing', (session: Session, ...values: unknown[]) => {
      const input = values.with(5, ['QUEUED']).with(23, [true])
      return run('payments_insert_outgoing', session, input)
    }),
    commands: [...RICH, WAITING],
    seenAs: /S20|1 PAYOUT a/,
  },
  {
    what: 'who approves a payout counts twice',
    statements: replaced('payout_approvals_list', (session: Session, ...values: unknown[]) => {
      const rows = run('payout_approvals_list', session, values)
      return [...rows, ...rows.map((row) => ({ ...row, operator_code: 'NOBODY' }))]
    }),
    commands: [...RICH, WAITING, { name: 'APPROVE', of: waiting, by: ['ANNA'], sees: 'CONTENT' }],
    seenAs: /S20/,
  },
  {
    what: 'an upload needs no second person',
    statements: replaced('confirmations_insert', (session: Session, ...values: unknown[]) =>
      run('confirmations_insert', session, values.with(3, 'operator:NOBODY')),
    ),
    commands: UPLOADED,
    seenAs: /S21/,
  },
  {
    what: 'a statement pays a payment that it does not name',
    statements: replaced('payments_list_by_references', (session: Session) =>
      run('payments_list_by_references', session, [
        [...session.disk.payments.values()].map(({ reference }) => reference),
      ]),
    ),
    commands: brought([CREATE], 'NONREF'),
    seenAs: /1 PAYIN a/,
  },
  {
    what: 'a statement that names two payments pays one of them',
    statements: replaced('payments_list_by_references', (session: Session, ...values: unknown[]) =>
      run('payments_list_by_references', session, values).slice(0, 1),
    ),
    commands: brought([CREATE, { ...CREATE, id: 'b' }], 'TWO'),
    seenAs: /1 PAYIN a/,
  },
  {
    what: 'callbacks are signed by a key that is long gone',
    statements: replaced('merchants_find_by_id', (session: Session, ...values: unknown[]) =>
      run('merchants_find_by_id', session, values).map((row) => ({ ...row, callback_key_generation: 1 })),
    ),
    commands: [{ name: 'ROTATE', merchantId: '1' }, { name: 'WAIT', minutes: 1 }, CREATE, PAID],
    seenAs: /was not signed by a key in force/,
  },
]
