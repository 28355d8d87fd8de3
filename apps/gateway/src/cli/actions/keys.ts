import { rootKeyDeps } from '../../keys/open-secrets.ts'
import { createKeyring } from '../../modules/tokens/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { rewrapRootKey } from '../../platform/root-key.ts'
import { readExistingMasterKeys, requireKeys, withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate keys rotate --local`: while no gateway runs, or none can start. What the API would answer. */
export function rotateLocally(shell: Shell, isNow: boolean): Promise<unknown> {
  return withInstallation(shell, async (installation) => {
    requireKeys(installation)
    const { clock } = shell
    const changes = watchConfiguration({ ...installation, clock })
    const keyring = createKeyring({ ...installation, clock, changes })
    const { kid, signsFrom } = await keyring.rotate(isNow ? 'NOW' : 'WHEN_PUBLISHED')
    return { kid, signsFrom: signsFrom.toISOString() }
  })
}

/** `tollgate keys rewrap`. */
export function rewrap(shell: Shell): Promise<Report> {
  return withInstallation(shell, async ({ config, db }) => {
    const masterKeys = readExistingMasterKeys(config)
    const { masterKeyId, previousId } = await rewrapRootKey(rootKeyDeps({ db, masterKeys }))
    const isChanged = masterKeyId !== previousId
    return {
      json: { masterKeyId, previousMasterKeyId: isChanged ? previousId : null },
      text: isChanged
        ? `The root key is encrypted with the master key ${masterKeyId}; before, it was ${previousId}.`
        : `The root key is already encrypted with the master key ${masterKeyId}.`,
      notes: isChanged
        ? [
            `Remove TOLLGATE_PREVIOUS_MASTER_KEY_FILE from the settings. Keep the key ${previousId} as long as you keep backups made until now: only it opens them.`,
          ]
        : [],
    }
  })
}
