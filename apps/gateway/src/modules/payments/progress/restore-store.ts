import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKind } from '../model.ts'

const LIST_KNOWN_IDS: Statement = {
  name: 'payments_list_known_ids',
  text: `select id_payment from payments where merchant_id = $1 and kind = $2 and id_payment = any ($3) and created_at < $4`,
}
const LIST_KNOWN_REFERENCES: Statement = {
  name: 'payments_list_known_references',
  text: 'select distinct reference from payments where reference = any ($1)',
}
const COUNT_HELD: Statement = {
  name: 'payments_count_held_since_restore',
  text: `select count(*)::int as held from payments p join payment_holds h
      on h.merchant_id = p.merchant_id and h.kind = p.kind and h.id_payment = p.id_payment and h.entry_no = p.timeline_count
    where h.cause = 'RESTORED' and p.status = 'CREATED' and p.processor_status = 'ON_HOLD'`,
}

/** Which of the ids have a payment here that is older than the moment. */
export async function listKnownIds(
  tx: Tx,
  {
    merchantId,
    kind,
    idPayments,
  }: { readonly merchantId: string; readonly kind: PaymentKind; readonly idPayments: readonly string[] },
  before: Date,
): Promise<readonly string[]> {
  const rows = await tx.rows<{ id_payment: string }>(LIST_KNOWN_IDS, [merchantId, kind, idPayments, before])
  return rows.map((row) => row.id_payment)
}

/** Which of the references belong to a payment here. */
export async function listKnownReferences(
  tx: Tx,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ reference: string }>(LIST_KNOWN_REFERENCES, [references])
  return new Set(rows.map(({ reference }) => reference))
}

/** How many payments are on hold since a restore. */
export async function countHeldSinceRestore(tx: Tx): Promise<number> {
  return (await tx.rows<{ held: number }>(COUNT_HELD, []))[0]?.held ?? 0
}
