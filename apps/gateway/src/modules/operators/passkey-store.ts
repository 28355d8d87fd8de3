import type { Statement, Tx } from '../../platform/database.ts'
import type { OperatorAccount, OperatorPasskey } from './model.ts'
import { type OperatorRow, OWNER_COLUMNS, toOperator } from './store.ts'
import type { NewCredential } from './webauthn.ts'

const PASSKEY_COLUMNS = `p.passkey_id, p.name, p.created_at, p.last_used_at, p.is_backed_up, p.invited_by, p.is_half, p.confirmed_by`
const CREDENTIAL_COLUMNS = 'p.credential_id, p.public_key, p.counter::text as counter'
/** One that was registered by a session of a key, and is not confirmed, opens nothing without the key. */
export const PASSKEY_IS_ACTIVE = `p.removed_at is null and (p.key_id is null or p.confirmed_by is not null or exists (
    select 1 from operator_keys r where r.operator_id = p.operator_id and r.key_id = p.key_id
      and r.removed_at is null and (r.expires_at is null or r.expires_at > clock_timestamp())))`

const LIST: Statement = {
  name: 'operators_list_passkeys',
  text: `select ${PASSKEY_COLUMNS}, ${CREDENTIAL_COLUMNS} from operator_passkeys p
    where p.operator_id = $1 and ${PASSKEY_IS_ACTIVE} order by p.created_at, p.passkey_id`,
}
const FIND_BY_CREDENTIAL: Statement = {
  name: 'operators_find_by_credential',
  text: `select ${OWNER_COLUMNS}, p.passkey_id, ${CREDENTIAL_COLUMNS}
    from operator_passkeys p join operators o using (operator_id) where p.credential_id = $1 and ${PASSKEY_IS_ACTIVE}`,
}
const FIND: Statement = {
  name: 'operators_find_passkey',
  text: `select o.operator_code, ${PASSKEY_COLUMNS}, ${CREDENTIAL_COLUMNS}
    from operator_passkeys p join operators o using (operator_id) where p.passkey_id = $1 and ${PASSKEY_IS_ACTIVE}`,
}
const INSERT: Statement = {
  name: 'operators_insert_passkey',
  text: `insert into operator_passkeys as p
      (operator_id, passkey_id, credential_id, public_key, counter, is_backed_up, name, invited_by, key_id, is_half)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing returning ${PASSKEY_COLUMNS}`,
}
const UPDATE_USED: Statement = {
  name: 'operators_update_passkey_used',
  text: `update operator_passkeys set counter = $3, is_backed_up = $4, last_used_at = clock_timestamp()
    where passkey_id = $1 and counter = $2::bigint and removed_at is null and ($3::bigint > counter or ($3::bigint = 0 and counter = 0))
    returning passkey_id`,
}
const UPDATE_CONFIRMED: Statement = {
  name: 'operators_update_passkey_confirmed',
  text: `update operator_passkeys p set confirmed_by = $2, confirmed_at = clock_timestamp()
    where p.passkey_id = $1 and p.is_half and p.confirmed_by is null and p.invited_by is distinct from $2 and ${PASSKEY_IS_ACTIVE}
    returning ${PASSKEY_COLUMNS}`,
}
const UPDATE_REMOVED: Statement = {
  name: 'operators_update_passkey_removed',
  text: `update operator_passkeys set removed_at = clock_timestamp()
    where passkey_id = $1 and removed_at is null and ($2::bigint is null or operator_id = $2) returning passkey_id`,
}

interface CredentialRow {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly counter: string
}

interface PasskeyRow {
  readonly passkey_id: string
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly is_backed_up: boolean
  readonly invited_by: string | null
  readonly is_half: boolean
  readonly confirmed_by: string | null
}

/** What checks a signature of the passkey. */
export interface StoredCredential {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  /** As it was stored: an update names it, so that of two at once one is refused. */
  readonly counter: string
}

type ListedPasskey = OperatorPasskey & StoredCredential

/** The passkeys of an operator that open something now, oldest first. */
export async function listPasskeys(tx: Tx, operatorId: string): Promise<readonly ListedPasskey[]> {
  const rows = await tx.rows<PasskeyRow & CredentialRow>(LIST, [operatorId])
  return rows.map((row) => ({ ...toPasskey(row), ...toCredential(row) }))
}

/** Whose active passkey it is, also when the operator is disabled. */
export async function findOperatorByCredential(
  tx: Tx,
  credentialId: Buffer,
): Promise<
  | { readonly operator: OperatorAccount; readonly passkeyId: string; readonly credential: StoredCredential }
  | undefined
> {
  const [row] = await tx.rows<OperatorRow & CredentialRow & { passkey_id: string }>(FIND_BY_CREDENTIAL, [
    credentialId,
  ])
  return row && { operator: toOperator(row), passkeyId: row.passkey_id, credential: toCredential(row) }
}

export async function findPasskey(
  tx: Tx,
  passkeyId: string,
): Promise<(ListedPasskey & { readonly operatorCode: string }) | undefined> {
  const [row] = await tx.rows<PasskeyRow & CredentialRow & { operator_code: string }>(FIND, [passkeyId])
  return row && { ...toPasskey(row), ...toCredential(row), operatorCode: row.operator_code }
}

interface NewPasskey extends NewCredential {
  readonly passkeyId: string
  readonly name: string
  readonly invitedBy: string | undefined
  readonly keyId: string | undefined
  readonly isHalf: boolean
}

/** Undefined when somebody has registered it before. */
export async function insertPasskey(
  tx: Tx,
  operatorId: string,
  passkey: NewPasskey,
): Promise<OperatorPasskey | undefined> {
  const { passkeyId, credentialId, publicKey, counter, isBackedUp, name, invitedBy, keyId, isHalf } = passkey
  const [row] = await tx.rows<PasskeyRow>(INSERT, [
    operatorId,
    passkeyId,
    credentialId,
    publicKey,
    counter,
    isBackedUp,
    name,
    invitedBy ?? null,
    keyId ?? null,
    isHalf,
  ])
  return row && toPasskey(row)
}

/** Notes the use; false when the counter has not gone up, or another use was faster. */
export async function updatePasskeyUsed(
  tx: Tx,
  passkeyId: string,
  use: { readonly before: string; readonly counter: number; readonly isBackedUp: boolean },
): Promise<boolean> {
  const { before, counter, isBackedUp } = use
  return (await tx.rows(UPDATE_USED, [passkeyId, before, counter, isBackedUp])).length === 1
}

/** Undefined when it needs no confirmation, or none of this ADMIN. */
export async function updatePasskeyConfirmed(
  tx: Tx,
  passkeyId: string,
  by: string,
): Promise<OperatorPasskey | undefined> {
  const [row] = await tx.rows<PasskeyRow>(UPDATE_CONFIRMED, [passkeyId, by])
  return row && toPasskey(row)
}

/** Removes a passkey, of this operator or of anybody; false when there is none. */
export async function updatePasskeyRemoved(
  tx: Tx,
  passkeyId: string,
  operatorId: string | undefined,
): Promise<boolean> {
  return (await tx.rows(UPDATE_REMOVED, [passkeyId, operatorId ?? null])).length === 1
}

const toCredential = (row: CredentialRow): StoredCredential => ({
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
})

const toPasskey = (row: PasskeyRow): OperatorPasskey => ({
  passkeyId: row.passkey_id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  isBackedUp: row.is_backed_up,
  invitedBy: row.invited_by ?? undefined,
  confirmedBy: row.confirmed_by ?? undefined,
  isHalf: row.is_half && row.confirmed_by === null,
})
