import type { MemberRole, OperatorRole } from '@tollgate/contract/words'
import type { Statement, Tx } from '../../platform/database.ts'
import {
  type Membership,
  type OperatorAccount,
  type OperatorKey,
  type Permission,
  rolesPermitting,
} from './model.ts'

export interface OperatorRow {
  readonly operator_id: string
  readonly operator_code: string
  readonly name: string
  readonly roles: OperatorRole[]
  readonly status: 'ACTIVE' | 'DISABLED'
  readonly created_at: Date
  readonly merchant_code: string | null
  readonly member_role: MemberRole | null
}

/** Of `operators o`, where other tables stand beside it. */
export const OWNER_COLUMNS = `o.operator_id, o.operator_code, o.name, o.roles, o.status, o.created_at, o.merchant_code, o.member_role`
const OPERATOR_COLUMNS = `operator_id, operator_code, name, roles, status, created_at, merchant_code, member_role`
/** Keys live by the database's clock: every process sees the same end. */
const KEY_IS_ACTIVE = `removed_at is null and (expires_at is null or expires_at > clock_timestamp())`

const KEY_COLUMNS = 'key_id, created_at, expires_at, made_by, seconded_by'

const FIND_BY_CODE: Statement = {
  name: 'operators_find_by_code',
  text: `select ${OPERATOR_COLUMNS} from operators where operator_code = $1`,
}
const CLAIM: Statement = {
  name: 'operators_claim',
  text: `select ${OPERATOR_COLUMNS} from operators where operator_code = $1 for update`,
}
const FIND_BY_KEY_HASH: Statement = {
  name: 'operators_find_by_key_hash',
  text: `select ${OWNER_COLUMNS}, k.key_id, k.key_hash, k.made_by, k.second_hash
    from operator_keys k join operators o using (operator_id) where k.key_hash = $1 and ${KEY_IS_ACTIVE}`,
}
const LIST: Statement = {
  name: 'operators_list',
  text: `select ${OPERATOR_COLUMNS}, (select count(*)::int from operator_keys k
      where k.operator_id = o.operator_id and ${KEY_IS_ACTIVE}) as keys
    from operators o where merchant_code is null order by operator_code limit $1`,
}
const LIST_POWERLESS: Statement = {
  name: 'operators_list_powerless',
  text: `select operator_code from operators
    where operator_code = any($1::text[]) and (status <> 'ACTIVE' or not roles && $2::text[])`,
}
const INSERT: Statement = {
  name: 'operators_insert',
  text: `insert into operators (operator_code, name, roles) values ($1, $2, $3)
    on conflict (operator_code) do nothing returning ${OPERATOR_COLUMNS}`,
}
const UPDATE: Statement = {
  name: 'operators_update',
  text: `update operators set status = coalesce($2, status), roles = coalesce($3, roles)
    where operator_code = $1 returning ${OPERATOR_COLUMNS}`,
}
const LIST_KEYS: Statement = {
  name: 'operators_list_keys',
  text: `select ${KEY_COLUMNS} from operator_keys where operator_id = $1 and ${KEY_IS_ACTIVE}
    order by created_at, key_id`,
}
const INSERT_KEY: Statement = {
  name: 'operators_insert_key',
  text: `insert into operator_keys (operator_id, key_id, key_hash, expires_at, made_by)
    values ($1, $2, $3, clock_timestamp() + make_interval(days => $4::integer), $5) returning ${KEY_COLUMNS}`,
}
const SECOND_KEY: Statement = {
  name: 'operators_second_key',
  text: `update operator_keys set second_hash = $3, seconded_by = $4, seconded_at = clock_timestamp()
    where operator_id = $1 and key_id = $2 and ${KEY_IS_ACTIVE} and made_by <> $4 and second_hash is null
    returning ${KEY_COLUMNS}`,
}
const REMOVE_KEY: Statement = {
  name: 'operators_remove_key',
  text: `update operator_keys set removed_at = clock_timestamp()
    where operator_id = $1 and key_id = $2 and removed_at is null returning key_id`,
}

export async function findOperatorByCode(tx: Tx, code: string): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(FIND_BY_CODE, [code])
  return row && toOperator(row)
}

/** The same, and nobody else changes the operator until the transaction ends. */
export async function claimOperator(tx: Tx, code: string): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(CLAIM, [code])
  return row && toOperator(row)
}

/** A key as it is stored, and whose it is. */
interface KeyOwner {
  readonly operator: OperatorAccount
  readonly keyId: string
  readonly hash: Buffer
  readonly madeBy: string | undefined
  readonly secondHash: Buffer | undefined
}

