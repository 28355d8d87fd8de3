import { dirname, resolve } from 'node:path'
import { parsePlainAmount, toMinorUnits } from '@tollgate/money'
import { EVM_COIN, isEvmAddress } from '@tollgate/payment-codes'
import type { WallClock } from '@tollgate/runtime'
import { type Static, Type } from 'typebox'
import { type Config, ConfigError } from '../config.ts'
import {
  type Chain,
  type ChainPayoutSettings,
  type ConfirmationRule,
  createChainNode,
  createSignerClient,
  createWalletNode,
  type WatchedAsset,
} from '../modules/chains/index.ts'
import type { LargeAnswerClient } from '../platform/outbound/index.ts'
import { createAddresses, type PaymentChain, XpubProblem } from '../rails/evm/index.ts'
import { readSettingsFile, readSharedSecret } from './settings-file.ts'

// The chains on which customers pay: one JSON file, which TOLLGATE_CHAINS_FILE names. It lies on the machine and not in the
// database: nobody changes by a browser where coins go to, or whose word it is that they came.

const SETTING = 'TOLLGATE_CHAINS_FILE'
const CHAINS_MAX = 20
const HOSTS_OF_THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

const ConfirmationSchema = Type.Object(
  {
    upTo: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$' })),
    blocks: Type.Integer({ minimum: 1, maximum: 10_000 }),
  },
  { additionalProperties: false },
)
const AssetSchema = Type.Object(
  {
    currencyCode: Type.String({ pattern: '^[A-Z0-9]{3,10}$' }),
    token: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
    confirmations: Type.Array(ConfirmationSchema, { minItems: 1, maxItems: 10 }),
  },
  { additionalProperties: false },
)
/** The chain's own coin, in which the network is paid. */
const CoinSchema = Type.Object(
  {
    currencyCode: Type.String({ pattern: '^[A-Z0-9]{3,10}$' }),
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
  },
  { additionalProperties: false },
)
const PayoutsSchema = Type.Object(
  {
    signerSocket: Type.String({ minLength: 1, maxLength: 1000 }),
    secretFile: Type.String({ minLength: 1, maxLength: 1000 }),
    wallet: Type.String(),
    coin: CoinSchema,
    maxFeePerGasGwei: Type.String({ pattern: '^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,9})?$' }),
    gasLimit: Type.Optional(Type.Integer({ minimum: 21_000, maximum: 30_000_000 })),
    raiseAfterSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  },
  { additionalProperties: false },
)
type PayoutsEntry = Static<typeof PayoutsSchema>
const ChainSchema = Type.Object(
  {
    code: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,15}$' }),
    name: Type.String({ minLength: 1, maxLength: 40, pattern: '^[\\p{L}\\p{N} .-]+$' }),
    chainId: Type.Integer({ minimum: 1, maximum: 4_503_599_627_370_476 }),
    rpc: Type.Array(Type.String({ pattern: '^https?://[^\\s]+$' }), {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
    }),
    xpub: Type.String({ minLength: 1, maxLength: 200 }),
    methods: Type.Array(Type.String({ pattern: '^[A-Z0-9_]{1,64}$' }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    }),
    assets: Type.Array(AssetSchema, { minItems: 1, maxItems: 20 }),
    payouts: Type.Optional(PayoutsSchema),
    coin: Type.Optional(CoinSchema),
    treasury: Type.Optional(Type.Array(Type.String(), { maxItems: 20, uniqueItems: true })),
    walletUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s?#]+$' })),
    everySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    rangeBlocks: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    startBlock: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  { additionalProperties: false },
)
type ChainEntry = Static<typeof ChainSchema>
type AssetEntry = Static<typeof AssetSchema>

const EVERY_SECONDS = 10
const RANGE_BLOCKS = 500
/** A transfer of a token takes some 30,000 to 70,000; what is not used costs nothing. */
const GAS_LIMIT = 120_000
const RAISE_AFTER_SECONDS = 120
const GWEI_DECIMALS = 9
/** What kernels take. */
const SOCKET_BYTES_MAX = 103

/** A chain as it is read, as payments on it are planned, and the payment methods that are of it. */
export interface ConfiguredChain {
  readonly watched: Omit<Chain, 'nodes'>
  readonly paid: PaymentChain
  readonly methods: readonly string[]
  readonly rpc: readonly string[]
  /** Undefined: nothing is paid out on it. */
  readonly payouts: ConfiguredPayouts | undefined
  /** In which the network is paid, where the settings say it. */
  readonly coin: ChainPayoutSettings['coin'] | undefined
}

/** How payouts leave by a chain, but for whom is asked. */
interface ConfiguredPayouts extends Omit<ChainPayoutSettings, 'signer' | 'nodes'> {
  readonly signerSocket: string
  readonly secretFile: string
  /** That gateway and signer share. */
  readonly secret: Buffer
}

