import { toEvmAddress } from '@tollgate/payment-codes'
import type { WallClock } from '@tollgate/runtime'
import { type Config, ConfigError } from '../../config.ts'
import { createSignerClient } from '../../modules/chains/index.ts'
import { type ConfiguredChain, readChains } from '../../rooms/chain-settings.ts'
import { type Finding, fail, ok } from './finding.ts'

const NAME = 'signer'
const PATIENCE_MS = 5_000
const HELP =
  'Start it, or compare its settings: docs/guides/stablecoins.md, "Payouts do not leave, or do not go on".'

/** Whether the signers of payouts on chains answer, and sign for the wallets of the settings. A file that is wrong was told of before. */
export async function examineSigners(config: Config, clock: WallClock): Promise<readonly Finding[]> {
  return Promise.all(
    chainsOf(config).flatMap(({ paid: { code }, payouts }) =>
      payouts === undefined ? [] : [examine(code, payouts, clock)],
    ),
  )
}

function chainsOf(config: Config): readonly ConfiguredChain[] {
  try {
    return readChains(config)
  } catch (error) {
    if (error instanceof ConfigError) return []
    throw error
  }
}

async function examine(
  code: string,
  { signerSocket: socketPath, secret, wallet }: NonNullable<ConfiguredChain['payouts']>,
  clock: WallClock,
): Promise<Finding> {
  try {
    const signer = createSignerClient({ socketPath, secret, clock })
    const address = await signer.address(AbortSignal.timeout(PATIENCE_MS))
    if (address === wallet)
      return ok(NAME, `${code}: it answers, and signs for ${toEvmAddress(wallet.slice(2))}.`)
    return fail(NAME, `${code}: it signs for ${address}, and the settings say ${wallet}.`, HELP)
  } catch (error) {
    return fail(NAME, `${code}: ${error instanceof Error ? error.message : String(error)}`, HELP)
  }
}
