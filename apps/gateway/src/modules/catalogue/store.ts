import type { Statement, Tx } from '../../platform/database.ts'
import type { Catalogue, Direction, MerchantTerms } from './model.ts'
import type { CatalogueRows, MerchantTermsRows } from './rows.ts'
import { buildCatalogue, buildTerms } from './snapshot.ts'

/** One statement, hence one snapshot of the database: a fee can never be of another moment than its method. */
const FIND_CATALOGUE: Statement = {
  name: 'catalogue_find',
  text: `select
    (select coalesce(json_agg(json_build_object('code', currency_code, 'name', name, 'type', type, 'minorUnits', minor_units)
        order by type desc, currency_code), '[]')
      from currencies where enabled) as "currencies",
    (select coalesce(json_agg(json_build_object('code', segment_code, 'name', name) order by position, segment_code), '[]')
      from segments) as "segments",
    (select coalesce(json_agg(json_build_object('code', operator_code, 'name', name, 'type', type, 'countryCode', country_code,
        'currencyCodes', currency_codes, 'payin', payin_availability, 'payout', payout_availability,
        'popularRank', popular_rank, 'bic', bic, 'aliases', aliases)
        order by position, operator_code), '[]')
      from payment_operators where enabled) as "operators",
    (select coalesce(json_agg(json_build_object('code', method_code, 'name', name, 'flow', flow, 'rail', rail,
        'externalReference', external_reference, 'expiresAfterSeconds', expires_after_seconds, 'payinSpeed', payin_speed,
        'payoutSpeed', payout_speed)
        order by position, method_code), '[]')
      from payment_methods where enabled) as "methods",
    (select coalesce(json_agg(json_build_object('methodCode', method_code, 'operatorCode', operator_code)), '[]')
      from payment_method_operators) as "methodOperators",
    (select coalesce(json_agg(json_build_object('methodCode', method_code, 'direction', direction, 'currencyCode', currency_code,
        'segmentCode', segment_code, 'min', min_amount::text, 'max', max_amount::text)
        order by method_code, direction, currency_code, segment_code), '[]')
      from payment_method_limits) as "limits",
    (select coalesce(json_agg(json_build_object('methodCode', method_code, 'segmentCode', segment_code)
        order by method_code, segment_code), '[]')
      from payment_method_excluded_segments) as "excludedSegments",
    (select coalesce(json_agg(json_build_object('methodCode', method_code, 'direction', direction, 'name', field_name,
        'required', required, 'pattern', pattern, 'maxLength', max_length, 'checksum', checksum)
        order by method_code, direction, position, field_name), '[]')
      from payment_method_fields) as "fields",
    (select coalesce(json_agg(json_build_object('direction', direction, 'methodCode', method_code, 'operatorCode', operator_code,
        'segmentCode', segment_code, 'currencyCode', currency_code, 'fixed', fixed::text, 'percentage', percentage::text,
        'minimum', minimum::text, 'maximum', maximum::text,
        'pricedCurrencyCode', priced_currency_code, 'rateListCode', rate_list_code)), '[]')
      from fees) as "fees",
    (select coalesce(json_agg(json_build_object('type', institution_type, 'code', institution_code, 'direction', direction,
        'availability', case when is_by_hand then by_hand else observed end, 'isByHand', is_by_hand)), '[]')
      from (select *, by_hand is not null and coalesce(by_hand_until > statement_timestamp(), true) as is_by_hand from institution_health) h
      where is_by_hand or observed <> 'OPERATIONAL') as "health"`,
}

