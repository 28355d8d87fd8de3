import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey } from '../payments/index.ts'

/** What others know and the restored database does not: what happened from a backup to the loss. */
export interface RestoreGap {
  readonly gapId: string
  /** Everything from before is here. */
  readonly lostFrom: Date
  readonly restoredAt: Date
  readonly openedBy: string
  /** The first of the two operators who close it. */
  readonly proposal:
    | { readonly by: string; readonly reason: string; readonly at: Date; readonly digest: string }
    | undefined
}

/** An account without a statement of the gap, and why two operators close it all the same. */
export interface Waiver {
  readonly accountCode: string
  readonly reason: string
  readonly by: string
  readonly at: Date
}

/** A closed gap with what was waived. */
interface WaivedGap extends Pick<RestoreGap, 'gapId' | 'lostFrom' | 'restoredAt'> {
  readonly closedBy: string
  readonly waiver: Waiver
}

/** The kinds of payments that a gap stops. */
type OutgoingKind = Extract<PaymentKey['kind'], 'PAYOUT' | 'SETTLEMENT'>

/** An id that was accepted in a gap. */
export interface GapId {
  readonly merchantId: string
  readonly kind: OutgoingKind
  readonly idPayment: string
  readonly namedBy: string
}

const GAP_LOCK = `select pg_advisory_xact_lock(hashtext('restore gaps'))`
const LOCK: Statement = { name: 'restore_gaps_lock', text: GAP_LOCK }
const FIND_OPEN: Statement = {
  name: 'restore_gaps_find_open',
  text: `select gap_id, lost_from, restored_at, opened_by, proposed_by, proposed_reason, proposed_at, proposed_digest
    from restore_gaps where closed_at is null`,
}
const OPEN: Statement = {
  name: 'restore_gaps_open',
  text: 'select held::int, asked::int from open_restore_gap($1, $2, $3)',
}
const LIST_IDS: Statement = {
  name: 'restore_gap_ids_list',
  text: `select merchant_id::text, kind, id_payment, named_by from restore_gap_ids where gap_id = $1
    order by merchant_id, kind, id_payment`,
}
const LIST_IDS_OF: Statement = {
  name: 'restore_gap_ids_list_of_merchant',
  text: 'select merchant_id::text, kind, id_payment, named_by from restore_gap_ids where merchant_id = $1',
}
const HAS_TRACES_OF: Statement = {
  name: 'restore_gaps_has_traces_of',
  text: `select exists (select from restore_gap_ids where merchant_id = $1) or exists (
      select from payments p join restore_gap_references g on g.reference = p.reference
      where p.merchant_id = $1 and p.status = 'CREATED') as "hasTraces"`,
}
const INSERT_IDS: Statement = {
  name: 'restore_gap_ids_insert',
  text: `insert into restore_gap_ids (merchant_id, kind, id_payment, gap_id, named_by)
    select $1, $2, id, $4, $5 from unnest($3::text[]) as id on conflict (merchant_id, kind, id_payment) do nothing returning 1`,
}
const UPDATE_PROPOSED: Statement = {
  name: 'restore_gaps_update_proposed',
  text: `update restore_gaps set proposed_by = $2, proposed_reason = $3, proposed_digest = $4,
      proposed_at = case when $2::text is not null then clock_timestamp() end
    where gap_id = $1 and closed_at is null`,
}
const UPDATE_CLOSED: Statement = {
  name: 'restore_gaps_update_closed',
  text: `update restore_gaps set closed_by = $2, closed_reason = $3, closed_at = clock_timestamp()
    where gap_id = $1 and closed_at is null and proposed_by <> $2 returning 1`,
}
const INSERT_REFERENCES: Statement = {
  name: 'restore_gap_references_insert',
  text: `insert into restore_gap_references (reference, gap_id) select reference, $1 from unnest($2::text[]) as reference
    on conflict (reference) do nothing`,
}

const LIST_WAIVERS: Statement = {
  name: 'restore_gap_waivers_list',
  text: `select account_code, reason, waived_by, waived_at from restore_gap_waivers where gap_id = $1
    order by account_code collate "C"`,
}
const INSERT_WAIVER: Statement = {
  name: 'restore_gap_waivers_insert',
  text: `insert into restore_gap_waivers (gap_id, account_code, reason, waived_by) values ($1, $2, $3, $4)
    on conflict (gap_id, account_code) do nothing returning 1`,
}
const LIST_WAIVED: Statement = {
  name: 'restore_gap_waivers_list_of_closed',
  text: `select g.gap_id::text, g.lost_from, g.restored_at, g.closed_by, w.account_code, w.reason, w.waived_by, w.waived_at
    from restore_gaps g join restore_gap_waivers w using (gap_id) where g.closed_at is not null
    order by g.gap_id, w.account_code collate "C"`,
}

/** One at a time changes a gap. Until the transaction ends. */
export async function lockGaps(tx: Tx): Promise<void> {
  await tx.rows(LOCK, [])
}

interface GapRow {
  readonly gap_id: string
  readonly lost_from: Date
  readonly restored_at: Date
  readonly opened_by: string
  readonly proposed_by: string | null
  readonly proposed_reason: string | null
  readonly proposed_at: Date | null
  readonly proposed_digest: string | null
}

