import { createCallbackSigner, createMerchantService } from '../modules/merchants/index.ts'
import { watchConfiguration } from '../platform/configuration-changes.ts'
import type { Signer } from './callback-signature.ts'
import { withInstallation } from './installation.ts'
import type { Shell } from './shell.ts'

const SIGNERS_MAX = 1000

/** The callback keys of the merchants of the installation that runs here. */
export function readSigners(shell: Shell): Promise<readonly Signer[]> {
  return withInstallation(shell, async (installation) => {
    const merchants = await createMerchantService(installation).list()
    const changes = watchConfiguration({ ...installation, clock: shell.clock })
    const signer = createCallbackSigner({ ...installation, changes })
    return merchants
      .slice(0, SIGNERS_MAX)
      .map((merchant) => ({ merchantCode: merchant.merchantCode, publicKeys: signer.publicKeys(merchant) }))
  })
}