const FIND_TERMS: Statement = {
  name: 'catalogue_find_terms',
  text: `select
    (select coalesce(json_agg(json_build_object('methodCode', method_code, 'direction', direction)), '[]')
      from merchant_methods where merchant_id = $1) as "methods",
    (select coalesce(json_agg(json_build_object('methodCode', method_code, 'direction', direction, 'currencyCode', currency_code,
        'min', min_amount::text, 'max', max_amount::text,
        'dailyAmountMax', daily_amount_max::text, 'dailyCountMax', daily_count_max)), '[]')
      from merchant_limits where merchant_id = $1) as "limits",
    (select coalesce(json_agg(json_build_object('direction', direction, 'methodCode', method_code, 'operatorCode', operator_code,
        'segmentCode', segment_code, 'currencyCode', currency_code, 'fixed', fixed::text, 'percentage', percentage::text,
        'minimum', minimum::text, 'maximum', maximum::text,
        'pricedCurrencyCode', priced_currency_code, 'rateListCode', rate_list_code)), '[]')
      from merchant_fees where merchant_id = $1) as "fees"`,
}

const LIST_METHODS_IN_USE: Statement = {
  name: 'catalogue_list_methods_in_use',
  text: `select distinct m.method_code as "methodCode", u.direction, m.rail
    from merchant_methods u join payment_methods m using (method_code) join merchants c using (merchant_id)
    where m.enabled and c.status = 'ACTIVE' order by 1, 2`,
}

const FIND_INSTITUTION: Statement = {
  name: 'catalogue_find_institution',
  text: `select 1 from payment_operators where $1 = 'OPERATOR' and operator_code = $2
    union all (select 1 from payment_methods where $1 = 'RAIL' and rail = $2 limit 1)`,
}

const INSERT_MERCHANT_METHODS: Statement = {
  name: 'catalogue_insert_merchant_methods',
  text: `insert into merchant_methods (merchant_id, method_code, direction)
    select $1, wanted.method_code, wanted.direction
    from unnest($2::text[], $3::text[]) as wanted (method_code, direction)
    on conflict do nothing returning method_code`,
}

const DELETE_MERCHANT_METHOD: Statement = {
  name: 'catalogue_delete_merchant_method',
  text: `delete from merchant_methods where merchant_id = $1 and method_code = $2 and direction = $3
    returning method_code`,
}

const UPSERT_MERCHANT_LIMIT: Statement = {
  name: 'catalogue_upsert_merchant_limit',
  text: `insert into merchant_limits (merchant_id, method_code, direction, currency_code,
      min_amount, max_amount, daily_amount_max, daily_count_max)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (merchant_id, method_code, direction, currency_code) do update set
      min_amount = excluded.min_amount, max_amount = excluded.max_amount,
      daily_amount_max = excluded.daily_amount_max, daily_count_max = excluded.daily_count_max`,
}

const UPSERT_FEE: Statement = {
  name: 'catalogue_upsert_fee',
  text: `insert into fees (direction, method_code, operator_code, segment_code, currency_code,
      fixed, percentage, minimum, maximum, priced_currency_code, rate_list_code)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    on conflict (direction, method_code, operator_code, segment_code, currency_code) do update set
      fixed = excluded.fixed, percentage = excluded.percentage, minimum = excluded.minimum, maximum = excluded.maximum,
      priced_currency_code = excluded.priced_currency_code, rate_list_code = excluded.rate_list_code`,
}

const UPSERT_MERCHANT_FEE: Statement = {
  name: 'catalogue_upsert_merchant_fee',
  text: `insert into merchant_fees (direction, method_code, operator_code, segment_code, currency_code,
      fixed, percentage, minimum, maximum, priced_currency_code, rate_list_code, merchant_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    on conflict (merchant_id, direction, method_code, operator_code, segment_code, currency_code) do update set
      fixed = excluded.fixed, percentage = excluded.percentage, minimum = excluded.minimum, maximum = excluded.maximum,
      priced_currency_code = excluded.priced_currency_code, rate_list_code = excluded.rate_list_code`,
}

/** The whole catalogue as it is now. */
export async function findCatalogue(tx: Tx): Promise<Catalogue> {
  const [row] = await tx.rows<CatalogueRows>(FIND_CATALOGUE, [])
  if (row === undefined) throw new Error('a statement without a table gave no row')
  return buildCatalogue(row)
}

