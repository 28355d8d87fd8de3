import { parsePlainAmount } from '@tollgate/money'
import { isEvmAddress } from '@tollgate/payment-codes'
import { type Static, Type } from 'typebox'
import { type Config, ConfigError } from '../config.ts'
import {
  type Chain,
  type ConfirmationRule,
  createChainNode,
  type WatchedAsset,
} from '../modules/chains/index.ts'
import type { LargeAnswerClient } from '../platform/outbound/index.ts'
import { createAddresses, type PaymentChain, XpubProblem } from '../rails/evm/index.ts'
import { readSettingsFile } from './settings-file.ts'

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

/** A chain as it is read, as payments on it are planned, and the payment methods that are of it. */
export interface ConfiguredChain {
  readonly watched: Omit<Chain, 'nodes'>
  readonly paid: PaymentChain
  readonly methods: readonly string[]
  readonly rpc: readonly string[]
}

/** The chains of the file; none without the setting. Throws ConfigError, whose sentence names file and field. */
export function readChains({
  TOLLGATE_CHAINS_FILE: file,
  isLive,
}: Pick<Config, 'TOLLGATE_CHAINS_FILE' | 'isLive'>): readonly ConfiguredChain[] {
  if (file === undefined) return []
  const entries = readSettingsFile({
    ...{ setting: SETTING, file, entry: 'a chain' },
    schema: Type.Array(ChainSchema, { maxItems: CHAINS_MAX }),
  })
  requireUnmistakable(entries)
  return entries.map((entry, index) => toChain(entry, `[${index}]`, isLive))
}

/** The file itself, in which addresses of nodes have keys. Throws ConfigError for what is wrong in it. */
export function chainSecretFiles(config: Pick<Config, 'TOLLGATE_CHAINS_FILE' | 'isLive'>): readonly string[] {
  readChains(config)
  return config.TOLLGATE_CHAINS_FILE === undefined ? [] : [config.TOLLGATE_CHAINS_FILE]
}

/** The nodes that are asked about it. */
export const withNodes = (
  { watched, rpc }: ConfiguredChain,
  client: Pick<LargeAnswerClient, 'ask'>,
): Chain => ({ ...watched, nodes: rpc.map((url) => createChainNode({ url, client })) })

function toChain(entry: ChainEntry, place: string, isLive: boolean): ConfiguredChain {
  const { code, name, chainId, rpc, xpub, methods, startBlock } = entry
  if (isLive) requireWitnesses(rpc, `${place}.rpc`)
  if (isLive && entry.walletUrl !== undefined)
    throw problem(`${place}.walletUrl is for the sandbox: nobody pays there with real coins.`)
  const assets = entry.assets.map((asset, index) => toAsset(asset, `${place}.assets[${index}]`))
  requireOnce(
    assets.map(({ token }) => token?.toLowerCase() ?? ''),
    (token) => `${place}.assets has ${token} twice.`,
  )
  const byCurrency = new Map(assets.map((asset) => [asset.currencyCode, asset]))
  if (byCurrency.size < assets.length) throw problem(`${place}.assets has a currency twice.`)
  return {
    watched: {
      ...{ code, chainId, assets, startBlock },
      rangeBlocks: entry.rangeBlocks ?? RANGE_BLOCKS,
      everySeconds: entry.everySeconds ?? EVERY_SECONDS,
    },
    paid: {
      name,
      chainId,
      assets: byCurrency,
      addresses: addressesOf(xpub, place),
      walletUrl: entry.walletUrl,
    },
    methods,
    rpc,
  }
}

function addressesOf(xpub: string, place: string): PaymentChain['addresses'] {
  try {
    return createAddresses(xpub)
  } catch (error) {
    if (error instanceof XpubProblem) throw problem(`${place}.xpub: ${error.message}`)
    throw error
  }
}

function toAsset({ currencyCode, token, decimals, confirmations }: AssetEntry, place: string): WatchedAsset {
  if (!isEvmAddress(token))
    throw problem(
      `${place}.token must be 0x and 40 hexadecimal digits, and where it has capitals, the right ones (EIP-55). Copy it anew.`,
    )
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
