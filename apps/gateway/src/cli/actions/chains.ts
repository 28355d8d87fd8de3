import { catalogueYaml } from '../../modules/catalogue/index.ts'
import { ownUrl } from '../../programs/simulator.ts'
import { derivationPathOf } from '../../rails/evm/index.ts'
import { type ConfiguredChain, readChains } from '../../rooms/chain-settings.ts'
import { CommandFailure } from '../failure.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate chains path`. */
export function showPath(reference: string): Promise<Report> {
  if (!/^[0-9A-HJKMNP-TV-Z]{12}$/.test(reference))
    throw new CommandFailure(
      'USAGE',
      `A payment's reference has 12 capital letters and digits, such as 7MZKQ2VTN4CX. This is ${JSON.stringify(reference)}.`,
    )
  const path = derivationPathOf(reference)
  return Promise.resolve({ json: { reference, path }, text: path })
}

/** As the bank simulator's chain says of itself. */
const TEST_CHAIN_ID = 7_357
/**
 * The account m/44'/60'/0'/0 of the mnemonic "test test test test test test test test test test test junk": development chains give out their coins
 * by it, and everybody has its keys.
 */
const DEVELOPMENT_XPUB =
  'xpub6DyUKdwoLWmUJ4Tn9Bbsdtx7B5Ws18mEN19e5HT52ikE53FiUheSQXrZUNPovqfyKmw4579A1Mm3GXXKM39N64uooBfJ4tNAzFsEbodRTx4'

/** `tollgate chains sandbox`: settings for the chain that the sandbox's bank simulator runs. */
export async function printTestChain(shell: Shell): Promise<Report> {
  const config = await shell.config()
  if (config.isLive || config.TOLLGATE_SIMULATOR_PORT === 0)
    throw new CommandFailure(
      'USAGE',
      'The test chain is run by the bank simulator, which only a sandbox has.',
    )
  const assetOf = (currencyCode: string, byte: string) => ({
    ...{ currencyCode, token: `0x${byte.repeat(20)}`, decimals: 6 },
    confirmations: [{ upTo: '100', blocks: 3 }, { blocks: 10 }],
  })
  const chains = [
    {
      ...{ code: 'TEST', name: 'Test chain', chainId: TEST_CHAIN_ID },
      rpc: [`${ownUrl(config.hosts.SIMULATOR, config.TOLLGATE_SIMULATOR_PORT)}/chain`],
      xpub: DEVELOPMENT_XPUB,
      methods: ['USDC_TEST'],
      assets: [assetOf('USDC', 'a0'), assetOf('EURC', 'e0')],
      walletUrl: `${config.publicSimulatorUrl}/wallet`,
      everySeconds: 2,
    },
  ]
  return {
    json: chains,
    text: JSON.stringify(chains, undefined, 2),
    notes: ['Save it, and name it in TOLLGATE_CHAINS_FILE when you start the gateway.'],
  }
}

/** `tollgate chains starter`: a catalogue with the coins of the configured chains. */
export async function printCoinCatalogue(shell: Shell): Promise<Report> {
  const chains = readChains(await shell.config())
  if (chains.length === 0)
    throw new CommandFailure(
      'USAGE',
      'TOLLGATE_CHAINS_FILE names no chains. In a sandbox, `tollgate chains sandbox` prints one.',
    )
  const document = coinCatalogue(chains)
  return {
    json: document,
    text: `# Coins of the configured chains. Check the limits and set your fees before you apply it.\n${catalogueYaml(document)}`,
    notes: ['Save it, change it, and run `tollgate catalogue apply <file> --dry-run`.'],
  }
}

const SECONDS_TO_PAY = 3_600
const AMOUNT_MAX = '10000'

function coinCatalogue(chains: readonly ConfiguredChain[]): Readonly<Record<string, unknown>> {
  const assets = new Map(
    chains.flatMap(({ watched }) => watched.assets.map((each) => [each.currencyCode, each])),
  )
  return {
    currencies: [...assets.values()].map(({ currencyCode: code, decimals }) => ({
      ...{ code, name: code, type: 'CRYPTO', minorUnits: decimals },
    })),
    segments: [],
    paymentOperators: [],
    methods: chains.flatMap(({ watched, paid, methods }) =>
      methods.map((code) => ({
        ...{
          code,
          name: `Coins on ${paid.name}`,
          flow: 'QR',
          rail: 'evm',
          expiresAfterSeconds: SECONDS_TO_PAY,
        },
        limits: ['PAYIN', 'TOPUP'].flatMap((direction) =>
          watched.assets.map(({ currencyCode }) => ({ direction, currencyCode, min: '1', max: AMOUNT_MAX })),
        ),
      })),
    ),
  }
}