/** What is agreed with the merchant now; for an unknown merchant, nothing. */
export async function findTerms(tx: Tx, merchantId: string): Promise<MerchantTerms> {
  return buildTerms(merchantId, await findTermsRows(tx, merchantId))
}

/** What is agreed with the merchant, row by row as it was set. */
export async function findTermsRows(tx: Tx, merchantId: string): Promise<MerchantTermsRows> {
  const [row] = await tx.rows<MerchantTermsRows>(FIND_TERMS, [merchantId])
  if (row === undefined) throw new Error('a statement without a table gave no row')
  return row
}

/** A method that some merchant has, with the rail that carries its payments. */
export interface MethodInUse {
  readonly methodCode: string
  readonly direction: Direction
  readonly rail: string
}

/** The methods that active merchants have. */
export function listMethodsInUse(tx: Tx): Promise<readonly MethodInUse[]> {
  return tx.rows<MethodInUse>(LIST_METHODS_IN_USE, [])
}

/** Whether the catalogue has a payment operator, or uses a rail, of this name, enabled or not. */
export async function isInstitution(
  tx: Tx,
  { type, code }: { readonly type: 'OPERATOR' | 'RAIL'; readonly code: string },
): Promise<boolean> {
  return (await tx.rows(FIND_INSTITUTION, [type, code])).length > 0
}

export interface MethodUse {
  readonly methodCode: string
  readonly direction: Direction
}

/** Configures methods for the merchant; answers how many were not configured before. */
export async function insertMerchantMethods(
  tx: Tx,
  merchantId: string,
  uses: readonly MethodUse[],
): Promise<number> {
  const rows = await tx.rows(INSERT_MERCHANT_METHODS, [
    merchantId,
    uses.map(({ methodCode }) => methodCode),
    uses.map(({ direction }) => direction),
  ])
  return rows.length
}

/** Takes a method from the merchant; answers whether it was configured. */
export async function deleteMerchantMethod(tx: Tx, merchantId: string, use: MethodUse): Promise<boolean> {
  const rows = await tx.rows(DELETE_MERCHANT_METHOD, [merchantId, use.methodCode, use.direction])
  return rows.length > 0
}

interface MerchantLimitRecord extends MethodUse {
  readonly merchantId: string
  readonly currencyCode: string
  readonly min: string | null
  readonly max: string | null
  readonly dailyAmountMax: string | null
  readonly dailyCountMax: number | null
}

/** Sets all the bounds of a merchant's limit; null takes one away. */
export async function upsertMerchantLimit(tx: Tx, limit: MerchantLimitRecord): Promise<void> {
  await tx.rows(UPSERT_MERCHANT_LIMIT, [
    limit.merchantId,
    limit.methodCode,
    limit.direction,
    limit.currencyCode,
    limit.min,
    limit.max,
    limit.dailyAmountMax,
    limit.dailyCountMax,
  ])
}

export interface FeeRecord extends MethodUse {
  readonly operatorCode: string
  readonly segmentCode: string
  readonly currencyCode: string
  readonly fixed: string
  readonly percentage: string
  readonly minimum: string | null
  readonly maximum: string | null
  readonly pricedCurrencyCode: string | null
  readonly rateListCode: string | null
}

/** Sets a fee of the house, or of one merchant. */
export async function upsertFee(tx: Tx, fee: FeeRecord, merchantId: string | undefined): Promise<void> {
  const values = [
    fee.direction,
    fee.methodCode,
    fee.operatorCode,
    fee.segmentCode,
    fee.currencyCode,
    fee.fixed,
    fee.percentage,
    fee.minimum,
    fee.maximum,
    fee.pricedCurrencyCode,
    fee.rateListCode,
  ]
  if (merchantId === undefined) await tx.rows(UPSERT_FEE, values)
  else await tx.rows(UPSERT_MERCHANT_FEE, [...values, merchantId])
}
