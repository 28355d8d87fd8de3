import type { Statement, Tx } from '../../platform/database.ts'
import type { OperatorAccount, OperatorSession, SessionProof } from './model.ts'
import { PASSKEY_IS_ACTIVE } from './passkey-store.ts'
import { type OperatorRow, OWNER_COLUMNS, toOperator } from './store.ts'

// Sessions live by the database's clock, as keys do. $1 of what looks at active ones is the minutes after which an unused one ends.

const SESSION_COLUMNS = `s.session_id, s.method, s.key_id, s.passkey_id, s.identity_id, s.created_at, s.last_used_at, s.expire_at,
  least(s.last_used_at + make_interval(mins => $1::integer), s.expire_at) as idle_until`
/**
 * A session opens nothing when what it was made with opens nothing: a passkey, key or linked account was removed, a key has expired, or was one
 * half when the session was made and has its second one since.
 */
const FROM_ACTIVE = `from operator_sessions s join operators o using (operator_id)
    left join operator_keys k on k.operator_id = s.operator_id and k.key_id = s.key_id
    left join operator_passkeys p on p.operator_id = s.operator_id and p.passkey_id = s.passkey_id
    left join operator_identities i on i.operator_id = s.operator_id and i.identity_id = s.identity_id
  where s.ended_at is null and s.expire_at > clock_timestamp()
    and s.last_used_at > clock_timestamp() - make_interval(mins => $1::integer) and o.status = 'ACTIVE'
    and case s.method
      when 'KEY' then k.removed_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())
        and (k.second_hash is not null) = s.is_key_seconded
      when 'OIDC' then i.removed_at is null
      else ${PASSKEY_IS_ACTIVE} end`

const FIND_BY_SECRET_HASH: Statement = {
  name: 'operators_find_by_session_hash',
  text: `select ${OWNER_COLUMNS}, s.session_id, s.method, s.key_id, s.passkey_id, s.identity_id, s.secret_hash,
      case s.method when 'KEY' then k.made_by is not null and k.second_hash is null
        when 'OIDC' then i.is_half and i.confirmed_by is null
        else p.is_half and p.confirmed_by is null end as is_half,
      s.last_used_at < clock_timestamp() - interval '1 minute' as is_use_to_be_noted
    ${FROM_ACTIVE} and s.secret_hash = $2`,
}
const LIST: Statement = {
  name: 'operators_list_sessions',
  text: `select ${SESSION_COLUMNS} ${FROM_ACTIVE} and s.operator_id = $2 order by s.created_at desc, s.session_id limit $3`,
}
const INSERT: Statement = {
  name: 'operators_insert_session',
  text: `with s as (
      insert into operator_sessions (operator_id, session_id, secret_hash, method, key_id, is_key_seconded, passkey_id, identity_id, expire_at)
        values ($2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + make_interval(hours => $10::integer)) returning *)
    select ${SESSION_COLUMNS} from s`,
}
const UPDATE_USED: Statement = {
  name: 'operators_update_session_used',
  text: `update operator_sessions set last_used_at = clock_timestamp()
    where session_id = $1 and last_used_at < clock_timestamp() - interval '1 minute'`,
}
const UPDATE_ENDED: Statement = {
  name: 'operators_update_session_ended',
  text: `update operator_sessions s set ended_at = clock_timestamp()
    where s.session_id = $1 and s.ended_at is null
      and ($2::bigint is null or s.operator_id = $2) returning s.session_id`,
}
const UPDATE_ALL_ENDED: Statement = {
  name: 'operators_update_all_sessions_ended',
  text: `update operator_sessions set ended_at = clock_timestamp() where operator_id = $1 and ended_at is null`,
}
const UPDATE_OLDEST_ENDED: Statement = {
  name: 'operators_update_oldest_sessions_ended',
  text: `update operator_sessions set ended_at = clock_timestamp() where (operator_id, session_id) in (
      select operator_id, session_id from operator_sessions
      where operator_id = $1 and ended_at is null and expire_at > clock_timestamp()
      order by last_used_at desc, created_at desc offset $2)`,
}

/** By what a passkey is registered in a session: what the session was made with, and who has invited or made that. */
const FIND_ORIGIN: Statement = {
  name: 'operators_find_session_origin',
  text: `select s.method <> 'PASSKEY' or (p.is_half and p.confirmed_by is null) as is_half, coalesce(s.key_id, p.key_id) as key_id,
      coalesce(k.made_by, p.invited_by) as invited_by
    from operator_sessions s left join operator_keys k on k.operator_id = s.operator_id and k.key_id = s.key_id
      left join operator_passkeys p on p.operator_id = s.operator_id and p.passkey_id = s.passkey_id
    where s.session_id = $1`,
}

type ProofRow = Pick<SessionRow, 'session_id' | 'method' | 'key_id' | 'passkey_id' | 'identity_id'>

interface FoundRow extends OperatorRow, ProofRow {
  readonly secret_hash: Buffer
  readonly is_half: boolean
  readonly is_use_to_be_noted: boolean
}

