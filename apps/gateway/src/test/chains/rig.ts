import { type Amount, fromMinorUnits } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { randomIds } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import {
  createTestChain,
  startTestNode,
  type TestChain,
  type TestLife,
  type TestNode,
  type TestTransaction,
  transaction,
} from '@tollgate/testkit'
import {
  accountNumberOf,
  CHAIN_MAPPING,
  type Chain,
  createChainNode,
  createChainService,
  type WatchedAsset,
} from '../../modules/chains/index.ts'
import { type ChainWorkerDeps, lookAt } from '../../modules/chains/jobs.ts'
import { askForLook, ensureChains } from '../../modules/chains/store.ts'
import { listPersonalData, type NewPayment, openPersonalData } from '../../modules/payments/index.ts'
import { openRig, type Rig } from '../../modules/statements/test/rig.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createLargeAnswerClient } from '../../platform/outbound/index.ts'
import { createAddresses } from '../../rails/evm/index.ts'
import { ACCOUNT_XPUB } from '../../rails/evm/test/keys.ts'

export const CHAIN_ID = 31_337
export const USDC = `0x${'a0'.repeat(20)}`
export const EURC = `0x${'e0'.repeat(20)}`
export const USDT = `0x${'d0'.repeat(20)}`
export const DECIMALS = 6
/** Where coins of payments may go to, in lower case. */
export const TREASURY = `0x${'7e'.repeat(20)}`
/** Of small amounts, and of all others. */
export const CONFIRMATIONS = { small: 3, large: 8 }

const asset = (currencyCode: string, token: string): WatchedAsset => ({
  currencyCode,
  token,
  decimals: DECIMALS,
  confirmations: [
    { upTo: fromMinorUnits(1_000_000_000n, DECIMALS), blocks: CONFIRMATIONS.small },
    { upTo: undefined, blocks: CONFIRMATIONS.large },
  ],
})

/** The chain's own coin. */
export const ETH: WatchedAsset = {
  currencyCode: 'ETH',
  token: EVM_COIN,
  decimals: 18,
  confirmations: [
    { upTo: fromMinorUnits(10n, 0), blocks: CONFIRMATIONS.small },
    { upTo: undefined, blocks: CONFIRMATIONS.large },
  ],
}
/** Of a token. */
export const TOKENS: readonly WatchedAsset[] = [asset('USDC', USDC), asset('EURC', EURC), asset('USDT', USDT)]

const addresses = createAddresses(ACCOUNT_XPUB)
/** That pays for sweeps. */
const GAS_ADDRESS = addresses.gasAddress.toLowerCase()

/** A gateway with payments and statements, a chain, two nodes of it, and what reads them. */
export interface ChainRig {
  readonly rig: Rig
  readonly chain: TestChain
  readonly nodes: readonly [TestNode, TestNode]
  readonly service: ReturnType<typeof createChainService>
  /** Accepts a payin of so much, with an address of its own. */
  accept(amount: Amount, given?: Partial<NewPayment> & { readonly chainId?: string }): Promise<AcceptedPayin>
  /** One look, from its beginning to its end. */
  look(changed?: Partial<ChainWorkerDeps>): Promise<void>
  /** Each transfer as `amount state`, the oldest first. */
  transfers(): Promise<readonly string[]>
}

export interface AcceptedPayin extends NewPayment {
  readonly address: string
  /** A transaction that pays so many of the token's smallest units to it. */
  pay(units: bigint, token?: string): TestTransaction
}

const CURRENCIES = `insert into currencies (currency_code, name, type, minor_units)
  values ('USDC', 'USD Coin', 'CRYPTO', 6), ('EURC', 'Euro Coin', 'CRYPTO', 6), ('USDT', 'Tether', 'CRYPTO', 6), ('ETH', 'Ether', 'CRYPTO', 18) on conflict do nothing;
  insert into bank_accounts (account_code, currency_code, holder, bank_name, account_number, bank_code, is_default) values
    ('LOCAL_USDC', 'USDC', 'Addresses of payments', 'Local', '${accountNumberOf(CHAIN_ID, 'USDC')}', 'EVM', false),
    ('LOCAL_EURC', 'EURC', 'Addresses of payments', 'Local', '${accountNumberOf(CHAIN_ID, 'EURC')}', 'EVM', false),
    ('LOCAL_USDT', 'USDT', 'Addresses of payments', 'Local', '${accountNumberOf(CHAIN_ID, 'USDT')}', 'EVM', false),
    ('LOCAL_ETH', 'ETH', 'Addresses of payments', 'Local', '${accountNumberOf(CHAIN_ID, 'ETH')}', 'EVM', false);`

type MoreOfChain = (parts: { readonly nodes: readonly TestNode[] }) => Partial<Chain>

export async function openChainRig(t: TestLife, more: Partial<Chain> | MoreOfChain = {}): Promise<ChainRig> {
  const rig = await openRig(t)
  await rig.sql(CURRENCIES)
  const chain = createTestChain({ chainId: CHAIN_ID })
  const nodes = [
    await startTestNode(t, chain, { chainId: CHAIN_ID, decimals: DECIMALS }),
    await startTestNode(t, chain, { chainId: CHAIN_ID, decimals: DECIMALS }),
  ] as const
  const client = createLargeAnswerClient()
  t.after(() => client.close())
  const watched: Chain = {
    code: 'LOCAL',
    chainId: CHAIN_ID,
    everySeconds: 0,
    rangeBlocks: 100,
    startBlock: 0,
    treasury: [TREASURY],
    gasAddress: GAS_ADDRESS,
    assets: TOKENS,
    nodes: nodes.map(({ url }) => createChainNode({ url, client })),
    ...(typeof more === 'function' ? more({ nodes }) : more),
  }
  const { db } = rig
  const service = createChainService({ db, chains: [watched] })
  const deps: ChainWorkerDeps = {
    db,
    ids: randomIds,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    chains: [watched],
    async payeeOf(key) {
      const sealed = (await listPersonalData(db, [key])).find(({ source }) => source === 'REQUEST')
      return sealed && openPersonalData(rig.secrets, key, sealed).accountNumber
    },
    prepare: async ({ assets }) => new Set(assets.map(({ currencyCode }) => currencyCode)),
    async take({ fileName, text, actor }) {
      await rig.statements.take({ fileName, bytes: Buffer.from(text), actor, mapping: CHAIN_MAPPING })
    },
  }
  await ensureChains(db, [watched.code])
  return {
    rig,
    chain,
    nodes,
    service,
    async accept(amount, { chainId = String(CHAIN_ID), ...payment } = {}) {
      const reference = payment.reference ?? randomIds.readable(12)
      const address = addresses.addressOf(reference)
      const accepted = await rig.accept({
        amount,
        reference,
        currencyCode: 'USDC',
        feeAmount: '0',
        methodCode: 'USDC_LOCAL',
        rail: 'evm',
        instructions: { wallet: { address, network: 'Local', chainId } },
        ...payment,
      })
      return {
        ...accepted,
        address,
        pay: (units, token = USDC) => transaction({ token, to: address, units }),
      }
    },
    async look(changed = {}) {
      await askForLook(db, watched.code)
      await lookAt({ ...deps, ...changed }, watched, {
        checkedAtMs: new Map(),
        signal: new AbortController().signal,
      })
    },
    async transfers() {
      const rows = await rig.sql(
        `select trim_scale(amount)::text || ' ' || state as text from chain_transfers order by transfer_no`,
      )
      return rows.map((row) => String(row['text']))
    },
  }
}
