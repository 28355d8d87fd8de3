import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EVM_COIN, readCreditorReference } from '@tollgate/payment-codes'
import type { Config } from '../../config.ts'
import { catalogueYaml } from '../../modules/catalogue/index.ts'
import { writePrivately } from '../../platform/whole-file.ts'
import { ownUrl } from '../../programs/simulator.ts'
import { derivationPathOf } from '../../rails/evm/index.ts'
import { type ConfiguredChain, readChains } from '../../rooms/chain-settings.ts'
import { CommandFailure } from '../failure.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate chains path`. */
export function showPath(typed: string): Promise<Report> {
  const plain = typed.replaceAll(/\s/g, '').toUpperCase()
  const reference = [plain, readCreditorReference(plain)].find(
    (text) => text !== undefined && /^[0-9A-HJKMNP-TV-Z]{12}$/.test(text),
  )
  if (reference === undefined)
    throw new CommandFailure(
      'USAGE',
      `A payment's reference looks like 7MZKQ2VTN4CX, or RF80 454A JXNQ X7A8. This is ${JSON.stringify(typed)}.`,
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

/** The same account's private key, for sweeps on the test chain. */
const DEVELOPMENT_XPRV =
  'xprv9zz7v8QuW9DB5aPK3A4sGm1Nd3gNbg3NznE3Gu3TUPDFCEvZwALBrjY5d5h8eyKywqqFkKXDaxAKsmL4qVMzN3wBGaC2h3WoJT74EVuGwZi'
/** The second address of the same mnemonic. */
const DEVELOPMENT_TREASURY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/**
 * The wallet of the first key of the same mnemonic, for payouts on the test chain. Everybody has its key: on a chain where coins are worth
 * something they would be gone at once.
 */
const DEVELOPMENT_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const DEVELOPMENT_WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The test chain's own coin. */
const TEST_COIN = { currencyCode: 'ETH', decimals: 18 }
const OWN_COIN = { token: EVM_COIN, decimals: TEST_COIN.decimals }
const MAX_FEE_GWEI = '50'
const SECRET_BYTES = 32
const SIGNER_FILES = {
  socket: 'signer.sock',
  keyFile: 'signer.key',
  secretFile: 'signer.secret',
  recordFile: 'record.jsonl',
}
const SWEEPER_FILES = { settings: 'sweeper.json', keyFile: 'account.xprv' }
const testToken = (byte: string) => ({ token: `0x${byte.repeat(20)}`, decimals: 6 })

/** `tollgate signer sandbox`: a folder with what the signer of payouts on the test chain needs. */
export async function makeTestSigner(shell: Shell, folder: string): Promise<Report> {
  await requireTestChain(shell)
  const at = (name: string): string => join(folder, name)
  const settingsFile = at('settings.json')
  if (existsSync(settingsFile))
    throw new CommandFailure('USAGE', `${settingsFile} is there already; it is not overwritten.`)
  const limits = { perTransaction: '10000', perDay: '100000' }
  const tokens = [testToken('a0'), testToken('e0'), OWN_COIN].map((token) => ({ ...token, ...limits }))
  const settings = {
    ...SIGNER_FILES,
    chains: [{ chainId: TEST_CHAIN_ID, maxFeePerGasGwei: MAX_FEE_GWEI, tokens }],
  }
  mkdirSync(folder, { recursive: true })
  writePrivately(at(SIGNER_FILES.keyFile), `${DEVELOPMENT_KEY}\n`)
  writePrivately(at(SIGNER_FILES.secretFile), `${randomBytes(SECRET_BYTES).toString('base64')}\n`)
  writePrivately(settingsFile, `${JSON.stringify(settings, undefined, 2)}\n`)
  writePrivately(at(SWEEPER_FILES.keyFile), `${DEVELOPMENT_XPRV}\n`)
  writePrivately(at(SWEEPER_FILES.settings), `${JSON.stringify(testSweeper(), undefined, 2)}\n`)
  return {
    json: { folder, settingsFile, wallet: DEVELOPMENT_WALLET },
    text: `${settingsFile}: run the signer with it. \`tollgate chains sandbox --signer ${folder}\` prints the settings of the gateway that go with it.`,
  }
}

/** What may be signed to bring coins of the test chain home. */
const testSweeper = () => ({
  keyFile: SWEEPER_FILES.keyFile,
  chains: [
    {
      chainId: TEST_CHAIN_ID,
      treasury: DEVELOPMENT_TREASURY,
      maxFeePerGasGwei: MAX_FEE_GWEI,
      tokens: [testToken('a0'), testToken('e0'), OWN_COIN].map(({ token }) => token),
    },
  ],
})

/** Throws where no simulator runs it. */
async function requireTestChain(shell: Shell): Promise<Config> {
  const config = await shell.config()
  if (!config.isLive && config.TOLLGATE_SIMULATOR_PORT !== 0) return config
  throw new CommandFailure('USAGE', 'The test chain is run by the bank simulator, which only a sandbox has.')
}

/** How payouts leave by the test chain. Paths are whole: the file of chains may lie anywhere. */
const testPayouts = (folder: string) => ({
  signerSocket: resolve(folder, SIGNER_FILES.socket),
  secretFile: resolve(folder, SIGNER_FILES.secretFile),
  wallet: DEVELOPMENT_WALLET,
  coin: TEST_COIN,
  maxFeePerGasGwei: MAX_FEE_GWEI,
})

/** `tollgate chains sandbox`: settings for the chain that the sandbox's bank simulator runs. */
export async function printTestChain(
  shell: Shell,
  { signer }: { readonly signer?: string },
): Promise<Report> {
  const config = await requireTestChain(shell)
  const assetOf = (currencyCode: string, token: { readonly token: string; readonly decimals: number }) => ({
    currencyCode,
    ...token,
    confirmations: [{ upTo: '100', blocks: 3 }, { blocks: 10 }],
  })
  const chains = [
    {
      code: 'TEST',
      name: 'Test chain',
      chainId: TEST_CHAIN_ID,
      rpc: [`${ownUrl(config.hosts.SIMULATOR, config.TOLLGATE_SIMULATOR_PORT)}/chain`],
      xpub: DEVELOPMENT_XPUB,
      methods: ['USDC_TEST'],
      assets: [
        assetOf('USDC', testToken('a0')),
        assetOf('EURC', testToken('e0')),
        assetOf(TEST_COIN.currencyCode, OWN_COIN),
      ],
      treasury: [DEVELOPMENT_TREASURY],
      ...(signer !== undefined && { payouts: testPayouts(signer) }),
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
const AMOUNTS = { min: '1', max: '10000' }
/** Of coins that are worth more. */
const COIN_AMOUNTS = { min: '0.001', max: '10' }

function coinCatalogue(chains: readonly ConfiguredChain[]): Readonly<Record<string, unknown>> {
  const currencies = new Map([
    ...chains.flatMap(({ watched }) => watched.assets.map(decimalsByCode)),
    ...chains.flatMap(({ payouts }) => (payouts === undefined ? [] : [decimalsByCode(payouts.coin)])),
  ])
  return {
    currencies: [...currencies].map(([code, minorUnits]) => ({
      code,
      name: code,
      type: 'CRYPTO',
      minorUnits,
    })),
    segments: [],
    paymentOperators: [],
    methods: chains.flatMap(({ watched, paid, methods, payouts }) =>
      methods.map((code) => ({
        code,
        name: `Coins on ${paid.name}`,
        flow: 'QR',
        rail: 'evm',
        expiresAfterSeconds: SECONDS_TO_PAY,
        limits: ['PAYIN', 'TOPUP', ...(payouts === undefined ? [] : ['PAYOUT'])].flatMap((direction) =>
          watched.assets.map(({ currencyCode, token }) => ({
            direction,
            currencyCode,
            ...(token === EVM_COIN ? COIN_AMOUNTS : AMOUNTS),
          })),
        ),
        ...(payouts !== undefined && {
          fields: [{ direction: 'PAYOUT', name: 'accountNumber', maxLength: ADDRESS_CHARACTERS }],
        }),
      })),
    ),
  }
}

const ADDRESS_CHARACTERS = 42

const decimalsByCode = ({
  currencyCode,
  decimals,
}: {
  readonly currencyCode: string
  readonly decimals: number
}): readonly [string, number] => [currencyCode, decimals]
