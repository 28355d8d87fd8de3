import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds, systemClock } from '@tollgate/runtime'
import { waitUntil } from '@tollgate/testkit'
import { createCatalogueSettings, seedSandboxCatalogue } from '../modules/catalogue/index.ts'
import { createClockService } from '../modules/clocks/index.ts'
import { createMerchantService } from '../modules/merchants/index.ts'
import {
  hasRealPayments,
  listPaymentLeases,
  movePayments,
  type NewPayment,
  type PaymentKey,
} from '../modules/payments/index.ts'
import { INQUIRY_SCHEDULE } from '../modules/payments/progress/rail-talk.ts'
import { accepted, openRig, type Rig, railThat, WAITING } from '../modules/payments/test/rig.ts'
import { Refusal } from '../platform/refusal.ts'
import { buildClocks } from '../rooms/clocks.ts'

// Which times of a merchant move when its clock is advanced, and which stay.

/** Each says when something is due. */
const MOVES: Readonly<Record<string, string>> = {
  'callback_events.due_at': 'the next attempt',
  'payment_tasks.due_at': 'the end of a payment, and the next question to its institution',
  'payment_tasks.unknown_since': 'so long institutions are asked before people have to find out',
  'payments.expire_at': 'the time to pay of open payments',
  'settlement_cycles.due_at': 'becomes now: the worker finds out what is due by the merchant’s time',
}

const HAPPENED = 'It says when something happened.'
const AGES = 'It says when something happened; retention adds what was advanced since.'
const OF_TOKENS = 'Tokens carry their end, signed; it is compared with the real time.'
const OF_BANKS = 'What a bank said.'
const PERIODS = 'The merchant’s time, which is ahead of the real one; it does not move with it.'

const OF_OTHER_CELL = 'Its merchant is in another cell, whose clock is the one that moves.'

const STAYS: Readonly<Record<string, string>> = {
  'balances.updated_at': HAPPENED,
  'blocked_beneficiaries.created_at': HAPPENED,
  'callback_attempts.finished_at': HAPPENED,
  'callback_attempts.started_at': HAPPENED,
  'callback_events.created_at': AGES,
  'callback_events.done_at': AGES,
  'callback_events.last_started_at': 'The repeat after it is planned from here, by the real time.',
  'cell_moves.noted_at': HAPPENED,
  'chain_payouts.ended_at': HAPPENED,
  'chain_payouts.retry_at': 'Seconds from now, by a signer or a node.',
  'chain_payouts.taken_at': HAPPENED,
  'chain_transfers.booked_at': HAPPENED,
  'chain_transfers.seen_at': HAPPENED,
  'clock_advances.advanced_at': HAPPENED,
  'configuration_changes.changed_at': HAPPENED,
  'customers.created_at': HAPPENED,
  'customers.erased_at': HAPPENED,
  'customers.sweep_due_at': 'The sweep waits for creates that are under way, which no clock makes faster.',
  'customers.updated_at': HAPPENED,
  'ledger_journal.chained_at': HAPPENED,
  'ledger_transfers.created_at': 'The books say when something was booked.',
  'merchant_keys.confirmed_at': HAPPENED,
  'merchant_keys.created_at': HAPPENED,
  'merchant_keys.removed_at': HAPPENED,
  'merchant_logos.created_at': HAPPENED,
  'merchant_secrets.created_at': HAPPENED,
  'merchant_secrets.removed_at': HAPPENED,
  'merchants.created_at': HAPPENED,
  'merchants.tokens_not_before': OF_TOKENS,
  'parked_callback_events.created_at': OF_OTHER_CELL,
  'parked_callback_events.done_at': OF_OTHER_CELL,
  'parked_callback_events.due_at': OF_OTHER_CELL,
  'parked_callback_events.last_started_at': OF_OTHER_CELL,
  'parked_payment_tasks.due_at': OF_OTHER_CELL,
  'parked_payment_tasks.unknown_since': OF_OTHER_CELL,
  'payment_daily_usage.day': 'On another day the counts of this one are set to nothing.',
  'payment_external_references.submitted_at': HAPPENED,
  'payment_holds.happened_at': HAPPENED,
  'payee_checks.answered_at': HAPPENED,
  'payment_inquiries.answered_at': HAPPENED,
  'payment_inquiries.asked_at': AGES,
  'payment_inquiries.last_answered_at': AGES,
  'payment_personal_data.collected_at': AGES,
  'payment_timeline.happened_at': AGES,

  'payment_volumes.begins_at': HAPPENED,
  'payments.created_at': 'It says when something happened; a rail is told what was advanced since.',
  'payments.failed_at': HAPPENED,
  'payments.processed_at': HAPPENED,
  'payments.submitted_at': 'What was sent may really still be on its way.',
  'payout_approval_requests.approved_at': HAPPENED,
  'payout_approvals.decided_at': HAPPENED,
  'payout_daily_sums.day': 'On another day the sum of this one is set to nothing.',
  'rail_notifications.done_at': HAPPENED,
  'rail_notifications.due_at':
    'Waits for a create that is under way, and has no merchant until it is applied.',
  'rail_notifications.received_at': HAPPENED,
  'refunds.created_at': HAPPENED,
  'restore_gap_ids.named_at': HAPPENED,
  'revoked_tokens.expires_at': OF_TOKENS,
  'revoked_tokens.revoked_at': HAPPENED,
  'settlement_accounts.updated_at': HAPPENED,
  'settlement_cycles.run_until': PERIODS,
  'settlement_cycles.since': PERIODS,
  'settlement_items.processed_at': 'The books say when something was booked.',
  'settlements.created_at': HAPPENED,
  'settlements.period_from': PERIODS,
  'settlements.period_to': PERIODS,
  'signed_token_requests.expires_at': OF_TOKENS,
  'statement_decisions.decided_at': HAPPENED,
  'statement_lines.booked_on': OF_BANKS,
  'statement_lines.created_at': HAPPENED,
  'statement_lines.state_since': HAPPENED,
  'statement_lines.valued_on': OF_BANKS,
  'unmaskings.seen_at': HAPPENED,
}

