import type { Statement, Tx } from '../../platform/database.ts'
import type { OperatorAccount, OperatorIdentity } from './model.ts'
import { type OperatorRow, OWNER_COLUMNS, toOperator } from './store.ts'

// Accounts of operators at a provider of identities, and who was sent there: an attempt is taken once, by deleting it.

const ROWS_REMOVED_MAX = 100
const ATTEMPT_MINUTES = 10

const COLUMNS =
  'i.identity_id, i.issuer, i.subject, i.created_at, i.last_used_at, i.invited_by, i.is_half, i.confirmed_by'

const INSERT_ATTEMPT: Statement = {
  name: 'operators_insert_oidc_attempt',
  text: `with gone as (delete from operator_oidc_attempts where state_hash in (
      select state_hash from operator_oidc_attempts where expire_at < clock_timestamp() limit ${ROWS_REMOVED_MAX}))
    insert into operator_oidc_attempts (state_hash, browser_hash, invitation_id, expire_at)
      values ($1, $2, $3, clock_timestamp() + interval '${ATTEMPT_MINUTES} minutes')`,
}
const DELETE_ATTEMPT: Statement = {
  name: 'operators_delete_oidc_attempt',
  text: `delete from operator_oidc_attempts where state_hash = $1
    returning browser_hash, invitation_id, expire_at > clock_timestamp() as is_in_time`,
}
const LIST: Statement = {
  name: 'operators_list_identities',
  text: `select ${COLUMNS} from operator_identities i where i.operator_id = $1 and i.removed_at is null order by i.created_at, i.identity_id`,
}
const FIND: Statement = {
  name: 'operators_find_identity',
  text: `select o.operator_code, ${COLUMNS} from operator_identities i join operators o using (operator_id)
    where i.identity_id = $1 and i.removed_at is null`,
}
const FIND_BY_SUBJECT: Statement = {
  name: 'operators_find_by_subject',
  text: `select ${OWNER_COLUMNS}, i.identity_id from operator_identities i join operators o using (operator_id)
    where i.issuer = $1 and i.subject = $2 and i.removed_at is null`,
}
const FIND_BY_INVITATION: Statement = {
  name: 'operators_find_by_invitation',
  text: `select ${OWNER_COLUMNS} from operator_invitations i join operators o using (operator_id) where i.invitation_id = $1`,
}
const INSERT: Statement = {
  name: 'operators_insert_identity',
  text: `insert into operator_identities as i (operator_id, identity_id, issuer, subject, invited_by, is_half)
    values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning ${COLUMNS}`,
}
const UPDATE_USED: Statement = {
  name: 'operators_update_identity_used',
  text: `update operator_identities set last_used_at = clock_timestamp()
    where identity_id = $1 and removed_at is null returning identity_id`,
}
const UPDATE_CONFIRMED: Statement = {
  name: 'operators_update_identity_confirmed',
  text: `update operator_identities i set confirmed_by = $2, confirmed_at = clock_timestamp()
    where i.identity_id = $1 and i.is_half and i.confirmed_by is null and i.invited_by is distinct from $2 and i.removed_at is null
    returning ${COLUMNS}`,
}
const UPDATE_REMOVED: Statement = {
  name: 'operators_update_identity_removed',
  text: `update operator_identities set removed_at = clock_timestamp()
    where identity_id = $1 and removed_at is null and ($2::bigint is null or operator_id = $2) returning identity_id`,
}

/** Somebody who was sent to the provider: to link an account by an invitation, or to sign in. */
interface NewAttempt {
  readonly stateHash: Buffer
  readonly browserHash: Buffer
  readonly invitationId: string | undefined
}

export async function insertAttempt(
  tx: Tx,
  { stateHash, browserHash, invitationId }: NewAttempt,
): Promise<void> {
  await tx.rows(INSERT_ATTEMPT, [stateHash, browserHash, invitationId ?? null])
}

interface TakenAttempt extends Omit<NewAttempt, 'stateHash'> {
  readonly isInTime: boolean
}

