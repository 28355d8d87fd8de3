import { createKeyring, createTokenAdministration } from '../../modules/tokens/index.ts'
import { rootKeyDeps } from '../../open-secrets.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { randomIds } from '../../platform/ids.ts'
import { rewrapRootKey } from '../../platform/root-key.ts'
import { inHouse, readExistingMasterKeys, requireKeys } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'

/** `tollgate keys list`. */
export function list(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    const keys = await createTokenAdministration(house).listKeys()
    return {
      json: keys.map(({ kid, status, createdAt, replacedAt }) => ({
        kid,
        status,
        createdAt,
        replacedAt: replacedAt ?? null,
      })),
      text: table(
        ['KEY', 'STATUS', 'SINCE', 'REPLACED'],
        keys.map(({ kid, status, createdAt, replacedAt }) => [
          kid,
          status,
          moment(createdAt),
          replacedAt === undefined ? '' : moment(replacedAt),
        ]),
        'There is no signing key yet: the first start of the gateway makes one.',
      ),
    }
  })
}

/** `tollgate keys rotate`. */
export function rotate(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    requireKeys(house)
    const { clock } = shell
    const changes = watchConfiguration({ ...house, clock })
    const kid = await createKeyring({ ...house, clock, ids: randomIds, changes }).rotate()
    return {
      json: { kid },
      text: kid,
      notes: ['New tokens are signed by this key. Those of the key before stay valid until they expire.'],
    }
  })
}

/** `tollgate keys rewrap`. */
export function rewrap(shell: Shell): Promise<Report> {
  return inHouse(shell, async ({ config, db }) => {
    const masterKeys = readExistingMasterKeys(config)
    const { masterKeyId, previousId } = await rewrapRootKey(rootKeyDeps({ db, masterKeys }))
    const isChanged = masterKeyId !== previousId
    return {
      json: { masterKeyId, previousMasterKeyId: isChanged ? previousId : null },
      text: isChanged
        ? `The root key is sealed with the master key ${masterKeyId}; before, it was ${previousId}.`
        : `The root key is sealed with the master key ${masterKeyId} already.`,
      notes: isChanged
        ? [
            `Take TOLLGATE_PREVIOUS_MASTER_KEY_FILE out of the settings. Keep the key ${previousId} for as long as backups live that were made until now: they open with it alone.`,
          ]
        : [],
    }
  })
}