/** Without a merchant of their own, but of one: by a row that has it. */
const PARTS_OF_OTHERS = ['callback_attempts']

interface Column {
  readonly table: string
  readonly column: string
}

async function timesOf(rig: Rig): Promise<readonly Column[]> {
  const rows = await rig.sql(
    `select t.table_name, c.column_name from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE' and c.data_type in ('timestamp with time zone', 'timestamp without time zone', 'date', 'time with time zone', 'time without time zone', 'interval')
        and (table_name = any ($1) or exists (select from information_schema.columns m
          where m.table_schema = c.table_schema and m.table_name = c.table_name and m.column_name = 'merchant_id'))
      order by 1, 2`,
    [PARTS_OF_OTHERS],
  )
  return rows.map((row) => ({ table: String(row['table_name']), column: String(row['column_name']) }))
}

test('every time in a table that has a merchant moves or stays, and somebody has said why', async (t) => {
  const rig = await openRig(t)
  const found = (await timesOf(rig)).map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual([...Object.keys(MOVES), ...Object.keys(STAYS)].toSorted(), found.toSorted())
})

/** Every row of every table that has a merchant: its times, by what it is. */
async function snapshot(rig: Rig, merchantId: string): Promise<ReadonlyMap<string, number | null>> {
  const times = new Map<string, number | null>()
  const columns = (await timesOf(rig)).filter(({ table }) => !PARTS_OF_OTHERS.includes(table))
  for (const [table, own = []] of Map.groupBy(columns, (each) => each.table)) {
    const rows = await rig.sql(
      `select ${own.map(({ column }) => `extract(epoch from ${column})::float8 as ${column}`).join(', ')},
        (to_jsonb(r) - $2::text[])::text as what from ${table} r where merchant_id = $1`,
      [merchantId, [...own.map(({ column }) => column), 'revision', 'timeline_count']],
    )
    for (const row of rows)
      for (const { column } of own) {
        const value = row[column]
        times.set(`${table}.${column} ${String(row['what'])}`, typeof value === 'number' ? value : null)
      }
  }
  return times
}

