import type { Direction } from '../../modules/catalogue/model.ts'
import type {
  CatalogueRows,
  FeeRow,
  MerchantMethodRow,
  MerchantTermsRows,
} from '../../modules/catalogue/rows.ts'
import type { ConfigurationScope } from '../../platform/configuration-changes.ts'
import type { ChangeRecord, Disk, MerchantRecord } from './disk.ts'
import { element, later, type Session, type Statements, type Texts } from './statements.ts'

/** The one row of the catalogue. */
export const ALL = 'ALL'

function catalogueOf(disk: Disk): CatalogueRows {
  const rows = disk.catalogue.get(ALL)
  if (rows === undefined) throw new Error('there is no catalogue')
  return rows
}

function termsOf(disk: Disk, merchantId: string): MerchantTermsRows {
  return disk.terms.get(merchantId) ?? { methods: [], limits: [], fees: [] }
}

/** The number of the transaction that writes now: each that commits takes one, and a failover gives back those it lost. */
const xidOf = (disk: Disk): number => disk.position() + 1

/** What the triggers of the configuration do. */
function note({ disk, at }: Session, scope: ConfigurationScope, merchant_id: string | null): void {
  const change_id = String(disk.nextNumber('change'))
  disk.changedConfiguration.insert(change_id, {
    change_id,
    scope,
    merchant_id,
    changed_at: at,
    xid: xidOf(disk),
  })
}

function changesThat(disk: Disk, count: (change: ChangeRecord) => boolean): readonly object[] {
  const horizon = String(xidOf(disk))
  const found = [...disk.changedConfiguration.values()].filter(count)
  if (found.length === 0) return [{ change_id: null, scope: null, merchant_id: null, horizon }]
  return found.map(({ change_id, scope, merchant_id }) => ({ change_id, scope, merchant_id, horizon }))
}

const listRecent = ({ disk, at }: Session, seconds: number): readonly object[] =>
  changesThat(disk, ({ changed_at }) => changed_at > later(at, -seconds))

const listSince = ({ disk }: Session, horizon: string): readonly object[] =>
  changesThat(disk, ({ xid }) => xid >= Number(horizon))

type FeeValues = [
  direction: Direction,
  methodCode: string,
  operatorCode: string,
  segmentCode: string,
  currencyCode: string,
  fixed: string,
  percentage: string,
]

function upsertFee(session: Session, ...values: FeeValues): readonly object[] {
  const { disk } = session
  const [direction, methodCode, operatorCode, segmentCode, currencyCode, fixed, percentage] = values
  const fee: FeeRow = {
    direction,
    methodCode,
    operatorCode,
    segmentCode,
    currencyCode,
    fixed,
    percentage,
    minimum: null,
    maximum: null,
    pricedCurrencyCode: null,
    rateListCode: null,
  }
  const isSame = (other: FeeRow): boolean =>
    other.direction === direction && other.methodCode === methodCode && other.currencyCode === currencyCode
  const before = catalogueOf(disk)
  disk.catalogue.put(ALL, { ...before, fees: [...before.fees.filter((each) => !isSame(each)), fee] })
  note(session, 'CATALOGUE', null)
  return []
}

function setMethods(session: Session, merchantId: string, methods: readonly MerchantMethodRow[]): void {
  session.disk.terms.put(merchantId, { ...termsOf(session.disk, merchantId), methods })
  note(session, 'MERCHANT', merchantId)
}

const isUse =
  (methodCode: string, direction: string) =>
  (row: MerchantMethodRow): boolean =>
    row.methodCode === methodCode && row.direction === direction

function insertMethods(
  session: Session,
  ...values: [merchantId: string, methods: Texts, directions: readonly Direction[]]
): readonly object[] {
  const [merchantId, methods, directions] = values
  return methods.flatMap((methodCode, i) => {
    const direction = element(directions, i)
    const before = termsOf(session.disk, merchantId).methods
    if (before.some(isUse(methodCode, direction))) return []
    setMethods(session, merchantId, [...before, { methodCode, direction }])
    return [{ method_code: methodCode }]
  })
}

function deleteMethod(
  session: Session,
  ...values: [merchantId: string, methodCode: string, direction: Direction]
): readonly object[] {
  const [merchantId, methodCode, direction] = values
  const { methods: before } = termsOf(session.disk, merchantId)
  const after = before.filter((row) => !isUse(methodCode, direction)(row))
  if (after.length === before.length) return []
  setMethods(session, merchantId, after)
  return [{ method_code: methodCode }]
}

function revoke(session: Session, merchant_id: string, jti: string): readonly object[] {
  const key = `${merchant_id} ${jti}`
  if (session.disk.revocations.get(key) !== undefined) return []
  session.disk.revocations.insert(key, { merchant_id, jti })
  note(session, 'REVOCATIONS', merchant_id)
  return []
}

/** Everything that changes nothing here is the same for all. */
function readMerchant({ merchant_id, merchant_code, callback_key_generation }: MerchantRecord): object {
  return {
    merchant_id,
    merchant_code,
    channel_name: 'A shop',
    logo_url: null,
    logo: null,
    support_email: null,
    support_url: null,
    primary_color: null,
    cell: null,
    status: 'ACTIVE',
    rate_limit_per_second: 10,
    secret_enabled: false,
    allowed_origins: [],
    callback_origins: null,
    return_origins: null,
    segments: null,
    require_money_in_tokens: false,
    tokens_not_before_seconds: null,
    token_generation: 0,
    callback_key_generation,
    key_ids: [],
    key_pems: [],
    key_bits: [],
    secret_ids: [],
    secret_hashes: [],
    half_ids: [],
  }
}

function findByCode({ disk }: Session, code: string): readonly object[] {
  return [...disk.merchants.values()].filter((each) => each.merchant_code === code).map(readMerchant)
}

function findById({ disk }: Session, merchantId: string): readonly object[] {
  const merchant = disk.merchants.get(merchantId)
  return merchant === undefined ? [] : [readMerchant(merchant)]
}

function rotateKey(session: Session, merchantId: string): readonly object[] {
  const merchant = session.disk.merchants.get(merchantId)
  if (merchant === undefined) return []
  const callback_key_generation = merchant.callback_key_generation + 1
  session.disk.merchants.put(merchantId, { ...merchant, callback_key_generation })
  note(session, 'MERCHANT', merchantId)
  return []
}

const nothing = (): readonly object[] => []

/** The statements that read and change the configuration, and tell of it. */
export const CONFIGURATION_STATEMENTS: Statements = {
  configuration_list_recent: listRecent,
  configuration_list_since: listSince,
  // Nothing is old enough here.
  configuration_delete_old_changes: nothing,
  tokens_delete_old_revocations: nothing,
  catalogue_find: ({ disk }: Session) => [catalogueOf(disk)],
  catalogue_find_terms: ({ disk }: Session, merchantId: string) => [termsOf(disk, merchantId)],
  merchants_list_codes: (session: Session, merchantIds: readonly string[]) =>
    merchantIds.flatMap((merchantId) => findById(session, merchantId)),
  catalogue_upsert_fee: upsertFee,
  catalogue_insert_merchant_methods: insertMethods,
  catalogue_delete_merchant_method: deleteMethod,
  tokens_insert_revocation: revoke,
  tokens_list_revocations: ({ disk }: Session) => [...disk.revocations.values()],
  merchants_find_by_code: findByCode,
  merchants_find_by_id: findById,
  merchants_rotate_callback_key: rotateKey,
}
