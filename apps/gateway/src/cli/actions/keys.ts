import { rootKeyDeps } from '../../keys/open-secrets.ts'
import { createKeyring, createTokenAdministration } from '../../modules/tokens/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { rewrapRootKey } from '../../platform/root-key.ts'
import { readExistingMasterKeys, requireKeys, withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'

/** `tollgate keys list`. */
export function showKeys(shell: Shell): Promise<Report> {
  return withInstallation(shell, async (installation) => {
    const keys = await createTokenAdministration(installation).listKeys()
    return {
      json: keys.map(({ kid, status, createdAt, signsFrom, replacedAt }) => ({
        kid,
        status,
        createdAt,
        signsFrom,
        replacedAt: replacedAt ?? null,
      })),
      text: table(
        ['KEY', 'STATUS', 'MADE', 'SIGNS FROM', 'REPLACED'],
        keys.map(({ kid, status, createdAt, signsFrom, replacedAt }) => [
          kid,
          status,
          moment(createdAt),
          moment(signsFrom),
          replacedAt === undefined ? '' : moment(replacedAt),
        ]),
        'No signing keys yet: the first start of the gateway creates one.',
      ),
    }
  })
}

/** `tollgate keys rotate`. */
export function rotate(shell: Shell, { now = false }: { readonly now?: boolean }): Promise<Report> {
  return withInstallation(shell, async (installation) => {
    requireKeys(installation)
    const { clock } = shell
    const changes = watchConfiguration({ ...installation, clock })
    const keyring = createKeyring({ ...installation, clock, changes })
    const { kid, signsFrom } = await keyring.rotate(now ? 'NOW' : 'WHEN_PUBLISHED')
    return {
      json: { kid, signsFrom },
      text: kid,
      notes: [
        now
          ? 'New tokens are signed with this key. Verifiers that cache the published keys may refuse them for a minute.'
          : `This key is published and signs new tokens from ${moment(signsFrom)}.`,
        'Tokens of the previous key stay valid until they expire.',
      ],
    }
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