const clocksOf = ({ db }: Rig) => buildClocks({ db, clock: systemClock })

const THREE_DAYS = 259_200
const OPERATOR = { operatorCode: 'grace' }

async function openMerchants(rig: Rig): Promise<readonly [string, string]> {
  await seedSandboxCatalogue(rig.db)
  const merchants = createMerchantService({ db: rig.db, secrets: rig.secrets, ids: randomIds })
  const made: string[] = []
  for (const code of ['ONE', 'TWO']) {
    const { merchantId } = await merchants.create(code, `Shop ${code}`)
    await createCatalogueSettings({ db: rig.db }).enableAllMethods(merchantId)
    made.push(merchantId)
  }
  const [one = '', two = ''] = made
  return [one, two]
}

/** Something of everything that waits, and of what was counted today. */
async function fill(rig: Rig, merchantId: string): Promise<void> {
  const payment = (given: Partial<NewPayment>): Promise<PaymentKey> =>
    accepted(rig, { merchantId, startsAtOnce: true, callbackUrl: 'https://shop.example/callbacks', ...given })
  await payment({ idPayment: `open-${merchantId}` })
  const failed = await payment({ idPayment: `failed-${merchantId}` })
  const failure = { code: 'DECLINED', message: 'No.' }
  const proposal = { status: 'FAILED', actor: 'rail:test', evidence: { class: 'RAIL' }, failure } as const
  await rig.service.propose(failed, proposal)
  await rig.sql(
    `update payment_tasks set unknown_since = now() where merchant_id = $1 and task = 'RAIL';
     `.trim(),
    [merchantId],
  )
  await rig.sql(
    `insert into settlement_cycles (merchant_id, currency_code, cycle, due_at) values ($1, 'EUR', 'DAILY', now() + interval '9 hours')`,
    [merchantId],
  )
  await rig.sql(
    `insert into payment_inquiries (merchant_id, kind, id_payment, question, answer, asked_at) values ($1, 'PAYIN', $2, 'ADVANCE', 'UNKNOWN', now())`,
    [merchantId, failed.idPayment],
  )
  const today = `(now() at time zone 'UTC')::date`
  await rig.sql(
    `insert into payment_daily_usage (merchant_id, kind, method_code, currency_code, day, amount, payments) values ($1, 'PAYIN', 'PIX', 'BRL', ${today}, 7, 1)`,
    [merchantId],
  )
  await rig.sql(
    `insert into payout_daily_sums (merchant_id, kind, currency_code, day, amount) values ($1, 'PAYOUT', 'EUR', ${today}, 7)`,
    [merchantId],
  )
}

const columnOf = (key: string): string => key.split(' ')[0] ?? key

test('an advance moves exactly what is due, of one merchant', async (t) => {
  const rig = await openRig(t)
  const [one, two] = await openMerchants(rig)
  await fill(rig, one)
  await fill(rig, two)
  const before = { one: await snapshot(rig, one), two: await snapshot(rig, two) }
  await clocksOf(rig).advance({ ...OPERATOR, merchantId: one, seconds: THREE_DAYS })
  const after = { one: await snapshot(rig, one), two: await snapshot(rig, two) }

  assert.deepEqual(after.two, before.two)
  const moved = new Set<string>()
  for (const [key, was] of before.one) {
    if (/daily/.test(key)) continue
    const is = after.one.get(key)
    if (was === is) continue
    moved.add(columnOf(key))
    if (columnOf(key) !== 'settlement_cycles.due_at')
      assert.equal(((was ?? 0) - (is ?? 0)).toFixed(3), THREE_DAYS.toFixed(3), key)
  }
  assert.deepEqual([...moved].toSorted(), Object.keys(MOVES).toSorted())
  // A run that knows the former time does not write down when it looks again.
  const [due] = await rig.sql(
    `select due_at <= clock_timestamp() as is_now, revision from settlement_cycles where merchant_id = $1`,
    [one],
  )
  assert.deepEqual(due, { is_now: true, revision: 2 })
  const counted = await rig.sql(
    `select merchant_id::text as merchant, amount::float8, payments::int from payment_daily_usage order by 1`,
  )
  assert.deepEqual(counted, [
    { merchant: one, amount: 0, payments: 0 },
    { merchant: two, amount: 7, payments: 1 },
  ])
  const sums = await rig.sql(`select amount::float8 from payout_daily_sums order by merchant_id`)
  assert.deepEqual(sums, [{ amount: 0 }, { amount: 7 }])
})

