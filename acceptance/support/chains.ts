import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createTestChain,
  startTestNode,
  type TestChain,
  type TestLife,
  type TestNode,
} from '@tollgate/testkit'

// A chain that a gateway reads, as an installation names it in a file, and the catalogue that payments on it need.

export const CHAIN_ID = 31_337
export const USDC = `0x${'a0'.repeat(20)}`
const EURC = `0x${'e0'.repeat(20)}`
export const DECIMALS = 6
/** Of development chains: everybody has its private keys. */
const DEVELOPMENT_XPUB =
  'xpub6DyUKdwoLWmUJ4Tn9Bbsdtx7B5Ws18mEN19e5HT52ikE53FiUheSQXrZUNPovqfyKmw4579A1Mm3GXXKM39N64uooBfJ4tNAzFsEbodRTx4'

export const CONFIRMATIONS = 3

/** A chain with two nodes, and their addresses. */
interface StartedChain {
  readonly chain: TestChain
  readonly nodes: readonly [TestNode, TestNode]
  readonly rpc: readonly string[]
}

export async function startChain(life: TestLife): Promise<StartedChain> {
  const chain = createTestChain({ chainId: CHAIN_ID })
  const nodes = [
    await startTestNode(life, chain, { chainId: CHAIN_ID, decimals: DECIMALS }),
    await startTestNode(life, chain, { chainId: CHAIN_ID, decimals: DECIMALS }),
  ] as const
  return { chain, nodes, rpc: nodes.map(({ url }) => url) }
}

/** Writes the settings of one chain with these nodes; gives the path, for TOLLGATE_CHAINS_FILE. */
export function writeChain(folder: string, rpc: readonly string[], more: object = {}): string {
  const path = join(folder, 'chains.json')
  const assetOf = (currencyCode: string, token: string) => ({
    currencyCode,
    token,
    decimals: DECIMALS,
    confirmations: [{ blocks: CONFIRMATIONS }],
  })
  const chain = {
    code: 'LOCAL',
    name: 'Local chain',
    chainId: CHAIN_ID,
    rpc,
    xpub: DEVELOPMENT_XPUB,
    methods: ['USDC_LOCAL'],
    everySeconds: 1,
    startBlock: 0,
    assets: [assetOf('USDC', USDC), assetOf('EURC', EURC)],
    ...more,
  }
  writeFileSync(path, JSON.stringify([chain]), { mode: 0o600 })
  return path
}

/** Writes a catalogue with the coins and their method; gives the path, for `catalogue apply`. */
export function writeCoinCatalogue(folder: string, { isPayingOut = false } = {}): string {
  const path = join(folder, 'coins.yaml')
  const directions = ['PAYIN', 'TOPUP', ...(isPayingOut ? ['PAYOUT'] : [])]
  const rows = (row: (direction: string, currencyCode: string) => string): string =>
    directions.flatMap((direction) => ['USDC', 'EURC'].map((code) => row(direction, code))).join('\n')
  writeFileSync(
    path,
    `currencies:
  - { code: USDC, name: USD Coin, type: CRYPTO, minorUnits: ${DECIMALS} }
  - { code: EURC, name: Euro Coin, type: CRYPTO, minorUnits: ${DECIMALS} }
  - { code: ETH, name: Ether, type: CRYPTO, minorUnits: 18 }
methods:
  - code: USDC_LOCAL
    name: Stablecoins
    flow: QR
    rail: evm
    expiresAfterSeconds: 3600
${isPayingOut ? '    fields:\n      - { direction: PAYOUT, name: accountNumber, maxLength: 42 }\n' : ''}    limits:
${rows((direction, code) => `      - { direction: ${direction}, currencyCode: ${code}, min: 0.000001, max: 100000 }`)}
    fees:
${rows((direction, code) => `      - { direction: ${direction}, currencyCode: ${code}, fixed: 0, percentage: 0 }`)}
`,
  )
  return path
}
