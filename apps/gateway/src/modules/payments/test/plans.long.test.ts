import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import { runSql, type TestLife } from '@tollgate/testkit'
import type { Statement, Tx } from '../../../platform/database.ts'
import { testPostgres } from '../../../platform/test/index.ts'
import { insertOutgoing, insertPayments } from '../accept/store.ts'
import { searchPayments } from '../people/search-store.ts'
import { listPersonalData } from '../privacy/personal-data-store.ts'
import { claimTasks, claimTasksBeside, findNextDueSeconds } from '../progress/task-store.ts'
import { listPayments, listPaymentsForUpdate, updatePayments } from '../store.ts'
import { keyOf, newPayment } from './rig.ts'

const STORED = 100_000
/** Left to itself, PostgreSQL settles for one plan per prepared statement after five times. */
const TIMES = 8

interface Explaining {
  readonly tx: Tx
  sql(text: string): Promise<unknown>
  /** The plans of the work as they were carried out the last of several times. */
  plansOf(work: () => Promise<unknown>): Promise<string>
}

/** A session with the settings of the product's own. */
async function openExplaining(t: TestLife): Promise<Explaining> {
  const { db, outside, url } = await testPostgres(t)
  const [setting] = await db.rows<{ mode: string; cost: string }>(
    {
      name: 'mode',
      text: `select current_setting('plan_cache_mode') as mode, current_setting('random_page_cost') as cost`,
    },
    [],
  )
  assert(setting)
  await outside.query(`set plan_cache_mode = ${setting.mode}; set random_page_cost = ${setting.cost}; load 'auto_explain';
    set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set client_min_messages = log`)
  let plans: string[] = []
  outside.on('notice', (notice) => plans.push(notice.message ?? ''))
  return {
    tx: {
      rows: async <Row extends object>(
        { name, text, isPlannedOnce }: Statement,
        values: readonly unknown[],
      ) => {
        const mode = isPlannedOnce === true ? 'force_generic_plan' : setting.mode
        const scans = isPlannedOnce === true ? 'off' : 'on'
        await outside.query(`set plan_cache_mode = ${mode}; set enable_seqscan = ${scans}`)
        return (await outside.query<Row>({ name, text, values: [...values] })).rows
      },
    },
    // In a session without the product's limit of time: filling takes long on a busy machine.
    sql: (text) => runSql(url, text),
    async plansOf(work) {
      for (let time = 0; time < TIMES; time += 1) {
        plans = []
        await work()
      }
      assert(plans.length > 0, 'there are plans to look at')
      return plans.join('\n')
    },
  }
}

/** Fills the tables behind the service's back: all payments are open, their rails are to be asked, and they expire some time in the next hour. */
async function fill(explaining: Explaining): Promise<void> {
  await fillPayments(explaining)
  await fillQueue(explaining)
}

async function fillPayments({ sql }: Explaining): Promise<void> {
  await sql(
    `insert into payments (merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
      method_code, rail, reference, instructions, callback_url, is_test, expire_at)
    select n % 20, 'PAYIN', 'old-' || n, gen_random_uuid(), '\\x00', 'AWAITING_CUSTOMER', 100, 'EUR', 3, 'BANK_TRANSFER', 'test', 'R', '{}',
      'https://shop.example/', true, now() + make_interval(secs => 60 + n % 3600) from generate_series(1, ${STORED}) n on conflict do nothing`,
  )
  await sql(
    `insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed) select merchant_id, kind, id_payment, 'REQUEST', '\\x00', '\\x00' from payments on conflict do nothing`,
  )
}

async function fillQueue({ sql }: Explaining, limit = STORED): Promise<void> {
  await sql(
    `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, task, case task when 'RAIL' then now() - random() * interval '1 hour' else expire_at end
    from (select * from payments where id_payment like 'old-%' limit ${limit}) p, unnest(array['EXPIRE', 'RAIL']) task on conflict do nothing`,
  )
}

/** A merchant with money, among many. */
async function fillBalances({ sql }: Explaining): Promise<void> {
  await sql(
    `insert into balances (merchant_id, currency_code, available) select n, 'EUR', 1e9 from generate_series(1, ${STORED}) n on conflict do nothing`,
  )
}

/** From both ends of what is due. */
const BESIDE_READ_MAX = 1_000

const claimBeside = (tx: Tx, rail: string, from: string | undefined) =>
  claimTasksBeside(
    tx,
    { task: 'RAIL', limit: 200, leaseToken: randomIds.uuid(), leaseSeconds: 30 },
    { rails: [rail], from },
  )

const payout = () => newPayment({ kind: 'PAYOUT' })

const oldKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const n = index * 97 + 1
    return { merchantId: String(n % 20), kind: 'PAYIN' as const, idPayment: `old-${n}` }
  })

/** How many rows of the large tables each step of the plans has read, in all its rounds. */
function rowsReadIn(plans: string): readonly number[] {
  const step = /Scan using \S+ on (?:payment|balance)\S* .*actual time=\S+ rows=([\d.]+) loops=(\d+)/g
  return [...plans.matchAll(step)].map(([, rows, loops]) => Number(rows) * Number(loops))
}