interface KeyOwnerRow extends OperatorRow {
  readonly key_id: string
  readonly key_hash: Buffer
  readonly made_by: string | null
  readonly second_hash: Buffer | null
}

/** Whose active key has this hash, also when the operator is disabled. */
export async function findOperatorByKeyHash(tx: Tx, hash: Buffer): Promise<KeyOwner | undefined> {
  const [row] = await tx.rows<KeyOwnerRow>(FIND_BY_KEY_HASH, [hash])
  if (row === undefined) return undefined
  const { key_hash, made_by, second_hash } = row
  return {
    operator: toOperator(row),
    keyId: row.key_id,
    hash: key_hash,
    madeBy: made_by ?? undefined,
    secondHash: second_hash ?? undefined,
  }
}

/** All operators of the house by code, each with the number of its active keys. */
export async function listOperators(
  tx: Tx,
  limit: number,
): Promise<readonly (OperatorAccount & { readonly keys: number })[]> {
  const rows = await tx.rows<OperatorRow & { keys: number }>(LIST, [limit])
  return rows.map((row) => ({ ...toOperator(row), keys: row.keys }))
}

/** Undefined when the code is taken. */
/** Those of the operators who are disabled, or whose roles permit it no more. */
export async function listPowerless(
  tx: Tx,
  permission: Permission,
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set()
  const rows = await tx.rows<Pick<OperatorRow, 'operator_code'>>(LIST_POWERLESS, [
    codes,
    rolesPermitting(permission),
  ])
  return new Set(rows.map((row) => row.operator_code))
}

export async function insertOperator(
  tx: Tx,
  operator: Pick<OperatorAccount, 'code' | 'name' | 'roles'>,
): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(INSERT, [operator.code, operator.name, operator.roles])
  return row && toOperator(row)
}

export interface OperatorChange {
  readonly status?: 'ACTIVE' | 'DISABLED'
  readonly roles?: readonly OperatorRole[]
}

/** Changes the members that are given; undefined when there is no such operator. */
export async function updateOperator(
  tx: Tx,
  code: string,
  change: OperatorChange,
): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(UPDATE, [code, change.status ?? null, change.roles ?? null])
  return row && toOperator(row)
}

/** The keys that open something now, oldest first. */
export async function listKeys(tx: Tx, operatorId: string): Promise<readonly OperatorKey[]> {
  return (await tx.rows<KeyRow>(LIST_KEYS, [operatorId])).map(toKey)
}

export interface NewOperatorKey {
  readonly keyId: string
  readonly hash: Buffer
  /** From now on; undefined for ever. */
  readonly days: number | undefined
  /** The ADMIN; undefined for the command line. */
  readonly madeBy: string | undefined
}

export async function insertKey(tx: Tx, operatorId: string, key: NewOperatorKey): Promise<OperatorKey> {
  const [row] = await tx.rows<KeyRow>(INSERT_KEY, [
    operatorId,
    key.keyId,
    key.hash,
    key.days ?? null,
    key.madeBy ?? null,
  ])
  if (row === undefined) throw new Error('the key was not stored')
  return toKey(row)
}

/** Adds the second half; undefined when there is no such key, it has one, or nobody else made it. */
export async function updateKeySeconded(
  tx: Tx,
  operatorId: string,
  { keyId, hash, by }: { readonly keyId: string; readonly hash: Buffer; readonly by: string },
): Promise<OperatorKey | undefined> {
  const [row] = await tx.rows<KeyRow>(SECOND_KEY, [operatorId, keyId, hash, by])
  return row && toKey(row)
}

/** False when the operator has no such key. */
export async function updateKeyRemoved(tx: Tx, operatorId: string, keyId: string): Promise<boolean> {
  return (await tx.rows(REMOVE_KEY, [operatorId, keyId])).length === 1
}

interface KeyRow {
  readonly key_id: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly made_by: string | null
  readonly seconded_by: string | null
}

function toKey(row: KeyRow): OperatorKey {
  return {
    keyId: row.key_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    madeBy: row.made_by ?? undefined,
    secondedBy: row.seconded_by ?? undefined,
  }
}

export function toOperator(row: OperatorRow): OperatorAccount {
  return {
    operatorId: row.operator_id,
    code: row.operator_code,
    name: row.name,
    roles: row.roles,
    status: row.status,
    createdAt: row.created_at,
    ...memberOf(row),
  }
}

const memberOf = ({
  merchant_code: merchantCode,
  member_role: role,
}: OperatorRow): { member?: Membership } =>
  merchantCode === null || role === null ? {} : { member: { merchantCode, role } }
