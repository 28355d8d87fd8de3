import { drawBytes } from '@tollgate/runtime'
import type { Database, Statement, Tx } from './database.ts'
import type { MasterKeys } from './master-key.ts'
import { createSecrets, KEY_BYTES, SealBroken, type Secrets } from './secrets.ts'

// The root key lies in the database, sealed with the master key. Processes open it once, at their start: from then on they
// need neither the master key nor this row, so the master key can be changed under them.

/** The master keys here do not open the root key of the database. The message is one sentence for the operator. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey'
}

export interface RootKeyDeps {
  readonly db: Database
  readonly masterKeys: MasterKeys
  /**
   * Whether what is in the database was made under this root key. Asked once in the life of an installation that is older
   * than its root key, before its master key becomes that.
   */
  readonly isRight: (secrets: Secrets) => Promise<boolean>
}

/** What `rewrapRootKey` found and did. */
interface Rewrapping {
  /** Of the master key that seals the root key now. */
  readonly masterKeyId: string
  /** Of the one before; the same when there was nothing to do. */
  readonly previousId: string
}

/** The root key; makes it where nothing has been sealed yet. Safe in several processes at once. Throws WrongMasterKey. */
export async function openRootKey(deps: RootKeyDeps): Promise<Buffer> {
  return (await open(deps)).rootKey
}

/** Seals the root key with the current master key, if it is sealed with the previous one. Throws WrongMasterKey. */
export async function rewrapRootKey(deps: RootKeyDeps): Promise<Rewrapping> {
  const { rootKey, sealedBy } = await open(deps)
  const masterKeyId = idOf(deps.masterKeys.current)
  if (sealedBy === masterKeyId) return { masterKeyId, previousId: masterKeyId }
  const sealed = seal(deps.masterKeys.current, rootKey)
  const rows = await deps.db.rows(UPDATE_SEALED, [sealed, masterKeyId, sealedBy])
  // Somebody else was faster. With the same key, all is well; with another, this says so.
  if (rows.length === 0) return rewrapRootKey(deps)
  return { masterKeyId, previousId: sealedBy }
}

/** Which master key seals the root key; undefined while none does. */
export async function findMasterKeyId(tx: Tx): Promise<string | undefined> {
  return (await tx.rows<RootKeyRow>(FIND_ROOT_KEY, []))[0]?.master_key_id ?? undefined
}

/** Eight digits that tell master keys apart, and nothing else of them. */
export function idOf(masterKey: Uint8Array): string {
  return createSecrets(masterKey).digest('root-key', 'id of the master key').toString('hex', 0, 4)
}

/**
 * Gives a database in which nothing is sealed yet the root key of another, as it is sealed there: what is sealed in one can be opened in
 * the other. The caller makes sure of the first.
 */
export async function copyRootKey(from: Tx, into: Tx): Promise<void> {
  const [row] = await from.rows<RootKeyRow>(FIND_ROOT_KEY, [])
  if (row?.sealed == null) throw new Error('the other database has no sealed root key')
  await into.rows(REPLACE_ROOT_KEY, [row.sealed, row.master_key_id])
}

interface RootKeyRow {
  readonly sealed: Buffer | null
  readonly master_key_id: string | null
}

const FIND_ROOT_KEY: Statement = {
  name: 'root_key_find',
  text: 'select sealed, master_key_id from root_key',
}
const INSERT_ROOT_KEY: Statement = {
  name: 'root_key_insert',
  text: 'insert into root_key (sealed, master_key_id) values ($1, $2) on conflict do nothing',
}
const REPLACE_ROOT_KEY: Statement = {
  name: 'root_key_replace',
  text: `insert into root_key (sealed, master_key_id) values ($1, $2)
    on conflict (is_the_one) do update set sealed = excluded.sealed, master_key_id = excluded.master_key_id, sealed_at = clock_timestamp()`,
}
const UPDATE_UNSEALED: Statement = {
  name: 'root_key_seal',
  text: 'update root_key set sealed = $1, master_key_id = $2, sealed_at = clock_timestamp() where sealed is null',
}
const UPDATE_SEALED: Statement = {
  name: 'root_key_rewrap',
  text: `update root_key set sealed = $1, master_key_id = $2, sealed_at = clock_timestamp() where master_key_id = $3
    returning master_key_id`,
}

interface OpenedRootKey {
  readonly rootKey: Buffer
  readonly sealedBy: string
}

async function open(deps: RootKeyDeps): Promise<OpenedRootKey> {
  const { db, masterKeys } = deps
  let row = await find(db)
  if (row === undefined) {
    const sealed = seal(masterKeys.current, drawBytes(KEY_BYTES))
    await db.rows(INSERT_ROOT_KEY, [sealed, idOf(masterKeys.current)])
    row = await find(db)
  } else if (row.sealed === null) {
    await sealFirstMasterKey(deps)
    row = await find(db)
  }
  if (row?.sealed == null || row.master_key_id === null) throw new Error('the root key was not kept')
  return unseal(masterKeys, row.sealed, row.master_key_id)
}

async function find(db: Database): Promise<RootKeyRow | undefined> {
  return (await db.rows<RootKeyRow>(FIND_ROOT_KEY, []))[0]
}

/** Where everything derives from the master key itself, that stays the root key. */
async function sealFirstMasterKey({ db, masterKeys, isRight }: RootKeyDeps): Promise<void> {
  const rootKey = masterKeys.previous ?? masterKeys.current
  if (!(await isRight(createSecrets(rootKey))))
    throw new WrongMasterKey(
      `The master key (${idOf(rootKey)}) is not the one this database was used with. Set TOLLGATE_MASTER_KEY_FILE to that one.`,
    )
  await db.rows(UPDATE_UNSEALED, [seal(rootKey, rootKey), idOf(rootKey)])
}

const CONTEXT = 'root key'

function seal(masterKey: Uint8Array, rootKey: Uint8Array): Buffer {
  return createSecrets(masterKey).seal('root-key', CONTEXT, rootKey)
}

function unseal({ current, previous }: MasterKeys, sealed: Buffer, sealedBy: string): OpenedRootKey {
  const masterKey = [current, previous].find((key) => key !== undefined && idOf(key) === sealedBy)
  if (masterKey === undefined)
    throw new WrongMasterKey(
      `The master key (${idOf(current)}) is not the one this database was used with (${sealedBy}). Set TOLLGATE_MASTER_KEY_FILE to that one; while the master key is being changed, TOLLGATE_PREVIOUS_MASTER_KEY_FILE.`,
    )
  try {
    return { rootKey: createSecrets(masterKey).open('root-key', CONTEXT, sealed), sealedBy }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new WrongMasterKey('The root key in the database was changed: no master key opens it any more.', {
      cause: error,
    })
  }
}
