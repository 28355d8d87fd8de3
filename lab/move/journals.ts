import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sqlNumber } from '../rig/sql.ts'

const CHAINED_MS_MAX = 120_000
const POLL_MS = 500

/** Until every transfer has its entry in the journal. A worker must be running. */
export async function untilChained(sql: Sql): Promise<void> {
  const deadlineMs = performance.now() + CHAINED_MS_MAX
  const waiting = `select count(*) from ledger_transfers t where not exists (
    select from ledger_journal j where j.merchant_id = t.merchant_id and j.transfer_id = t.transfer_id)`
  for (let count = await sqlNumber(sql, waiting); count > 0; count = await sqlNumber(sql, waiting)) {
    if (performance.now() > deadlineMs) throw new Error(`${count} transfers stay without an entry`)
    await sleep(POLL_MS)
  }
}

/**
 * How many of the merchant's transfers in the journal that it left are not in the other one, or have other content. Without the number of the
 * transaction, which each database counts for itself; that the entries fit the transfers is the business of `ledger check`.
 */
export async function changedTransfers(left: Sql, now: Sql, merchantCode: string): Promise<number> {
  const [before, after] = [await contents(left, merchantCode), await contents(now, merchantCode)]
  return [...before].filter(([transferId, content]) => after.get(transferId) !== content).length
}

async function contents(sql: Sql, merchantCode: string): Promise<ReadonlyMap<string, string>> {
  const rows = await sql(
    `select transfer_id, md5((to_jsonb(t) - 'xid')::text || (
        select string_agg(p::text, ' ' order by posting_no) from ledger_postings p
        where p.merchant_id = t.merchant_id and p.transfer_id = t.transfer_id)) as content
      from ledger_journal join ledger_transfers t using (merchant_id, transfer_id) join merchants using (merchant_id) where merchant_code = $1`,
    [merchantCode],
  )
  return new Map(rows.map(({ transfer_id, content }) => [String(transfer_id), String(content)]))
}