/** A session as it is stored, and whose it is. */
interface SessionOwner {
  readonly operator: OperatorAccount
  readonly session: SessionProof
  readonly hash: Buffer
  /** True when it was made with a key that one ADMIN made. */
  readonly isHalf: boolean
  /** True when the last use that is noted is more than a minute ago. */
  readonly isUseToBeNoted: boolean
}

/** Whose active session has this hash. */
export async function findOperatorBySessionHash(
  tx: Tx,
  hash: Buffer,
  idleMinutes: number,
): Promise<SessionOwner | undefined> {
  const [row] = await tx.rows<FoundRow>(FIND_BY_SECRET_HASH, [idleMinutes, hash])
  if (row === undefined) return undefined
  return {
    operator: toOperator(row),
    session: toProof(row),
    hash: row.secret_hash,
    isHalf: row.is_half,
    isUseToBeNoted: row.is_use_to_be_noted,
  }
}

/** The sessions that open something now, newest first. */
export async function listSessions(
  tx: Tx,
  operatorId: string,
  { idleMinutes, limit }: { readonly idleMinutes: number; readonly limit: number },
): Promise<readonly OperatorSession[]> {
  return (await tx.rows<SessionRow>(LIST, [idleMinutes, operatorId, limit])).map(toSession)
}

/** By what somebody signs in. */
export type SignedInBy =
  | { readonly method: 'KEY'; readonly keyId: string; readonly isKeySeconded: boolean }
  | { readonly method: 'PASSKEY'; readonly passkeyId: string }
  | { readonly method: 'OIDC'; readonly identityId: string }

interface NewSession {
  readonly sessionId: string
  readonly hash: Buffer
  readonly by: SignedInBy
  readonly idleMinutes: number
  readonly hours: number
}

export async function insertSession(
  tx: Tx,
  operatorId: string,
  { sessionId, hash, by, idleMinutes, hours }: NewSession,
): Promise<OperatorSession> {
  const [row] = await tx.rows<SessionRow>(INSERT, [
    idleMinutes,
    operatorId,
    sessionId,
    hash,
    by.method,
    ...proofOf(by),
    hours,
  ])
  if (row === undefined) throw new Error('the session was not stored')
  return toSession(row)
}

/** The key and whether it has both halves, the passkey, the linked account: whichever it was. */
function proofOf(by: SignedInBy): readonly unknown[] {
  switch (by.method) {
    case 'KEY':
      return [by.keyId, by.isKeySeconded, null, null]
    case 'PASSKEY':
      return [null, null, by.passkeyId, null]
    case 'OIDC':
      return [null, null, null, by.identityId]
  }
}

/** What a passkey that is registered in this session inherits. */
export interface SessionOrigin {
  readonly isHalf: boolean
  readonly keyId: string | undefined
  readonly invitedBy: string | undefined
}

export async function findSessionOrigin(tx: Tx, sessionId: string): Promise<SessionOrigin | undefined> {
  const [row] = await tx.rows<{ is_half: boolean; key_id: string | null; invited_by: string | null }>(
    FIND_ORIGIN,
    [sessionId],
  )
  if (row === undefined) return undefined
  const { is_half: isHalf, key_id: keyId, invited_by: invitedBy } = row
  return { isHalf, keyId: isHalf ? (keyId ?? undefined) : undefined, invitedBy: invitedBy ?? undefined }
}

/** Notes that it was used, unless another request has just done so. */
export async function updateSessionUsed(tx: Tx, sessionId: string): Promise<void> {
  await tx.rows(UPDATE_USED, [sessionId])
}

/** Ends a session, of this operator or of anybody; false when there is none that could be ended. */
export async function updateSessionEnded(
  tx: Tx,
  sessionId: string,
  operatorId: string | undefined,
): Promise<boolean> {
  return (await tx.rows(UPDATE_ENDED, [sessionId, operatorId ?? null])).length === 1
}

export async function updateAllSessionsEnded(tx: Tx, operatorId: string): Promise<void> {
  await tx.rows(UPDATE_ALL_ENDED, [operatorId])
}

/** Ends all but so many that were used last. */
export async function updateOldestSessionsEnded(tx: Tx, operatorId: string, kept: number): Promise<void> {
  await tx.rows(UPDATE_OLDEST_ENDED, [operatorId, kept])
}

interface SessionRow {
  readonly session_id: string
  readonly method: SignedInBy['method']
  readonly key_id: string | null
  readonly passkey_id: string | null
  readonly identity_id: string | null
  readonly created_at: Date
  readonly last_used_at: Date
  readonly expire_at: Date
  readonly idle_until: Date
}

const toProof = (row: ProofRow): SessionProof => ({
  sessionId: row.session_id,
  method: row.method,
  keyId: row.key_id ?? undefined,
  passkeyId: row.passkey_id ?? undefined,
  identityId: row.identity_id ?? undefined,
})

function toSession(row: SessionRow): OperatorSession {
  return {
    ...toProof(row),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expireAt: row.expire_at,
    idleUntil: row.idle_until,
  }
}
