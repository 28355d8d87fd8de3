import { OPERATOR_ROLES, type OperatorRole } from '@tollgate/contract/words'
import type { Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { findKeyOwner, hashKey } from './authenticator.ts'
import { OperatorProblem } from './errors.ts'
import { listIdentities } from './identity-store.ts'
import { updateInvitationsEnded } from './invitation-store.ts'
import {
  KEY_BYTES,
  KEY_DAYS_MAX,
  KEY_PREFIX,
  KEYS_ACTIVE_MAX,
  NAME_CHARACTERS_MAX,
  OPERATOR_CODE_PATTERN,
  type OperatorAccount,
  type OperatorIdentity,
  type OperatorKey,
  problemOfRoles,
} from './model.ts'
import { updateAllSessionsEnded } from './session-store.ts'
import * as store from './store.ts'

interface OperatorDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
}

/** A key as it is shown, this once. */
interface FreshKey extends OperatorKey {
  readonly key: string
}

/** An operator as somebody wants it; `madeBy` is the ADMIN who asks, undefined for the command line. */
type NewOperator = Pick<OperatorAccount, 'code' | 'name' | 'roles'> & { readonly madeBy?: string }

/** What is done with operators. Every method throws OperatorProblem with one clear sentence. */
export interface OperatorService {
  /** A new operator with its first key. */
  create(wanted: NewOperator): Promise<{ readonly operator: OperatorAccount; readonly key: FreshKey }>
  list(): Promise<readonly (OperatorAccount & { readonly keys: number })[]>
  show(code: string): Promise<{
    readonly operator: OperatorAccount
    readonly keys: readonly OperatorKey[]
    readonly identities: readonly OperatorIdentity[]
  }>
  setStatus(code: string, status: OperatorAccount['status']): Promise<OperatorAccount>
  /** These roles and no others. */
  setRoles(code: string, roles: readonly OperatorRole[]): Promise<OperatorAccount>
  /** A further key; it ends by itself after the days, if they are given. */
  addKey(code: string, days?: number, madeBy?: string): Promise<FreshKey>
  /**
   * Adds the second half to a key that another ADMIN made: from then on both together open what the operator's roles permit,
   * and neither alone opens anything. Told this once.
   */
  secondKey(code: string, keyId: string, by: string): Promise<string>
  /** The key opens nothing any more, from the next request on. */
  removeKey(code: string, keyId: string): Promise<void>
  /** The operator whose active key this is, also one who is disabled. */
  findKeyOwner(key: string): Promise<OperatorAccount | undefined>
}

const OPERATORS_LISTED_MAX = 10_000

export function createOperatorService(deps: OperatorDeps): OperatorService {
  const { db } = deps
  return {
    create: (wanted) => createOperator(deps, wanted),
    list: () => store.listOperators(db, OPERATORS_LISTED_MAX),
    async show(code) {
      const operator = known(await store.findOperatorByCode(db, code), code)
      return {
        operator,
        keys: await store.listKeys(db, operator.operatorId),
        identities: await listIdentities(db, operator.operatorId),
      }
    },
    setStatus: (code, status) => db.transaction((tx) => setStatusIn(tx, code, status)),
    async setRoles(code, roles) {
      const wanted = requireRoles(roles)
      requireHouse(known(await store.findOperatorByCode(db, code), code))
      return known(await store.updateOperator(db, code, { roles: wanted }), code)
    },
    addKey: (code, days, madeBy) => db.transaction((tx) => addKey(tx, deps, { code, days, madeBy })),
    secondKey: (code, keyId, by) => secondKey(deps, { code, keyId, by }),
    async removeKey(code, keyId) {
      const { operatorId } = known(await store.findOperatorByCode(db, code), code)
      if (await store.updateKeyRemoved(db, operatorId, keyId)) return
      noKey(code, keyId)
    },
    findKeyOwner: async (key) => (await findKeyOwner(deps, key))?.operator,
  }
}

/** Sessions and invitations of who is disabled end for good: enabling brings none of them back. */
export async function setStatusIn(
  tx: Tx,
  code: string,
  status: OperatorAccount['status'],
): Promise<OperatorAccount> {
  const operator = known(await store.updateOperator(tx, code, { status }), code)
  if (status === 'DISABLED') {
    await updateAllSessionsEnded(tx, operator.operatorId)
    await updateInvitationsEnded(tx, operator.operatorId, 'DISABLED')
  }
  return operator
}

