import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestChain, type TestLife, transaction, waitUntil } from '@tollgate/testkit'
import { addr } from 'micro-eth-signer'
import { CHAIN_ID, CONFIRMATIONS, DECIMALS, USDC } from './chains.ts'
import type { TestGateway } from './gateway.ts'
import { textAt } from './json.ts'
import { newId } from './payins.ts'
import { type Program, startProgram } from './process.ts'
import { createTopUp, readTopUp } from './topups.ts'

// Payouts on a chain: the signer, as a program of its own with its own folder, and a merchant with coins to pay out.

const SIGNER = 'apps/signer/src/main.ts'
const KEY = `0x${'29'.repeat(32)}`
export const WALLET = addr.fromPrivateKey(KEY)
const TIMEOUT_MS = 120_000

/** A signer that can be killed and started again. */
interface TestSigner {
  /** For the settings of the chain. */
  readonly payouts: object
  readonly settingsFile: string
  start(): Promise<void>
  kill(): Promise<void>
  /** What it ever signed. */
  record(): readonly { readonly reference: string; readonly nonce: string; readonly hash: string }[]
}

/** Writes its folder and starts it. */
export async function startSigner(t: TestLife, folder: string): Promise<TestSigner> {
  const at = (name: string): string => join(folder, name)
  writeFileSync(at('key'), KEY, { mode: 0o600 })
  writeFileSync(at('secret'), Buffer.alloc(32, 9).toString('base64'), { mode: 0o600 })
  const token = { token: USDC, decimals: DECIMALS, perTransaction: '10000', perDay: '100000' }
  const settings = {
    socket: 's.sock',
    keyFile: 'key',
    secretFile: 'secret',
    recordFile: 'record.jsonl',
    chains: [{ chainId: CHAIN_ID, maxFeePerGasGwei: '100', tokens: [token] }],
  }
  const settingsFile = at('signer.json')
  writeFileSync(settingsFile, JSON.stringify(settings))
  let program: Program | undefined
  const kill = async (): Promise<void> => {
    program?.kill('SIGKILL')
    await program?.end
  }
  t.after(kill)
  const signer: TestSigner = {
    settingsFile,
    kill,
    payouts: {
      signerSocket: at('s.sock'),
      secretFile: at('secret'),
      wallet: WALLET,
      coin: { currencyCode: 'ETH', decimals: 18 },
      maxFeePerGasGwei: '50',
      raiseAfterSeconds: 20,
    },
    async start() {
      const started = startProgram([SIGNER, 'run', settingsFile], {})
      program = started
      const isReady = (): boolean =>
        started.stderr().includes('the signer is ready') || started.ended() !== undefined
      await waitUntil(isReady, { timeoutMs: TIMEOUT_MS, what: 'the signer to be ready' })
      if (started.ended() !== undefined) throw new Error(`the signer ended: ${started.stderr()}`)
    },
    record: () =>
      readFileSync(at('record.jsonl'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  }
  await signer.start()
  return signer
}

/** The sandbox's merchant may top up and pay out with the coins of the catalogue. */
export async function enableCoins(gateway: TestGateway, keyFile: string): Promise<void> {
  for (const direction of ['topup', 'payout'])
    await gateway.cli(
      'merchants',
      'enable-method',
      'DEMO',
      'USDC_LOCAL',
      '--direction',
      direction,
      '--operator-key-file',
      keyFile,
    )
}

/** The merchant of the token tops its wallet up with coins on the chain. */
export async function topUpOnChain(
  gateway: TestGateway,
  token: string,
  { chain, amount }: { readonly chain: TestChain; readonly amount: number },
): Promise<void> {
  const id = newId()
  const created = await createTopUp(gateway, token, {
    id,
    amount: String(amount),
    currencyCode: 'USDC',
    method: 'USDC_LOCAL',
  })
  const to = textAt(created.body, 'paymentMethodResponse', 'wallet', 'address')
  chain.mine(
    [transaction({ token: USDC, to, units: BigInt(amount) * 10n ** BigInt(DECIMALS) })],
    CONFIRMATIONS,
  )
  const isPaid = async (): Promise<boolean> =>
    textAt(await readTopUp(gateway, token, id), 'process', 'status') === 'SUCCESS'
  await waitUntil(isPaid, { timeoutMs: TIMEOUT_MS, what: 'the top-up to be paid' })
}

/** What each address got by transfers that came to nodes, in the token's smallest units. */
export function paidByWallet(chain: TestChain): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { transactions } of chain.blocks())
    for (const { sent, transfers } of transactions)
      for (const { to, units } of sent === undefined ? [] : transfers)
        sums.set(to, (sums.get(to) ?? 0n) + units)
  return sums
}
