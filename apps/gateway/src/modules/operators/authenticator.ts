import { timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { findInvitationEnd, findOperatorByInvitationHash } from './invitation-store.ts'
import {
  INVITATION_PATTERN,
  KEY_JOINT,
  KEY_PATTERN,
  type Operator,
  type OperatorAccount,
  SESSION_PATTERN,
  withHalfKey,
} from './model.ts'
import { findOperatorBySessionHash, updateSessionUsed } from './session-store.ts'
import { findOperatorByKeyHash } from './store.ts'

interface KeyDeps {
  readonly db: Tx
  readonly secrets: Pick<Secrets, 'digest'>
}

interface OperatorAuthenticatorDeps extends KeyDeps {
  /** After how many minutes an unused session ends. Without it, sessions open nothing: keys alone do. */
  readonly sessionIdleMinutes?: number
}

/** Finds out who an operator is. */
export interface OperatorAuthenticator {
  /**
   * The operator of the key, or of the session whose secret it is; undefined for one that opens nothing: unknown, removed, ended,
   * expired, or its operator disabled. An unattended request does not prolong a session.
   */
  authenticate(key: string, how?: { readonly isUnattended: boolean }): Promise<Operator | undefined>
  /**
   * The operator who was invited, without any power; undefined for an invitation that there is not. Throws Refusal with the reason
   * for one that was used, has expired, was replaced or has ended otherwise: whoever has its secret was sent it.
   */
  authenticateInvited(secret: string): Promise<Operator | undefined>
}

/** Asks the database every time: operators are few, and a key that was taken away must not work for a second more. */
export function createOperatorAuthenticator(deps: OperatorAuthenticatorDeps): OperatorAuthenticator {
  return {
    async authenticate(key, how) {
      const session = await findSessionOwner(deps, key, how)
      const owner = session === undefined ? await findKeyOwner(deps, key) : undefined
      const operator = session ?? owner?.operator
      if (operator?.status !== 'ACTIVE') return undefined
      return {
        ...personOf(operator),
        ...(session?.session && { session: session.session }),
        ...(owner && { keyId: owner.keyId }),
      }
    },
    authenticateInvited: (secret) => findInvited(deps, secret),
  }
}

function personOf({ operatorId, code, name, roles, member, isKeyHalf }: OperatorAccount): Operator {
  return {
    operatorId,
    code,
    name,
    roles,
    ...(member && { member }),
    ...(isKeyHalf && { isKeyHalf }),
  }
}

/** The form in which a key or another secret of an operator is stored. Their prefixes tell them apart. */
export function hashKey(secrets: Pick<Secrets, 'digest'>, key: string): Buffer {
  return secrets.digest('operator-keys', key)
}

async function findSessionOwner(
  { db, secrets, sessionIdleMinutes }: OperatorAuthenticatorDeps,
  secret: string,
  how: { readonly isUnattended: boolean } | undefined,
): Promise<OperatorAccount | undefined> {
  if (sessionIdleMinutes === undefined || !SESSION_PATTERN.test(secret)) return undefined
  const hash = hashKey(secrets, secret)
  const found = await findOperatorBySessionHash(db, hash, sessionIdleMinutes)
  if (found === undefined || !timingSafeEqual(found.hash, hash)) return undefined
  const { operator, session, isHalf, isUseToBeNoted } = found
  if (isUseToBeNoted && how?.isUnattended !== true) await updateSessionUsed(db, session.sessionId)
  return { ...(isHalf ? withHalfKey(operator) : operator), session }
}

async function findInvited({ db, secrets }: KeyDeps, secret: string): Promise<Operator | undefined> {
  if (!INVITATION_PATTERN.test(secret)) return undefined
  const hash = hashKey(secrets, secret)
  const found = await findOperatorByInvitationHash(db, hash)
  if (found === undefined) {
    const end = await findInvitationEnd(db, hash)
    if (end === undefined) return undefined
    throw new Refusal('TOKEN_INVALID', { message: ENDS[end] })
  }
  if (!timingSafeEqual(found.hash, hash)) return undefined
  const { operatorId, code, name, member } = found.operator
  const invitation = { invitationId: found.invitationId }
  return { operatorId, code, name, roles: [], invitation, ...(member && { member }) }
}

const ENDS = {
  USED: 'This invitation was used. If that was not you, tell an administrator at once.',
  REPLACED: 'A newer invitation has replaced this one: open the link that you were sent last.',
  LATE: 'This invitation has expired: ask an administrator for a new one.',
  OTHER: 'This invitation was ended: ask an administrator for a new one.',
} as const

/** A key that was recognised. */
interface KeyOwner {
  readonly operator: OperatorAccount
  readonly keyId: string
  /** True for both halves of a key that two made. */
  readonly isSeconded: boolean
}

/** The operator whose active key this is, whatever the operator's status, with the roles that the key carries. */
export async function findKeyOwner({ db, secrets }: KeyDeps, key: string): Promise<KeyOwner | undefined> {
  if (!KEY_PATTERN.test(key)) return undefined
  const [first = '', second] = key.split(KEY_JOINT)
  const hash = hashKey(secrets, first)
  const found = await findOperatorByKeyHash(db, hash)
  if (found === undefined || !timingSafeEqual(found.hash, hash)) return undefined
  const { operator, keyId, madeBy, secondHash } = found
  if (secondHash === undefined) {
    if (second !== undefined) return undefined
    return { operator: madeBy === undefined ? operator : withHalfKey(operator), keyId, isSeconded: false }
  }
  // One half opens nothing any more: each of the two who made the key may have kept theirs.
  return second !== undefined && timingSafeEqual(secondHash, hashKey(secrets, second))
    ? { operator, keyId, isSeconded: true }
    : undefined
}