/** The gap that is open; undefined when outgoing money flows. */
export async function findOpenGap(tx: Tx): Promise<RestoreGap | undefined> {
  const [row] = await tx.rows<GapRow>(FIND_OPEN, [])
  if (row === undefined) return undefined
  const { proposed_by: by, proposed_reason: reason, proposed_at: at, proposed_digest: digest } = row
  const isProposed = by !== null && reason !== null && at !== null && digest !== null
  return {
    gapId: row.gap_id,
    lostFrom: row.lost_from,
    restoredAt: row.restored_at,
    openedBy: row.opened_by,
    proposal: isProposed ? { by, reason, at, digest } : undefined,
  }
}

/** What opening a gap stopped. */
export interface GapOpened {
  /** Payments on hold: they leave by files, or wait for approval. */
  readonly held: number
  /** Payments that institutions are asked about. */
  readonly asked: number
}

/** Opens a gap, or goes on with the one that is open. */
export async function openGap(
  tx: Tx,
  gap: { readonly lostFrom: Date; readonly openedBy: string; readonly fileRails: readonly string[] },
): Promise<GapOpened> {
  const [row] = await tx.rows<GapOpened>(OPEN, [gap.lostFrom, gap.openedBy, gap.fileRails])
  if (row === undefined) throw new Error('a restore gap was not opened')
  return { held: row.held, asked: row.asked }
}

interface IdRow {
  readonly merchant_id: string
  readonly kind: OutgoingKind
  readonly id_payment: string
  readonly named_by: string
}

const toGapId = (row: IdRow): GapId => ({
  merchantId: row.merchant_id,
  kind: row.kind,
  idPayment: row.id_payment,
  namedBy: row.named_by,
})

/** The ids that were named for a gap, in order. */
export async function listGapIds(tx: Tx, gapId: string): Promise<readonly GapId[]> {
  return (await tx.rows<IdRow>(LIST_IDS, [gapId])).map(toGapId)
}

/** The ids of a merchant, of every gap. */
export async function listGapIdsOf(tx: Tx, merchantId: string): Promise<readonly GapId[]> {
  return (await tx.rows<IdRow>(LIST_IDS_OF, [merchantId])).map(toGapId)
}

/** Ids of one merchant and kind. */
export interface NamedIds {
  readonly merchantId: string
  readonly kind: OutgoingKind
  readonly idPayments: readonly string[]
}

/** Names ids of a gap; answers how many were new. */
export async function insertGapIds(
  tx: Tx,
  { merchantId, kind, idPayments }: NamedIds,
  by: { readonly gapId: string; readonly namedBy: string },
): Promise<number> {
  return (await tx.rows(INSERT_IDS, [merchantId, kind, idPayments, by.gapId, by.namedBy])).length
}

/** Notes who wants to close the gap; without one, that nobody does any more. */
export async function updateProposed(
  tx: Tx,
  gapId: string,
  proposal: { readonly by: string; readonly reason: string; readonly digest: string } | undefined,
): Promise<void> {
  const values = [gapId, proposal?.by ?? null, proposal?.reason ?? null, proposal?.digest ?? null]
  await tx.rows(UPDATE_PROPOSED, values)
}

/** Closes the gap, in the name of another operator than the first, and notes references that no payment may have. */
export async function updateClosed(
  tx: Tx,
  gapId: string,
  end: { readonly by: string; readonly reason: string; readonly references: readonly string[] },
): Promise<boolean> {
  await tx.rows(INSERT_REFERENCES, [gapId, end.references])
  return (await tx.rows(UPDATE_CLOSED, [gapId, end.by, end.reason])).length > 0
}

interface WaiverRow {
  readonly account_code: string
  readonly reason: string
  readonly waived_by: string
  readonly waived_at: Date
}

const toWaiver = (row: WaiverRow): Waiver => ({
  accountCode: row.account_code,
  reason: row.reason,
  by: row.waived_by,
  at: row.waived_at,
})

/** Accounts of which no statement is waited for, in order. */
export async function listWaivers(tx: Tx, gapId: string): Promise<readonly Waiver[]> {
  return (await tx.rows<WaiverRow>(LIST_WAIVERS, [gapId])).map(toWaiver)
}

/** Notes that no statement of the account is waited for; answers whether that is new. */
export async function insertWaiver(tx: Tx, gapId: string, waiver: Omit<Waiver, 'at'>): Promise<boolean> {
  return (await tx.rows(INSERT_WAIVER, [gapId, waiver.accountCode, waiver.reason, waiver.by])).length > 0
}

interface WaivedRow extends WaiverRow {
  readonly gap_id: string
  readonly lost_from: Date
  readonly restored_at: Date
  readonly closed_by: string
}

/** What was waived of gaps that are closed. */
export async function listWaivedGaps(tx: Tx): Promise<readonly WaivedGap[]> {
  return (await tx.rows<WaivedRow>(LIST_WAIVED, [])).map((row) => ({
    gapId: row.gap_id,
    lostFrom: row.lost_from,
    restoredAt: row.restored_at,
    closedBy: row.closed_by,
    waiver: toWaiver(row),
  }))
}

/** Whether payouts of the merchant are stopped, or would be, since they may have left in a restore gap of this database. */
export async function hasGapTracesOf(tx: Tx, merchantId: string): Promise<boolean> {
  const [row] = await tx.rows<{ hasTraces: boolean }>(HAS_TRACES_OF, [merchantId])
  return row?.hasTraces === true
}