/** How the tables come to be full, and what PostgreSQL knows of it. */
const STATES: Record<string, (explaining: Explaining, use: () => Promise<void>) => Promise<void>> = {
  'and analyzed': async (explaining) => {
    await fillBalances(explaining)
    await fill(explaining)
    await explaining.sql('analyze')
  },
  // A plan that was made while the tables were empty must not read them through once they are full.
  'and not analyzed': async (explaining, use) => {
    await use()
    await fillBalances(explaining)
    await fill(explaining)
  },
  // The queue is empty again and again, and its rows are others a minute later.
  'and analyzed while next to nothing was to be done': async (explaining) => {
    await fillBalances(explaining)
    await fillPayments(explaining)
    await fillQueue(explaining, 3)
    await explaining.sql('analyze')
    await fillQueue(explaining)
  },
}

for (const [state, reach] of Object.entries(STATES)) {
  test(`with ${STORED} payments stored, ${state}, no hot statement reads a table through`, async (t) => {
    const explaining = await openExplaining(t)
    const { tx, plansOf } = explaining
    const hot: Record<string, () => Promise<unknown>> = {
      'insert of 1': () => insertPayments(tx, [newPayment()]),
      'insert of 100': () =>
        insertPayments(
          tx,
          Array.from({ length: 100 }, () => newPayment()),
        ),
      'insert of 1 payout': () => insertOutgoing(tx, [payout()]),
      'insert of 100 payouts': () => insertOutgoing(tx, Array.from({ length: 100 }, payout)),
      'insert of 100 that exist': () =>
        insertPayments(
          tx,
          oldKeys(100).map((key) => newPayment(key)),
        ),
      'find of 1': () => listPayments(tx, oldKeys(1)),
      'find of 100': () => listPayments(tx, oldKeys(100)),
      'lock of 100': () => listPaymentsForUpdate(tx, oldKeys(100)),
      'personal data of 100': () => listPersonalData(tx, oldKeys(100)),
      'claim with nothing due': () =>
        claimTasks(tx, { task: 'EXPIRE', limit: 200, leaseToken: randomIds.uuid(), leaseSeconds: 30 }),
      'claim of 200': () =>
        claimTasks(tx, { task: 'RAIL', limit: 200, leaseToken: randomIds.uuid(), leaseSeconds: 30 }),
      'claim beside a rail that has all that is due': () => claimBeside(tx, 'test', '-infinity'),
      'claim beside another rail': () => claimBeside(tx, 'other', undefined),
      'next due': () => findNextDueSeconds(tx, 'EXPIRE'),
      'change of 100': async () => {
        const payments = Array.from({ length: 100 }, () => newPayment())
        await insertPayments(tx, payments)
        await updatePayments(
          tx,
          payments.map((payment) => ({
            ...keyOf(payment),
            status: 'FAILED',
            processorStatus: 'REJECTED',
            receivedAmount: undefined,
            receivedCurrencyCode: undefined,
            failureCode: 'DECLINED',
            failureMessage: 'No.',
            actor: 'rail:test',
            reason: undefined,
            evidenceClass: 'RAIL',
            operators: [],
            operatorsNeeded: 0,
          })),
        )
      },
    }
    await reach(explaining, async () => {
      for (const work of Object.values(hot)) await plansOf(work)
    })
    for (const [what, work] of Object.entries(hot)) {
      const plans = await plansOf(work)
      assert.doesNotMatch(plans, /Seq Scan on (payment|balances)/, what)
      const filtered = [...plans.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows))
      const looksAt = what.startsWith('claim beside') ? BESIDE_READ_MAX : undefined
      assert(Math.max(0, ...filtered) <= (looksAt ?? 200), `${what} reads rows it does not need: ${plans}`)
      assert(
        Math.max(0, ...rowsReadIn(plans)) <= (looksAt ?? 400),
        `${what} goes through a whole index: ${plans}`,
      )
      t.diagnostic(`${what}: ${plans.match(/duration: ([\d.]+) ms/)?.[1] ?? '?'} ms`)
    }
  })
}

test(`with ${STORED} payments stored, a page of those of a span of time reads about the page`, async (t) => {
  const { tx, plansOf, sql } = await openExplaining(t)
  await sql(
    `insert into payments (merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
      method_code, rail, reference, instructions, callback_url, is_test, expire_at, created_at)
    select n % 20, 'PAYIN', 'old-' || n, gen_random_uuid(), '\\x00', 'AWAITING_CUSTOMER', 100, 'EUR', 3, 'BANK_TRANSFER', 'test', 'R', '{}',
      'https://shop.example/', true, now(), now() - make_interval(secs => n * 10) from generate_series(1, ${STORED}) n`,
  )
  await sql('analyze payments')
  const LIMIT = 51
  const wanted = {
    lead: 'TIME' as const,
    value: undefined,
    merchantId: undefined,
    kind: undefined,
    status: undefined,
    currencyCode: undefined,
    methodCode: undefined,
    amountFrom: undefined,
    amountTo: undefined,
    createdFrom: new Date(Date.now() - 20 * 86_400_000),
    createdTo: new Date(),
    limit: LIMIT,
  } as const
  let after: string | undefined
  for (let page = 0; page < 2; page += 1) {
    let found: Awaited<ReturnType<typeof searchPayments>> = []
    const plans = await plansOf(async () => {
      found = await searchPayments(tx, { ...wanted, after })
    })
    assert.equal(found.length, LIMIT)
    assert.doesNotMatch(plans, /Seq Scan on payments/)
    for (const rows of rowsReadIn(plans)) assert.ok(rows <= 2 * LIMIT, plans)
    after = found.at(-1)?.place
  }
})
