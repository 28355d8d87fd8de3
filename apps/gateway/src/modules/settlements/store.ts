import { parsePlainAmount, subtractAmounts } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import {
  type ItemSum,
  type ItemType,
  type Settlement,
  type SettlementItem,
  type SettlementKey,
  type SettlementKind,
  type ShownAccount,
  shownNumber,
} from './model.ts'

/** A requested settlement has the status of the payment that pays it out; one of a cycle was done when it was made. */
const SELECT = `select s.merchant_id, s.id_settlement, s.kind, s.currency_code, s.period_from, s.period_to, s.gross, s.fees, s.adjustments, s.net,
      s.repaid, s.settled_currency_code, s.settled_amount, s.conversion, s.account, s.reference, s.request_digest, s.created_at,
      p.status, p.processor_status, p.processed_at, p.failure_code, p.failure_message, p.failed_at, p.is_test
    from settlements s left join payments p
      on p.merchant_id = s.merchant_id and p.kind = 'SETTLEMENT' and p.id_payment = s.id_settlement and s.kind = 'REQUESTED'`

const FIND: Statement = {
  name: 'settlements_find',
  text: `${SELECT} where s.merchant_id = $1 and s.id_settlement = $2`,
}
const LIST: Statement = {
  name: 'settlements_list',
  text: `${SELECT}
    where s.merchant_id = $1 and ($2::timestamptz is null or s.created_at >= $2) and ($3::timestamptz is null or s.created_at < $3)
      and ($4::text[] is null or s.currency_code = any($4)) and ($5::text[] is null or coalesce(p.status, 'SUCCESS') = any($5))
      and ($6::text is null or (s.created_at, s.id_settlement) <
        (select c.created_at, c.id_settlement from settlements c where c.merchant_id = $1 and c.id_settlement = $6))
    order by s.created_at desc, s.id_settlement desc limit $7`,
}
const INSERT: Statement = {
  name: 'settlements_insert',
  text: `insert into settlements (merchant_id, id_settlement, kind, currency_code, period_from, period_to, gross, fees, adjustments, net, repaid,
      settled_currency_code, settled_amount, conversion, account, reference, request_digest)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    on conflict do nothing returning created_at`,
}
const FIND_LAST_END: Statement = {
  name: 'settlements_find_last_end',
  text: `select max(period_to) as ended_at from settlements where merchant_id = $1 and currency_code = $2 and kind = 'CYCLE'`,
}
const LIST_ITEMS: Statement = {
  name: 'settlements_list_items',
  text: `select transfer_id, type, id_entity, gross, fee, net, processed_at from settlement_items
    where merchant_id = $1 and id_settlement = $2 and ($3::uuid is null or (processed_at, transfer_id) >
      (select c.processed_at, c.transfer_id from settlement_items c where c.merchant_id = $1 and c.transfer_id = $3))
    order by processed_at, transfer_id limit $4`,
}

const SUM_ITEMS: Statement = {
  name: 'settlements_sum_items',
  text: `select type, count(*)::int as count, sum(gross)::text as gross, sum(fee)::text as fee, sum(net)::text as net
    from settlement_items where merchant_id = $1 and id_settlement = $2 group by type order by type`,
}

/** Texts only: jsonb would lose digits of a number. */
interface StoredConversion {
  readonly listCode: string
  readonly version: string
  readonly currencyCodes: readonly string[]
  readonly side: string
  readonly rate: string
  /** Of what was bought; absent for none, and before it was kept. */
  readonly repaid?: string
}

interface SettlementRow {
  readonly merchant_id: string
  readonly id_settlement: string
  readonly kind: SettlementKind
  readonly currency_code: string
  readonly period_from: Date | null
  readonly period_to: Date | null
  readonly gross: string
  readonly fees: string
  readonly adjustments: string
  readonly net: string
  readonly repaid: string
  readonly settled_currency_code: string | null
  readonly settled_amount: string | null
  readonly conversion: StoredConversion | null
  readonly account: ShownAccount | null
  readonly reference: string
  readonly request_digest: Buffer | null
  readonly created_at: Date
  readonly status: string | null
  readonly processor_status: string | null
  readonly processed_at: Date | null
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly failed_at: Date | null
  readonly is_test: boolean | null
}

export type NewSettlement = Omit<Settlement, 'createdAt' | 'paidOut'>

/** Inserts a settlement; undefined when its id is taken, or its period was settled. */
export async function insertSettlement(tx: Tx, settlement: NewSettlement): Promise<Date | undefined> {
  const { period, account } = settlement
  const [row] = await tx.rows<{ created_at: Date }>(INSERT, [
    settlement.merchantId,
    settlement.idSettlement,
    settlement.kind,
    settlement.currencyCode,
    period?.from ?? null,
    period?.to ?? null,
    settlement.gross,
    settlement.fees,
    settlement.adjustments,
    settlement.net,
    settlement.repaid,
    ...conversionValues(settlement),
    account === undefined ? null : JSON.stringify(account),
    settlement.reference,
    settlement.requestDigest ?? null,
  ])
  return row?.created_at
}

function conversionValues({ conversion }: NewSettlement): readonly unknown[] {
  if (conversion === undefined) return [null, null, null]
  const { listCode, version, currencyCodes, side, rate, bought, repaid } = conversion
  const stored: StoredConversion = {
    listCode,
    version: String(version),
    currencyCodes,
    side,
    rate,
    ...(repaid !== undefined && { repaid: repaid.amount }),
  }
  return [bought.currencyCode, bought.amount, JSON.stringify(stored)]
}

