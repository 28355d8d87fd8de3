import { setTimeout as sleep } from 'node:timers/promises'
import type { Shops } from './shops.ts'
import { type Sql, sqlNumber } from './sql.ts'

const POLL_MS = 500
const QUIET_MS_MAX = 900_000

/** What became of the payments that were acknowledged. */
export interface Account {
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  /** Callbacks that came more than once. */
  readonly repeatedCallbacks: number
}

/** Until no more than so much is to be done by workers, callbacks above all. */
export async function untilDue(sql: Sql, countMax: number): Promise<void> {
  const deadlineMs = performance.now() + QUIET_MS_MAX
  const open = `select (select count(*) from payment_tasks where task = 'RAIL')
    + (select count(*) from callback_events where state = 'PENDING')`
  while ((await sqlNumber(sql, open)) > countMax) {
    if (performance.now() > deadlineMs) throw new Error('something stays due')
    await sleep(POLL_MS)
  }
}

/** Each acknowledged payment is in the merchant's cell, ended once, and told. */
export async function accountFor(shops: Shops, cells: Readonly<Record<string, Sql>>): Promise<Account> {
  let [acknowledged, lost, doubled, repeatedCallbacks] = [0, 0, 0, 0]
  for (const [code, sql] of Object.entries(cells)) {
    const booked = new Map(
      (
        await sql(
          `select p.id_payment, count(t.transfer_id)::int as bookings from payments p join merchants m using (merchant_id)
            left join ledger_transfers t using (merchant_id, kind, id_payment) where m.merchant_code = $1 group by 1`,
          [code],
        )
      ).map((row) => [String(row['id_payment']), Number(row['bookings'])]),
    )
    for (const id of shops.accepted.get(code) ?? []) {
      const bookings = booked.get(id) ?? 0
      acknowledged += 1
      if (bookings === 0 || !shops.told.has(id)) lost += 1
      if (bookings > 1) doubled += 1
      if ((shops.told.get(id) ?? 0) > 1) repeatedCallbacks += 1
    }
  }
  return { acknowledged, lost, doubled, repeatedCallbacks }
}
