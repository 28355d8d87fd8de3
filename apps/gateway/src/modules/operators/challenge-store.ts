import type { Statement, Tx } from '../../platform/database.ts'

// Challenges and fresh touches: each is taken once, by deleting it. Whoever adds one removes some that have expired.

const ROWS_REMOVED_MAX = 100
const CHALLENGE_MINUTES = 5
const STEP_UP_MINUTES = 2

const INSERT_CHALLENGE: Statement = {
  name: 'operators_insert_challenge',
  text: `with gone as (delete from operator_challenges where challenge_id in (
      select challenge_id from operator_challenges where expire_at < clock_timestamp() limit ${ROWS_REMOVED_MAX}))
    insert into operator_challenges (challenge_id, challenge, purpose, operator_id, session_id, invitation_id, method, path, expire_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + interval '${CHALLENGE_MINUTES} minutes')`,
}
const DELETE_CHALLENGE: Statement = {
  name: 'operators_delete_challenge',
  text: `delete from operator_challenges where challenge_id = $1 and purpose = $2 and operator_id is not distinct from $3::bigint
      and session_id is not distinct from $4 and invitation_id is not distinct from $5 and expire_at > clock_timestamp()
    returning challenge, method, path`,
}
const INSERT_STEP_UP: Statement = {
  name: 'operators_insert_step_up',
  text: `with gone as (delete from operator_step_ups where secret_hash in (
      select secret_hash from operator_step_ups where expire_at < clock_timestamp() limit ${ROWS_REMOVED_MAX}))
    insert into operator_step_ups (secret_hash, session_id, method, path, expire_at)
      values ($1, $2, $3, $4, clock_timestamp() + interval '${STEP_UP_MINUTES} minutes') returning expire_at`,
}
const DELETE_STEP_UP: Statement = {
  name: 'operators_delete_step_up',
  text: `delete from operator_step_ups where secret_hash = $1 and session_id = $2 and method = $3 and path = $4
      and expire_at > clock_timestamp() returning session_id`,
}

/** For what a challenge is, and by what it was asked for: both are the same when it is taken. */
export interface ChallengeUse {
  readonly purpose: 'SIGN_IN' | 'REGISTER' | 'STEP_UP'
  readonly operatorId?: string | undefined
  readonly sessionId?: string | undefined
  readonly invitationId?: string | undefined
}

interface NewChallenge {
  readonly challengeId: string
  readonly challenge: Buffer
  readonly request?: { readonly method: string; readonly path: string }
}

export async function insertChallenge(tx: Tx, use: ChallengeUse, challenge: NewChallenge): Promise<void> {
  await tx.rows(INSERT_CHALLENGE, [
    challenge.challengeId,
    challenge.challenge,
    ...valuesOf(use),
    challenge.request?.method ?? null,
    challenge.request?.path ?? null,
  ])
}

interface TakenChallenge {
  readonly challenge: Buffer
  readonly request: { readonly method: string; readonly path: string } | undefined
}

/** Undefined for one that is unknown, used, expired, or for something else. */
export async function deleteChallenge(
  tx: Tx,
  use: ChallengeUse,
  challengeId: string,
): Promise<TakenChallenge | undefined> {
  const [row] = await tx.rows<{ challenge: Buffer; method: string | null; path: string | null }>(
    DELETE_CHALLENGE,
    [challengeId, ...valuesOf(use)],
  )
  if (row === undefined) return undefined
  const { challenge, method, path } = row
  return { challenge, request: method === null || path === null ? undefined : { method, path } }
}

const valuesOf = ({ purpose, operatorId, sessionId, invitationId }: ChallengeUse): readonly unknown[] => [
  purpose,
  operatorId ?? null,
  sessionId ?? null,
  invitationId ?? null,
]

/** One request of one session. */
export interface StepUpUse {
  readonly sessionId: string
  readonly method: string
  readonly path: string
}

/** Answers when it expires. */
export async function insertStepUp(
  tx: Tx,
  hash: Buffer,
  { sessionId, method, path }: StepUpUse,
): Promise<Date> {
  const [row] = await tx.rows<{ expire_at: Date }>(INSERT_STEP_UP, [hash, sessionId, method, path])
  if (row === undefined) throw new Error('the touch was not stored')
  return row.expire_at
}

/** False for one that is unknown, used, expired, or for another request. */
export async function deleteStepUp(
  tx: Tx,
  hash: Buffer,
  { sessionId, method, path }: StepUpUse,
): Promise<boolean> {
  return (await tx.rows(DELETE_STEP_UP, [hash, sessionId, method, path])).length === 1
}