export async function findSettlement(
  tx: Tx,
  { merchantId, idSettlement }: SettlementKey,
): Promise<Settlement | undefined> {
  const [row] = await tx.rows<SettlementRow>(FIND, [merchantId, idSettlement])
  return row && toSettlement(row)
}

export interface SettlementFilter {
  readonly merchantId: string
  /** By the time of the creation: from this moment on, and before that one. */
  readonly from: Date | undefined
  readonly before: Date | undefined
  readonly currencyCodes: readonly string[] | undefined
  readonly statuses: readonly string[] | undefined
  /** The last id of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

/** A merchant's settlements, the newest first. */
export async function listSettlements(tx: Tx, filter: SettlementFilter): Promise<readonly Settlement[]> {
  const rows = await tx.rows<SettlementRow>(LIST, [
    filter.merchantId,
    filter.from ?? null,
    filter.before ?? null,
    filter.currencyCodes ?? null,
    filter.statuses ?? null,
    filter.after ?? null,
    filter.limit,
  ])
  return rows.map(toSettlement)
}

/** Where the last period ended that was settled; undefined before the first settlement. */
export async function findLastEnd(
  tx: Tx,
  key: { readonly merchantId: string; readonly currencyCode: string },
): Promise<Date | undefined> {
  const [row] = await tx.rows<{ ended_at: Date | null }>(FIND_LAST_END, [key.merchantId, key.currencyCode])
  return row?.ended_at ?? undefined
}

interface ItemFilter extends SettlementKey {
  /** The last transfer of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

interface ItemRow {
  readonly transfer_id: string
  readonly type: ItemType
  readonly id_entity: string
  readonly gross: string
  readonly fee: string
  readonly net: string
  readonly processed_at: Date
}

/** What the settlement consists of, in the order of the bookings. */
export async function listItems(tx: Tx, filter: ItemFilter): Promise<readonly SettlementItem[]> {
  const values = [filter.merchantId, filter.idSettlement, filter.after ?? null, filter.limit]
  const rows = await tx.rows<ItemRow>(LIST_ITEMS, values)
  return rows.map((row) => ({
    transferId: row.transfer_id,
    type: row.type,
    idEntity: row.id_entity,
    gross: parsePlainAmount(row.gross),
    fee: parsePlainAmount(row.fee),
    net: parsePlainAmount(row.net),
    processedAt: row.processed_at,
  }))
}

interface SumRow {
  readonly type: ItemType
  readonly count: number
  readonly gross: string
  readonly fee: string
  readonly net: string
}

/** What the items of each type add up to. */
export async function listItemSums(
  tx: Tx,
  { merchantId, idSettlement }: SettlementKey,
): Promise<readonly ItemSum[]> {
  const rows = await tx.rows<SumRow>(SUM_ITEMS, [merchantId, idSettlement])
  return rows.map(({ type, count, gross, fee, net }) => ({
    type,
    count,
    gross: parsePlainAmount(gross),
    fee: parsePlainAmount(fee),
    net: parsePlainAmount(net),
  }))
}

const shownAccount = (account: ShownAccount): ShownAccount => ({
  ...account,
  maskedNumber: shownNumber(account.maskedNumber),
})

function toSettlement(row: SettlementRow): Settlement {
  const { period_from: from, period_to: to } = row
  return {
    merchantId: row.merchant_id,
    idSettlement: row.id_settlement,
    kind: row.kind,
    currencyCode: row.currency_code,
    period: from === null || to === null ? undefined : { from, to },
    gross: parsePlainAmount(row.gross),
    fees: parsePlainAmount(row.fees),
    adjustments: parsePlainAmount(row.adjustments),
    net: parsePlainAmount(row.net),
    repaid: parsePlainAmount(row.repaid),
    conversion: conversionOf(row),
    account: row.account === null ? undefined : shownAccount(row.account),
    reference: row.reference,
    requestDigest: row.request_digest ?? undefined,
    createdAt: row.created_at,
    paidOut: paidOutOf(row),
  }
}

function conversionOf(row: SettlementRow): Settlement['conversion'] {
  const { conversion, settled_amount: amount, settled_currency_code: currencyCode } = row
  if (conversion === null || amount === null || currencyCode === null) return undefined
  const { repaid, version, ...how } = conversion
  return {
    ...how,
    version: Number(version),
    sold: {
      amount: subtractAmounts(parsePlainAmount(row.net), parsePlainAmount(row.repaid)),
      currencyCode: row.currency_code,
    },
    bought: { amount: parsePlainAmount(amount), currencyCode },
    ...(repaid !== undefined && { repaid: { amount: parsePlainAmount(repaid), currencyCode } }),
  }
}

function paidOutOf(row: SettlementRow): Settlement['paidOut'] {
  if (row.status === null || row.processor_status === null || row.is_test === null) return undefined
  const { failure_code: code, failed_at: failedAt } = row
  return {
    status: row.status,
    processorStatus: row.processor_status,
    processedAt: row.processed_at ?? undefined,
    failure:
      code === null || failedAt === null ? undefined : { code, message: row.failure_message ?? '', failedAt },
    isTest: row.is_test,
  }
}