/** The chains of the file; none without the setting. Throws ConfigError, whose sentence names file and field. */
export function readChains({
  TOLLGATE_CHAINS_FILE: file,
  isLive,
}: Pick<Config, 'TOLLGATE_CHAINS_FILE' | 'isLive'>): readonly ConfiguredChain[] {
  if (file === undefined) return []
  const entries = readSettingsFile({
    setting: SETTING,
    file,
    entry: 'a chain',
    schema: Type.Array(ChainSchema, { maxItems: CHAINS_MAX }),
  })
  requireUnmistakable(entries)
  return entries.map((entry, index) => toChain(entry, `[${index}]`, { isLive, folder: dirname(file) }))
}

/** The file itself, in which addresses of nodes have keys, and the secrets that it names. Throws ConfigError for what is wrong in it. */
export function chainSecretFiles(config: Pick<Config, 'TOLLGATE_CHAINS_FILE' | 'isLive'>): readonly string[] {
  const chains = readChains(config)
  if (config.TOLLGATE_CHAINS_FILE === undefined) return []
  return [config.TOLLGATE_CHAINS_FILE, ...chains.flatMap(({ payouts }) => payouts?.secretFile ?? [])]
}

interface Asked {
  readonly client: Pick<LargeAnswerClient, 'ask'>
  readonly clock: WallClock
}

/** The nodes that are asked about it, and the signer of its payouts. */
export function withNodes({ watched, rpc, payouts, coin }: ConfiguredChain, { client, clock }: Asked): Chain {
  const nodes = rpc.map((url) => createChainNode({ url, client }))
  const walletNodes = rpc.map((url) => createWalletNode({ url, client }))
  const sweeps =
    watched.treasury.length === 0 || coin === undefined ? undefined : { nodes: walletNodes, coin }
  if (payouts === undefined) return { ...watched, nodes, sweeps }
  const { signerSocket: socketPath, secret } = payouts
  return {
    ...watched,
    nodes,
    sweeps,
    payouts: {
      ...payouts,
      signer: createSignerClient({ socketPath, secret, clock }),
      nodes: walletNodes,
    },
  }
}

interface Surroundings {
  readonly isLive: boolean
  /** Paths in the file are relative to it. */
  readonly folder: string
}

function toChain(entry: ChainEntry, place: string, { isLive, folder }: Surroundings): ConfiguredChain {
  const { code, name, chainId, rpc, xpub, methods } = entry
  if (isLive) requireWitnesses(rpc, `${place}.rpc`)
  if (isLive && entry.walletUrl !== undefined)
    throw problem(`${place}.walletUrl is for the sandbox: nobody pays there with real coins.`)
  const assets = entry.assets.map((asset, index) => toAsset(asset, `${place}.assets[${index}]`))
  requireOnce(
    assets.map(({ token }) => token.toLowerCase()),
    (token) => `${place}.assets has ${token} twice.`,
  )
  const byCurrency = new Map(assets.map((asset) => [asset.currencyCode, asset]))
  if (byCurrency.size < assets.length) throw problem(`${place}.assets has a currency twice.`)
  const payouts = entry.payouts && toPayouts(entry.payouts, `${place}.payouts`, folder)
  const addresses = addressesOf(xpub, place)
  return {
    watched: { ...toWatched(entry, place, assets), gasAddress: addresses.gasAddress.toLowerCase() },
    payouts,
    coin: coinOfAll(entry, assets, place),
    paid: {
      code,
      name,
      chainId,
      wallet: payouts?.wallet,
      assets: byCurrency,
      addresses,
      walletUrl: entry.walletUrl,
    },
    methods,
    rpc,
  }
}

/** In what the network is paid, wherever the file says it: it has one coin. */
function coinOfAll(
  { coin, payouts }: ChainEntry,
  assets: readonly WatchedAsset[],
  place: string,
): ConfiguredChain['coin'] {
  const said = [coin, payouts?.coin, assets.find(({ token }) => token === EVM_COIN)].flatMap(
    (each) => each ?? [],
  )
  const [first, ...rest] = said.map(({ currencyCode, decimals }) => ({ currencyCode, decimals }))
  const other = rest.find(
    ({ currencyCode, decimals }) => currencyCode !== first?.currencyCode || decimals !== first.decimals,
  )
  if (first !== undefined && other !== undefined)
    throw problem(
      `${place} has two coins of the network, ${first.currencyCode} with ${first.decimals} decimals and ${other.currencyCode} with ${other.decimals}: coin, payouts.coin and the asset whose token is "${EVM_COIN}" must say the same.`,
    )
  return first
}

function toWatched(
  { code, chainId, startBlock, treasury = [], rangeBlocks, everySeconds }: ChainEntry,
  place: string,
  assets: readonly WatchedAsset[],
): Omit<ConfiguredChain['watched'], 'gasAddress'> {
  return {
    code,
    chainId,
    assets,
    startBlock,
    treasury: treasury.map((address, index) => homeAddress(address, `${place}.treasury[${index}]`, assets)),
    rangeBlocks: rangeBlocks ?? RANGE_BLOCKS,
    everySeconds: everySeconds ?? EVERY_SECONDS,
  }
}

