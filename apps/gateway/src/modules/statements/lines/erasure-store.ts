import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../../payments/index.ts'

const KEYS = 'unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment)'
const ERASE: Statement = {
  name: 'statements_erase_payers',
  // Money that waits for a decision may have to go back to where it came from.
  text: `update statement_lines l set data_key = '', sealed = '' from ${KEYS}
    where l.merchant_id = k.merchant_id and l.kind = k.kind and l.id_payment = k.id_payment and l.open_amount = 0
      and length(l.sealed) > 0`,
}
const FIND_TRACES: Statement = {
  name: 'statements_find_traces',
  text: `with lines as materialized (
      select l.line_id, l.statement_id, length(l.sealed) > 0 as is_kept
      from statement_lines l join ${KEYS} using (merchant_id, kind, id_payment))
    select (select count(*) from lines where is_kept)::int as lines,
      array(select line_id from lines)::text[] as line_ids,
      array(select distinct f.content_hash from lines join statements s using (statement_id) join statement_files f using (file_id)) as digests`,
}

const valuesOf = (keys: readonly PaymentKey[]): readonly unknown[] => [
  keys.map((key) => key.merchantId),
  keys.map((key) => key.kind),
  keys.map((key) => key.idPayment),
]

/** Erases what banks said of the payers, in lines of statements about the payments that are decided. */
export async function erasePayersOfLines(tx: Tx, keys: readonly PaymentKey[]): Promise<void> {
  await tx.rows(ERASE, valuesOf(keys))
}

/** What statements say about payments. */
interface StatementTraces {
  /** Lines that say who paid. */
  readonly lines: number
  /** Of all lines. */
  readonly lineIds: readonly string[]
  /** SHA-256 of the files that have the lines. */
  readonly digests: readonly Buffer[]
}

/** Finds the lines about the payments, and the files that have them. */
export async function findStatementTraces(tx: Tx, keys: readonly PaymentKey[]): Promise<StatementTraces> {
  const [row] = await tx.rows<{ lines: number; line_ids: string[]; digests: Buffer[] }>(
    FIND_TRACES,
    valuesOf(keys),
  )
  return { lines: row?.lines ?? 0, lineIds: row?.line_ids ?? [], digests: row?.digests ?? [] }
}
