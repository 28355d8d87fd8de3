import type { Log } from '@tollgate/runtime'
import { type Database, openDatabase } from '../platform/database.ts'
import type { MasterKeys } from '../platform/master-key.ts'
import { openRootKey, type RootKeyDeps } from '../platform/root-key.ts'
import { createSecrets, type Secrets } from '../platform/secrets.ts'

/** With what proves that a master key belongs to the database: the key that signs tokens opens with it. */
export function rootKeyDeps(given: Pick<RootKeyDeps, 'db' | 'masterKeys'>): RootKeyDeps {
  return {
    ...given,
    async isRight(secrets) {
      // Asked once in the life of an installation: nobody waits for the room to be loaded before.
      const { createTokenAdministration } = await import('../modules/tokens/index.ts')
      const closed = await createTokenAdministration({ ...given, secrets }).findClosedKey()
      return closed === undefined
    },
  }
}

/** What seals, hashes and signs in this installation. Throws WrongMasterKey. */
export async function openSecrets(given: {
  readonly db: Database
  readonly masterKeys: MasterKeys
}): Promise<Secrets> {
  return createSecrets(await openRootKey(rootKeyDeps(given)))
}

/** The same, by a connection that lasts no longer. */
export async function readSecrets(given: {
  readonly databaseUrl: string
  readonly masterKeys: MasterKeys
  readonly log: Log
}): Promise<Secrets> {
  const { databaseUrl: url, log } = given
  const db = openDatabase({ url, poolMax: 1, log, applicationName: 'tollgate keys' })
  try {
    return await openSecrets({ ...given, db })
  } finally {
    await db.close()
  }
}