/** Coins that are brought to the contract of their token are lost. */
function homeAddress(address: string, place: string, assets: readonly WatchedAsset[]): string {
  if (!isEvmAddress(address)) throw problem(`${place} ${ADDRESS_SENTENCE}`)
  const home = address.toLowerCase()
  if (assets.some(({ token }) => token.toLowerCase() === home))
    throw problem(`${place} is the contract of a token: coins that are sent there are lost.`)
  return home
}

function toPayouts(entry: PayoutsEntry, place: string, folder: string): ConfiguredPayouts {
  if (!isEvmAddress(entry.wallet)) throw problem(`${place}.wallet ${ADDRESS_SENTENCE}`)
  const secretFile = resolve(folder, entry.secretFile)
  const signerSocket = resolve(folder, entry.signerSocket)
  if (Buffer.byteLength(signerSocket) > SOCKET_BYTES_MAX)
    throw problem(
      `${place}.signerSocket: ${signerSocket} is longer than the ${SOCKET_BYTES_MAX} bytes that a Unix socket may have.`,
    )
  return {
    wallet: entry.wallet.toLowerCase(),
    coin: entry.coin,
    signerSocket,
    secretFile,
    secret: readSharedSecret(secretFile, `${SETTING}: ${place}.secretFile`),
    gasLimit: BigInt(entry.gasLimit ?? GAS_LIMIT),
    maxFeePerGas: toMinorUnits(parsePlainAmount(entry.maxFeePerGasGwei), GWEI_DECIMALS),
    raiseAfterSeconds: entry.raiseAfterSeconds ?? RAISE_AFTER_SECONDS,
  }
}

const ADDRESS_SENTENCE =
  'must be 0x and 40 hexadecimal digits, and where it has capitals, the right ones (EIP-55). Copy it anew.'

function addressesOf(xpub: string, place: string): PaymentChain['addresses'] {
  try {
    return createAddresses(xpub)
  } catch (error) {
    if (error instanceof XpubProblem) throw problem(`${place}.xpub: ${error.message}`)
    throw error
  }
}

function toAsset({ currencyCode, token, decimals, confirmations }: AssetEntry, place: string): WatchedAsset {
  if (token !== EVM_COIN && !isEvmAddress(token))
    throw problem(`${place}.token ${ADDRESS_SENTENCE} For the chain's own coin it is "${EVM_COIN}".`)
  const rules = confirmations.map(
    ({ upTo, blocks }): ConfirmationRule => ({
      upTo: upTo === undefined ? undefined : parsePlainAmount(upTo),
      blocks,
    }),
  )
  const bounds = rules.map(({ upTo }) => upTo)
  const isInOrder = rules.every(
    (rule, index) =>
      index === 0 ||
      (rule.blocks >= (rules[index - 1]?.blocks ?? 0) &&
        Number(rule.upTo ?? Number.POSITIVE_INFINITY) > Number(bounds[index - 1])),
  )
  if (bounds.at(-1) !== undefined || bounds.slice(0, -1).includes(undefined) || !isInOrder)
    throw problem(
      `${place}.confirmations begin with the smallest upTo and the fewest blocks; the last one has no upTo, for all larger amounts.`,
    )
  return { currencyCode, token, decimals, confirmations: rules }
}

/** In live, one node's word is not enough, and nobody on the way may change it. */
function requireWitnesses(rpc: readonly string[], place: string): void {
  const urls = rpc.map((text) => new URL(text))
  if (new Set(urls.map(({ host }) => host)).size < 2)
    throw problem(
      `${place} must name nodes at two different hosts in live: what one says alone is not booked.`,
    )
  const open = urls.find(
    ({ protocol, hostname }) => protocol !== 'https:' && !HOSTS_OF_THIS_MACHINE.includes(hostname),
  )
  if (open !== undefined) throw problem(`${place}: ${open.host} must be an https address in live.`)
}

/** Each code, each chain and each method once. */
function requireUnmistakable(entries: readonly ChainEntry[]): void {
  requireOnce(
    entries.map(({ code }) => code),
    (code) => `there are two chains ${code}.`,
  )
  requireOnce(
    entries.map(({ chainId }) => String(chainId)),
    (chainId) => `the chain ${chainId} is there twice.`,
  )
  requireOnce(
    entries.flatMap(({ methods }) => methods),
    (method) => `the method ${method} cannot be of two chains.`,
  )
  for (const [index, { rpc }] of entries.entries())
    for (const url of rpc) if (!URL.canParse(url)) throw problem(`[${index}].rpc: an entry is no address.`)
}

function requireOnce(texts: readonly string[], sentenceOf: (text: string) => string): void {
  const twice = texts.find((text, index) => texts.indexOf(text) !== index)
  if (twice !== undefined) throw problem(sentenceOf(twice))
}

const problem = (text: string): ConfigError => new ConfigError(`${SETTING}: ${text}`)
