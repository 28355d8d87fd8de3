import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey } from '../payments/index.ts'

const FIND: Statement = {
  name: 'payout_files_find_traces',
  text: `with own as materialized (
      select distinct x.file_id from payout_file_payments x
        join unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment) using (merchant_id, kind, id_payment)),
    files as materialized (
      select exists (select from payout_file_payments o join payments p using (merchant_id, kind, id_payment)
          where o.file_id = f.file_id and p.status = 'CREATED') as is_open
      from payout_files f join own using (file_id) where length(f.sealed) > 0),
    reports as materialized (
      select r.content_hash, length(r.sealed) > 0 as is_kept from payout_reports r join own using (file_id))
    select (select count(*) from files)::int as files, (select count(*) from files where is_open)::int as open_files,
      (select count(*) from reports where is_kept)::int as reports, array(select content_hash from reports) as digests`,
}

/** Files that payments are in, and reports about these files. */
interface FileTraces {
  /** With their bytes, as the reports. */
  readonly files: number
  /** Among them those in which somebody's payment has not ended. */
  readonly openFiles: number
  readonly reports: number
  /** SHA-256 of all reports, also of those without their bytes. */
  readonly digests: readonly Buffer[]
}

/** Finds the files and reports that the payments are in. */
export async function findFileTraces(tx: Tx, keys: readonly PaymentKey[]): Promise<FileTraces> {
  const [row] = await tx.rows<{ files: number; open_files: number; reports: number; digests: Buffer[] }>(
    FIND,
    [keys.map((key) => key.merchantId), keys.map((key) => key.kind), keys.map((key) => key.idPayment)],
  )
  return {
    files: row?.files ?? 0,
    openFiles: row?.open_files ?? 0,
    reports: row?.reports ?? 0,
    digests: row?.digests ?? [],
  }
}
