import { timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { KEY_JOINT, KEY_PATTERN, type Operator, type OperatorAccount, withHalfKey } from './model.ts'
import { findOperatorByKeyHash } from './store.ts'

interface OperatorAuthenticatorDeps {
  readonly db: Tx
  readonly secrets: Pick<Secrets, 'digest'>
}

/** Finds out who an operator is. */
export interface OperatorAuthenticator {
  /** The operator of the key; undefined for a key that opens nothing: unknown, removed, expired, or its operator disabled. */
  authenticate(key: string): Promise<Operator | undefined>
}

/** Asks the database every time: operators are few, and a key that was taken away must not work for a second more. */
export function createOperatorAuthenticator(deps: OperatorAuthenticatorDeps): OperatorAuthenticator {
  return {
    async authenticate(key) {
      const operator = await findKeyOwner(deps, key)
      if (operator?.status !== 'ACTIVE') return undefined
      const { operatorId, code, name, roles, isKeyHalf } = operator
      return { operatorId, code, name, roles, ...(isKeyHalf && { isKeyHalf }) }
    },
  }
}

/** The form in which a key is stored. */
export function hashKey(secrets: Pick<Secrets, 'digest'>, key: string): Buffer {
  return secrets.digest('operator-keys', key)
}

/** The operator whose active key this is, whatever the operator's status, with the roles that the key carries. */
export async function findKeyOwner(
  { db, secrets }: OperatorAuthenticatorDeps,
  key: string,
): Promise<OperatorAccount | undefined> {
  if (!KEY_PATTERN.test(key)) return undefined
  const [first = '', second] = key.split(KEY_JOINT)
  const hash = hashKey(secrets, first)
  const found = await findOperatorByKeyHash(db, hash)
  if (found === undefined || !timingSafeEqual(found.hash, hash)) return undefined
  const { operator, madeBy, secondHash } = found
  if (secondHash === undefined) {
    if (second !== undefined) return undefined
    return madeBy === undefined ? operator : withHalfKey(operator)
  }
  // One half opens nothing any more: each of the two who made the key may have kept theirs.
  return second !== undefined && timingSafeEqual(secondHash, hashKey(secrets, second)) ? operator : undefined
}