test('the ended payment keeps its end, and what a worker has under way keeps its lease', async (t) => {
  const rig = await openRig(t)
  const [one] = await openMerchants(rig)
  await fill(rig, one)
  await rig.sql(
    `update payment_tasks set lease_token = gen_random_uuid(), due_at = '2100-01-01' where task = 'RAIL'`,
  )
  await rig.sql(`update callback_events set lease_token = gen_random_uuid(), due_at = '2100-01-01'`)
  const [ended] = await rig.sql(`select expire_at from payments where status = 'FAILED'`)
  // Nobody waits for them for ever.
  let ms = 0
  const clock = { ...systemClock, monotonicMs: () => (ms += 10_000) }
  await buildClocks({ db: rig.db, clock }).advance({ ...OPERATOR, merchantId: one, seconds: THREE_DAYS })
  const [leases] = await rig.sql(
    `select (select count(*)::int from payment_tasks where lease_token is not null and due_at = '2100-01-01') as tasks,
      (select count(*)::int from callback_events where due_at = '2100-01-01') as callbacks`,
  )
  assert.deepEqual(leases, { tasks: 1, callbacks: 1 })
  assert.deepEqual((await rig.sql(`select expire_at from payments where status = 'FAILED'`))[0], ended)
})

test('a merchant with real payments has real time, by the service and by the database', async (t) => {
  const rig = await openRig(t)
  const [one, two] = await openMerchants(rig)
  await accepted(rig, { merchantId: one, isTest: false })
  const clocks = clocksOf(rig)
  await assert.rejects(
    clocks.advance({ ...OPERATOR, merchantId: one, seconds: 1 }),
    (error) => error instanceof Refusal && error.code === 'CLOCK_NOT_MOVABLE',
  )
  const insert = `insert into clock_advances (merchant_id, advance_no, seconds, total_seconds, advanced_by) values ($1, 1, 1, 1, 'grace')`
  await assert.rejects(rig.sql(insert, [one]), /a merchant with real payments has real time/)
  assert.equal((await clocks.read(one)).advancedSeconds, 0)
  await rig.sql(insert, [two])
  await assert.rejects(rig.sql('delete from clock_advances'), /a clock is never set back/)
})

test('advances add up, also those that come together', async (t) => {
  const rig = await openRig(t)
  const [one, two] = await openMerchants(rig)
  await fill(rig, one)
  const [{ at: was } = { at: 0 }] = await rig.sql(
    `select extract(epoch from expire_at)::float8 as at from payments where merchant_id = $1 and status = 'CREATED'`,
    [one],
  )
  const clocks = clocksOf(rig)
  await Promise.all(
    Array.from({ length: 8 }, () => clocks.advance({ ...OPERATOR, merchantId: one, seconds: 60 })),
  )
  const clock = await clocks.read(one)
  assert.equal(clock.advancedSeconds, 480)
  assert.equal(clock.advances.length, 8)
  assert.ok(clock.advances.every(({ seconds, advancedBy }) => seconds === 60 && advancedBy === 'grace'))
  const [{ at: is } = { at: 0 }] = await rig.sql(
    `select extract(epoch from expire_at)::float8 as at from payments where merchant_id = $1 and status = 'CREATED'`,
    [one],
  )
  assert.equal((Number(was) - Number(is)).toFixed(3), '480.000')
  assert.deepEqual((await clocks.read(two)).advances, [])
})

