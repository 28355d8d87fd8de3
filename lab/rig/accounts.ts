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

/** What became of the payments of several shops. */
export function sumOf(accounts: readonly Account[]): Account {
  const sum = (of: keyof Account): number => accounts.reduce((total, account) => total + account[of], 0)
  return {
    acknowledged: sum('acknowledged'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    repeatedCallbacks: sum('repeatedCallbacks'),
  }
}

/** Those of the acknowledged payments that are not in the database. */
export async function missingOf(
  { accepted }: Shops,
  sql: Sql,
  merchantCode: string,
): Promise<readonly string[]> {
  const rows = await sql(
    `select id from unnest($2::text[]) as id where not exists (
      select from payments join merchants using (merchant_id) where merchant_code = $1 and id_payment = id)`,
    [merchantCode, [...(accepted.get(merchantCode) ?? [])]],
  )
  return rows.map(({ id }) => String(id))
}

/** All that may change of a merchant's payments, as one text. */
export async function stateOf(sql: Sql, merchantCode: string): Promise<string> {
  const [row] = await sql(
    `select md5(string_agg(p::text, ' ' order by p.kind, p.id_payment)) || (select count(*) from ledger_transfers t where t.merchant_id = m.merchant_id) as state
      from payments p join merchants m using (merchant_id) where m.merchant_code = $1 group by m.merchant_id`,
    [merchantCode],
  )
  return String(row?.['state'])
}

/** The end of the journal, as it is kept elsewhere: `<entryNo>:<chain hash>`. */
export async function headOf(sql: Sql): Promise<string> {
  const [row] = await sql(
    `select entry_no || ':' || encode(chain_hash, 'hex') as head from ledger_journal order by entry_no desc limit 1`,
  )
  return String(row?.['head'])
}
