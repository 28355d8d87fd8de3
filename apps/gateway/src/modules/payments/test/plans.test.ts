import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import pg from 'pg'
import { SESSION_OPTIONS, type Tx } from '../../../platform/database.ts'
import { randomIds } from '../../../platform/ids.ts'
import { insertPayments } from '../accept-store.ts'
import { listPersonalData } from '../personal-data-store.ts'
import { listPayments, listPaymentsForUpdate, updatePayments } from '../store.ts'
import { claimTasks, findNextDueSeconds } from '../task-store.ts'
import { keyOf, newPayment, openRig, type Rig } from './rig.ts'

const STORED = 100_000
/** Left to itself, PostgreSQL settles for one plan per prepared statement after five times. */
const TIMES = 8

/** A connection that hands out the plan of each statement as it was carried out. */
async function openExplaining(
  t: TestLife,
  rig: Rig,
): Promise<{ tx: Tx; plansOf: (work: () => Promise<unknown>) => Promise<string> }> {
  const client = new pg.Client({ connectionString: rig.url, options: SESSION_OPTIONS })
  await client.connect()
  t.after(() => client.end())
  await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
    set client_min_messages = log`)
  let plans: string[] = []
  client.on('notice', (notice) => plans.push(notice.message ?? ''))
  return {
    tx: {
      rows: async <Row extends object>(
        { name, text }: { name: string; text: string },
        values: readonly unknown[],
      ) => (await client.query<Row>({ name, text, values: [...values] })).rows,
    },
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

/** Fills the tables behind the service's back: all payments are open and expire some time in the next hour. */
async function fill(rig: Rig): Promise<void> {
  await rig.sql(
    `insert into payments (merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
      method_code, rail, reference, instructions, callback_url, is_test, expire_at)
    select n % 20, 'PAYIN', 'old-' || n, gen_random_uuid(), '\\x00', 'AWAITING_CUSTOMER', 100, 'EUR', 3, 'BANK_TRANSFER', 'test', 'R', '{}',
      'https://shop.example/', true, now() + make_interval(secs => 60 + n % 3600) from generate_series(1, ${STORED}) n on conflict do nothing`,
  )
  await rig.sql(
    `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) select merchant_id, kind, id_payment, 'EXPIRE', expire_at from payments on conflict do nothing`,
  )
  await rig.sql(
    `insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed) select merchant_id, kind, id_payment, 'REQUEST', '\\x00', '\\x00' from payments on conflict do nothing`,
  )
}

const oldKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const n = index * 97 + 1
    return { merchantId: String(n % 20), kind: 'PAYIN' as const, idPayment: `old-${n}` }
  })

for (const analyzed of [true, false]) {
  test(`with ${STORED} payments stored, ${analyzed ? 'and' : 'not'} analyzed, no hot statement reads a table through`, async (t) => {
    const rig = await openRig(t)
    const { tx, plansOf } = await openExplaining(t, rig)
    const hot: Record<string, () => Promise<unknown>> = {
      'insert of 1': () => insertPayments(tx, [newPayment()]),
      'insert of 100': () =>
        insertPayments(
          tx,
          Array.from({ length: 100 }, () => newPayment()),
        ),
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
          })),
        )
      },
    }
    if (analyzed) await fill(rig)
    // A plan that was made while the tables were empty must not read them through once they are full.
    else for (const work of Object.values(hot)) await plansOf(work)
    if (!analyzed) await fill(rig)
    await rig.sql(analyzed ? 'analyze' : 'select 1')
    for (const [what, work] of Object.entries(hot)) {
      const plans = await plansOf(work)
      assert.doesNotMatch(plans, /Seq Scan on payment/, what)
      const filtered = [...plans.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows))
      assert(Math.max(0, ...filtered) <= 200, `${what} reads rows it does not need: ${plans}`)
      t.diagnostic(`${what}: ${plans.match(/duration: ([\d.]+) ms/)?.[1] ?? '?'} ms`)
    }
  })
}
