import type { Statement, Tx } from '../../platform/database.ts'
import { countOver, daysAgo, type ExpiringDocuments } from '../../platform/expiry.ts'

/** Acts `c` that have ended: by their age, or as soon as a person is erased from what came of them. */
const OVER = `c.state <> 'WAITING' and c.sealed is not null
        and (${daysAgo('c.ended_at')}
          or exists (select from payout_reports r where r.content_hash = c.digest and length(r.sealed) = 0)
          or exists (select from statement_lines l where l.line_id = any (c.line_ids) and length(l.sealed) = 0)
          or exists (select from statement_files f join statements s on s.file_id = f.file_id
            join statement_lines l on l.statement_id = s.statement_id
            where f.content_hash = c.digest and length(l.sealed) = 0))`
const ERASE: Statement = {
  name: 'confirmations_erase_over',
  text: `update confirmations set data_key = null, sealed = null where confirmation_id in (
      select c.confirmation_id from confirmations c where ${OVER} order by c.confirmation_id limit $2 for update skip locked)
    returning 1`,
}
const COUNT: Statement = {
  name: 'confirmations_count_over',
  text: `select count(*)::int as over, min(c.ended_at) as oldest_at from confirmations c where ${OVER}`,
}
const COUNT_ABOUT: Statement = {
  name: 'confirmations_count_about',
  text: `select count(*)::int as acts from confirmations c
    where c.sealed is not null and (c.digest = any ($1::bytea[]) or c.line_ids && $2::bigint[])`,
}

/** How many acts have the bytes of a document with one of these digests, or are about one of these statement lines. */
export async function countActsAbout(
  tx: Tx,
  digests: readonly Buffer[],
  lineIds: readonly string[],
): Promise<number> {
  const [row] = await tx.rows<{ acts: number }>(COUNT_ABOUT, [digests, lineIds])
  return row?.acts ?? 0
}

/** The bytes of what waited for a second operator. */
export const EXPIRING_ACTS: ExpiringDocuments = {
  erase: async (tx, days, limit) => (await tx.rows(ERASE, [days, limit])).length,
  findOver: (tx, days) => countOver(tx, COUNT, [days]),
}
