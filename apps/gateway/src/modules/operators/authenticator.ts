import { timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { KEY_PATTERN, type Operator, type OperatorAccount } from './model.ts'
import { findOperatorByKeyHash } from './store.ts'

export interface OperatorAuthenticatorDeps {
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
      const { operatorId, code, name, roles } = operator
      return { operatorId, code, name, roles }
    },
  }
}

/** The form in which a key is stored. */
export function hashKey(secrets: Pick<Secrets, 'digest'>, key: string): Buffer {
  return secrets.digest('operator-keys', key)
}

/** The operator whose active key this is, whatever the operator's status. */
export async function findKeyOwner(
  { db, secrets }: OperatorAuthenticatorDeps,
  key: string,
): Promise<OperatorAccount | undefined> {
  if (!KEY_PATTERN.test(key)) return undefined
  const hash = hashKey(secrets, key)
  const found = await findOperatorByKeyHash(db, hash)
  return found !== undefined && timingSafeEqual(found.hash, hash) ? found.operator : undefined
}