/** Whoever comes with a state uses it up, from whichever browser: one that was seen elsewhere is nobody's any more. */
export async function deleteAttempt(tx: Tx, stateHash: Buffer): Promise<TakenAttempt | undefined> {
  const [row] = await tx.rows<{ browser_hash: Buffer; invitation_id: string | null; is_in_time: boolean }>(
    DELETE_ATTEMPT,
    [stateHash],
  )
  return (
    row && {
      browserHash: row.browser_hash,
      invitationId: row.invitation_id ?? undefined,
      isInTime: row.is_in_time,
    }
  )
}

interface IdentityRow {
  readonly identity_id: string
  readonly issuer: string
  readonly subject: string
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly invited_by: string | null
  readonly is_half: boolean
  readonly confirmed_by: string | null
}

/** The accounts by which an operator signs in now, oldest first. */
export async function listIdentities(tx: Tx, operatorId: string): Promise<readonly OperatorIdentity[]> {
  return (await tx.rows<IdentityRow>(LIST, [operatorId])).map(toIdentity)
}

export async function findIdentity(
  tx: Tx,
  identityId: string,
): Promise<(OperatorIdentity & { readonly operatorCode: string }) | undefined> {
  const [row] = await tx.rows<IdentityRow & { operator_code: string }>(FIND, [identityId])
  return row && { ...toIdentity(row), operatorCode: row.operator_code }
}

/** Whose account it is, also when the operator is disabled. */
export async function findOperatorBySubject(
  tx: Tx,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<{ readonly operator: OperatorAccount; readonly identityId: string } | undefined> {
  const [row] = await tx.rows<OperatorRow & { identity_id: string }>(FIND_BY_SUBJECT, [issuer, subject])
  return row && { operator: toOperator(row), identityId: row.identity_id }
}

/** Who was invited, also when the invitation has ended. */
export async function findInvitedOperator(
  tx: Tx,
  invitationId: string,
): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(FIND_BY_INVITATION, [invitationId])
  return row && toOperator(row)
}

interface NewIdentity {
  readonly identityId: string
  readonly issuer: string
  readonly subject: string
  readonly invitedBy: string | undefined
  readonly isHalf: boolean
}

/** Undefined when the account is somebody's, or the operator has one of this issuer. */
export async function insertIdentity(
  tx: Tx,
  operatorId: string,
  { identityId, issuer, subject, invitedBy, isHalf }: NewIdentity,
): Promise<OperatorIdentity | undefined> {
  const [row] = await tx.rows<IdentityRow>(INSERT, [
    operatorId,
    identityId,
    issuer,
    subject,
    invitedBy ?? null,
    isHalf,
  ])
  return row && toIdentity(row)
}

/** Notes the use; false when it was removed. */
export async function updateIdentityUsed(tx: Tx, identityId: string): Promise<boolean> {
  return (await tx.rows(UPDATE_USED, [identityId])).length === 1
}

/** Undefined when it needs no confirmation, or none of this ADMIN. */
export async function updateIdentityConfirmed(
  tx: Tx,
  identityId: string,
  by: string,
): Promise<OperatorIdentity | undefined> {
  const [row] = await tx.rows<IdentityRow>(UPDATE_CONFIRMED, [identityId, by])
  return row && toIdentity(row)
}

/** Removes an account, of this operator or of anybody; false when there is none. */
export async function updateIdentityRemoved(
  tx: Tx,
  identityId: string,
  operatorId: string | undefined,
): Promise<boolean> {
  return (await tx.rows(UPDATE_REMOVED, [identityId, operatorId ?? null])).length === 1
}

const toIdentity = (row: IdentityRow): OperatorIdentity => ({
  identityId: row.identity_id,
  issuer: row.issuer,
  subject: row.subject,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  invitedBy: row.invited_by ?? undefined,
  confirmedBy: row.confirmed_by ?? undefined,
  isHalf: row.is_half && row.confirmed_by === null,
})
