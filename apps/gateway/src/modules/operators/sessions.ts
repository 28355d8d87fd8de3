import type { Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { findKeyOwner, hashKey } from './authenticator.ts'
import { OperatorProblem } from './errors.ts'
import {
  type Operator,
  type OperatorSession,
  SESSION_PREFIX,
  SESSIONS_ACTIVE_MAX,
  type SessionLimits,
} from './model.ts'
import { drawSecret, known } from './service.ts'
import {
  insertSession,
  listSessions,
  type SignedInBy,
  updateOldestSessionsEnded,
  updateSessionEnded,
} from './session-store.ts'
import { claimOperator, findOperatorByCode } from './store.ts'

export interface SessionDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
  readonly limits: SessionLimits
}

/** A session as it is shown, this once, and the operator with what it carries. */
export interface FreshSession {
  readonly session: OperatorSession & { readonly secret: string }
  readonly operator: Pick<Operator, 'code' | 'name' | 'roles'>
}

/** Sessions of operators. */
export interface SessionService {
  /** A new session that carries what the key carries; undefined when the key opens nothing. */
  openByKey(key: string): Promise<FreshSession | undefined>
  /** Those of an operator that open something now, newest first. */
  list(operatorCode: string): Promise<readonly OperatorSession[]>
  /** Ends a session, from the next request on: one of this operator, or of anybody. Throws when there is none. */
  end(sessionId: string, of: Pick<Operator, 'operatorId'> | 'ANYBODY'): Promise<void>
}

export function createSessionService(deps: SessionDeps): SessionService {
  const { db, limits } = deps
  return {
    openByKey: (key) => openByKey(deps, key),
    async list(code) {
      const { operatorId } = known(await findOperatorByCode(db, code), code)
      return listSessions(db, operatorId, { idleMinutes: limits.idleMinutes, limit: SESSIONS_ACTIVE_MAX })
    },
    async end(sessionId, of) {
      if (await updateSessionEnded(db, sessionId, of === 'ANYBODY' ? undefined : of.operatorId)) return
      throw new OperatorProblem(`There is no active session ${sessionId}.`, 'NOT_FOUND')
    },
  }
}

async function openByKey(deps: SessionDeps, key: string): Promise<FreshSession | undefined> {
  return deps.db.transaction(async (tx) => {
    const found = await findKeyOwner({ ...deps, db: tx }, key)
    if (found === undefined) return undefined
    const { operator, keyId, isSeconded } = found
    const session = await openSession(deps, tx, {
      code: operator.code,
      by: { method: 'KEY', keyId, isKeySeconded: isSeconded },
    })
    return session && { session, operator }
  })
}

/** The operator's row is locked: who is disabled at the same moment gets no session that outlives it. Undefined for them. */
export async function openSession(
  { ids, secrets, limits }: Omit<SessionDeps, 'db'>,
  tx: Tx,
  { code, by }: { readonly code: string; readonly by: SignedInBy },
): Promise<FreshSession['session'] | undefined> {
  const { operatorId, status } = known(await claimOperator(tx, code), code)
  if (status !== 'ACTIVE') return undefined
  const secret = `${SESSION_PREFIX}${drawSecret({ ids })}`
  await updateOldestSessionsEnded(tx, operatorId, SESSIONS_ACTIVE_MAX - 1)
  const sessionId = `ses_${ids.readable(10)}`
  const session = await insertSession(tx, operatorId, {
    sessionId,
    hash: hashKey(secrets, secret),
    by,
    ...limits,
  })
  return { ...session, secret }
}