export function known(operator: OperatorAccount | undefined, code: string): OperatorAccount {
  if (operator !== undefined) return operator
  throw new OperatorProblem(
    `There is no operator ${code}. \`tollgate operators list\` shows them.`,
    'NOT_FOUND',
  )
}

/** Merchants' people have no roles of the house, and no keys: a key could be handed on, and nobody would see by whom. */
function requireHouse({ code, member }: OperatorAccount): void {
  if (member === undefined) return
  throw new OperatorProblem(
    `${code} belongs to ${member.merchantCode}: such a person has no keys and no roles of operators.`,
    'CONFLICT',
  )
}

async function createOperator(
  deps: OperatorDeps,
  wanted: NewOperator,
): Promise<{ operator: OperatorAccount; key: FreshKey }> {
  const { code, name } = wanted
  if (!OPERATOR_CODE_PATTERN.test(code)) {
    throw new OperatorProblem(
      'An operator code has 2 to 64 lower-case letters, digits, dots, hyphens or underscores.',
    ).about('operatorCode')
  }
  if (name.trim() === '' || name.length > NAME_CHARACTERS_MAX)
    throw new OperatorProblem(`A name has 1 to ${NAME_CHARACTERS_MAX} characters.`).about('name')
  const roles = requireRoles(wanted.roles)
  return deps.db.transaction(async (tx) => {
    const operator = await store.insertOperator(tx, { code, name, roles })
    if (operator === undefined) throw new OperatorProblem(`The operator code ${code} is taken.`, 'CONFLICT')
    return { operator, key: await addKey(tx, deps, { code, days: undefined, madeBy: wanted.madeBy }) }
  })
}

/** The roles in the order of their list, each once. */
function requireRoles(roles: readonly OperatorRole[]): readonly OperatorRole[] {
  const problem = problemOfRoles(roles)
  if (problem !== undefined) throw new OperatorProblem(problem).about('roles')
  return OPERATOR_ROLES.filter((role) => roles.includes(role))
}

interface KeyWish {
  readonly code: string
  readonly days: number | undefined
  readonly madeBy: string | undefined
}

/** The operator's row is locked, so that two who add a key at once cannot exceed the number. */
async function addKey(
  tx: Tx,
  deps: Pick<OperatorDeps, 'ids' | 'secrets'>,
  { code, days, madeBy }: KeyWish,
): Promise<FreshKey> {
  if (days !== undefined && !(Number.isSafeInteger(days) && days >= 1 && days <= KEY_DAYS_MAX))
    throw new OperatorProblem(`A key lives for 1 to ${KEY_DAYS_MAX} days.`).about('days')
  const operator = known(await store.claimOperator(tx, code), code)
  requireHouse(operator)
  const { operatorId } = operator
  if ((await store.listKeys(tx, operatorId)).length >= KEYS_ACTIVE_MAX) {
    throw new OperatorProblem(`${code} has ${KEYS_ACTIVE_MAX} active keys; remove one first.`, 'CONFLICT')
  }
  const key = `${KEY_PREFIX}${drawSecret(deps)}`
  const keyId = `key_${deps.ids.readable(10)}`
  const stored = await store.insertKey(tx, operatorId, {
    keyId,
    days,
    madeBy,
    hash: hashKey(deps.secrets, key),
  })
  return { ...stored, key }
}

/** 256 random bits. */
export const drawSecret = ({ ids }: { readonly ids: Ids }): string =>
  ids.bytes(KEY_BYTES).toString('base64url')

async function secondKey(
  deps: OperatorDeps,
  { code, keyId, by }: { readonly code: string; readonly keyId: string; readonly by: string },
): Promise<string> {
  const { db, secrets } = deps
  const { operatorId } = known(await store.findOperatorByCode(db, code), code)
  const half = drawSecret(deps)
  if (await store.updateKeySeconded(db, operatorId, { keyId, hash: hashKey(secrets, half), by })) return half
  const key =
    (await store.listKeys(db, operatorId)).find((each) => each.keyId === keyId) ?? noKey(code, keyId)
  throw new OperatorProblem(`${keyId} needs no second half from you: ${whyNot(key)}.`, 'CONFLICT')
}

function whyNot({ madeBy, secondedBy }: OperatorKey): string {
  if (secondedBy !== undefined) return `${secondedBy} has added it`
  return madeBy === undefined
    ? 'it was made at the command line'
    : 'you made the key, so another ADMIN adds it'
}

function noKey(code: string, keyId: string): never {
  throw new OperatorProblem(
    `${code} has no active key ${keyId}. \`tollgate operators show ${code}\` lists them.`,
    'NOT_FOUND',
  )
}