test('a rail is told of a payment as old as it is by the clock of its merchant', async (t) => {
  const rig = await openRig(t)
  const [one, two] = await openMerchants(rig)
  // It must not expire before its rail is asked.
  const waiting = { startsAtOnce: true, expiresAfterSeconds: 2 * THREE_DAYS }
  await accepted(rig, { ...waiting, merchantId: one, idPayment: 'before' })
  await accepted(rig, { ...waiting, merchantId: two, idPayment: 'of-another' })
  await clocksOf(rig).advance({ ...OPERATOR, merchantId: one, seconds: THREE_DAYS })
  await accepted(rig, { ...waiting, merchantId: one, idPayment: 'after' })
  const ages = new Map<string, number>()
  const rail = railThat(({ reference }, { ageSeconds }) => {
    ages.set(reference, ageSeconds)
    return WAITING
  })
  rig.startWorker({ rail })
  await waitUntil(() => ages.size === 3, { timeoutMs: 15_000, what: 'the questions' })
  const rows = await rig.sql(`select id_payment, reference from payments order by id_payment`)
  const isOld = rows.map((row) => [
    row['id_payment'],
    (ages.get(String(row['reference'])) ?? 0) >= THREE_DAYS,
  ])
  assert.deepEqual(isOld, [
    ['after', false],
    ['before', true],
    ['of-another', false],
  ])
})

test('an institution is asked again at once, and after three days of not knowing people find out', async (t) => {
  const rig = await openRig(t)
  const [one, two] = await openMerchants(rig)
  const asked = new Map<string, number>()
  const rail = railThat(({ reference }) => {
    asked.set(reference, (asked.get(reference) ?? 0) + 1)
    return { kind: 'UNKNOWN', askAgainSeconds: 3_600 }
  })
  const waiting = { startsAtOnce: true, reference: 'of-one', expiresAfterSeconds: 2 * THREE_DAYS }
  const key = await accepted(rig, { ...waiting, merchantId: one })
  const other = await accepted(rig, { ...waiting, merchantId: two, reference: 'of-two' })
  rig.startWorker({ rail, inquirySchedule: INQUIRY_SCHEDULE })
  const phaseOf = async (of: PaymentKey) => (await rig.service.find(of))?.processorStatus
  const until = (condition: () => boolean | Promise<boolean>, what: string): Promise<void> =>
    waitUntil(condition, { timeoutMs: 15_000, what })
  await until(async () => (await phaseOf(key)) === 'UNKNOWN', 'the first answer')
  await until(async () => (await phaseOf(other)) === 'UNKNOWN', 'the first answer of the other')
  const clocks = clocksOf(rig)
  await clocks.advance({ ...OPERATOR, merchantId: one, seconds: 3_600 })
  await until(() => asked.get('of-one') === 2, 'the second question')
  await clocks.advance({ ...OPERATOR, merchantId: one, seconds: THREE_DAYS })
  await until(async () => (await phaseOf(key)) === 'IN_REVIEW', 'the review')
  assert.equal(asked.get('of-two'), 1)
  assert.equal(await phaseOf(other), 'UNKNOWN')
})

test('what a worker is doing ends first, and what follows from it becomes due earlier', async (t) => {
  const rig = await openRig(t)
  const [one] = await openMerchants(rig)
  await fill(rig, one)
  await rig.sql(
    `update payment_tasks set lease_token = gen_random_uuid(), due_at = now() + interval '30 seconds' where task = 'RAIL'`,
  )
  let looks = 0
  const clocks = createClockService({
    db: rig.db,
    clock: systemClock,
    moves: [movePayments],
    hasRealPayments,
    leases: [
      async (tx, merchantId) => {
        looks += 1
        // The answer has come: the institution is asked again in an hour.
        if (looks === 3)
          await rig.sql(
            `update payment_tasks set lease_token = null, due_at = now() + interval '1 hour' where task = 'RAIL'`,
          )
        return listPaymentLeases(tx, merchantId)
      },
    ],
  })
  await clocks.advance({ ...OPERATOR, merchantId: one, seconds: 3_600 })
  const [task] = await rig.sql(
    `select due_at <= clock_timestamp() as is_due from payment_tasks where task = 'RAIL' and merchant_id = $1`,
    [one],
  )
  assert.equal(task?.['is_due'], true)
})
