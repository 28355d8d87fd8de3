import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Amount, parsePlainAmount } from '@tollgate/money'
import { EVM_COIN, toEvmAddress } from '@tollgate/payment-codes'
import { randomIds, systemClock } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { addr } from 'micro-eth-signer'
import {
  type ChainPayoutSettings,
  createChainNode,
  createChainPayoutDesk,
  createSignerClient,
  createWalletNode,
} from '../../modules/chains/index.ts'
import { sealPersonalData } from '../../modules/payments/index.ts'
import { createLargeAnswerClient } from '../../platform/outbound/index.ts'
import type { PayoutWay, RailReport } from '../../rails/rail.ts'
import { CHAIN_ID, type ChainRig, CONFIRMATIONS, DECIMALS, ETH, openChainRig, TOKENS, USDC } from './rig.ts'

const SIGNER = fileURLToPath(new URL('../../../../signer/src/main.ts', import.meta.url))
export const KEY = `0x${'17'.repeat(32)}`
export const WALLET = addr.fromPrivateKey(KEY).toLowerCase()
const SECRET = Buffer.alloc(32, 5)
const GWEI = 10n ** 9n

/** A signer that runs as a process of its own. */
interface RunningSigner {
  readonly socketPath: string
  start(): Promise<void>
  /** As a power cut does it. */
  kill(): Promise<void>
  /** What it has signed, a line each. */
  record(): readonly { readonly reference: string; readonly nonce: string; readonly hash: string }[]
}

/** In place of the test's own chain. */
interface RealChain {
  /** `EVM_COIN`: payouts are in the chain's own coin. */
  readonly token?: string
  /** Addresses of nodes. */
  readonly rpc?: readonly string[]
  readonly startBlock?: number
}

interface SignerLimits extends Pick<RealChain, 'token'> {
  readonly perTransaction?: string
  readonly perDay?: string
  readonly payees?: readonly string[]
  readonly secret?: Buffer
}

/** A chain from which payouts leave, and the signer of its wallet. */
interface PayoutRig extends ChainRig {
  readonly signer: RunningSigner
  readonly client: ChainPayoutSettings['signer']
  /** Accepts a payout of so much to an address of its own, and hands it over as the rail does. */
  pay(amount: string, payee?: string): Promise<HandedOver>
  /** Hands it over once more, as after a restore. */
  take(payout: HandedOver): Promise<RailReport>
  /** What the rail would be told of it. */
  tell(payout: HandedOver): Promise<string>
  /** Each payout as `amount state nonce`, in the order in which they were taken. */
  payouts(): Promise<readonly string[]>
  /** Why nothing leaves from the wallet; '' when all is well. */
  problem(): Promise<string>
  /** What each payee has got, by the chain's blocks: `units` by address. */
  paid(): ReadonlyMap<string, bigint>
}

interface HandedOver {
  readonly reference: string
  readonly payee: string
  readonly amount: Amount
}

const FUNDS = 10_000_000

export async function openPayoutRig(
  t: TestLife,
  given: Partial<Pick<ChainPayoutSettings, 'maxFeePerGas' | 'raiseAfterSeconds'>> &
    RealChain &
    SignerLimits = {},
): Promise<PayoutRig> {
  const signer = prepareSigner(t, given)
  await signer.start()
  const client = createSignerClient({ socketPath: signer.socketPath, secret: SECRET, clock: systemClock })
  const asking = createLargeAnswerClient()
  t.after(() => asking.close())
  const { token = USDC, rpc } = given
  const { currencyCode, decimals } = paidIn(token)
  const opened = await openChainRig(t, ({ nodes }) => ({
    ...(token === EVM_COIN && { assets: [...TOKENS, ETH] }),
    ...(rpc && realNodes(rpc, token, asking)),
    ...(given.startBlock !== undefined && { startBlock: given.startBlock }),
    payouts: {
      wallet: WALLET,
      signer: client,
      coin: { currencyCode: 'ETH', decimals: 18 },
      gasLimit: 120_000n,
      nodes: (rpc ?? nodes.map(({ url }) => url)).map((url) => createWalletNode({ url, client: asking })),
      maxFeePerGas: given.maxFeePerGas ?? 50n * GWEI,
      raiseAfterSeconds: given.raiseAfterSeconds ?? 120,
    },
  }))
  const { rig, chain } = opened
  await fund(opened, currencyCode)
  const desk = createChainPayoutDesk({ db: rig.db, secretFor: () => SECRET })
  const way: PayoutWay = {
    code: 'LOCAL',
    chainId: CHAIN_ID,
    wallet: WALLET,
    token,
    decimals,
  }
  const moneyOf = (amount: Amount) => ({ amount, currencyCode })
  const take = ({ reference, amount, payee }: HandedOver): Promise<RailReport> =>
    desk.take({ reference, money: moneyOf(amount), customer: { accountNumber: payee } }, way)
  return {
    ...opened,
    signer,
    client,
    take,
    async pay(text, payee = anAddress()) {
      const amount = parsePlainAmount(text)
      const reference = randomIds.readable(12)
      const key = { merchantId: '1', kind: 'PAYOUT', idPayment: reference } as const
      await rig.accept({
        ...key,
        amount,
        reference,
        currencyCode,
        feeAmount: '0',
        rail: 'evm',
        methodCode: 'USDC_LOCAL',
        processorStatus: 'QUEUED',
        instructions: {},
        holdTransferId: randomIds.uuid(),
        personalData: sealPersonalData(rig.secrets, key, { accountNumber: payee }),
      })
      const payout = { reference, payee: payee.toLowerCase(), amount }
      await take(payout)
      return payout
    },
    async tell({ reference, amount }) {
      const report = await desk.tell({ reference, money: moneyOf(amount) }, 1)
      return report.kind === 'FAILED' ? `FAILED ${report.code}` : report.kind
    },
    async payouts() {
      const rows = await rig.sql(
        `select trim_scale(amount)::text || ' ' || state || coalesce(' ' || nonce, '') as text from chain_payouts order by payout_no`,
      )
      return rows.map((row) => String(row['text']))
    },
    async problem() {
      const [row] = await rig.sql(`select coalesce(problem, '') as problem from chain_wallets`)
      return String(row?.['problem'])
    },
    paid() {
      const sums = new Map<string, bigint>()
      for (const { transactions } of chain.blocks())
        for (const { sent, transfers } of transactions)
          for (const { to, units } of sent === undefined ? [] : transfers)
            sums.set(to, (sums.get(to) ?? 0n) + units)
      return sums
    },
  }
}

const paidIn = (token?: string) => (token === EVM_COIN ? ETH : { currencyCode: 'USDC', decimals: DECIMALS })

const ADDRESS_BYTES = 20
const anAddress = (): string =>
  toEvmAddress(
    randomIds
      .uuid()
      .replaceAll('-', '')
      .padEnd(2 * ADDRESS_BYTES, '7'),
  )

const realNodes = (
  rpc: readonly string[],
  token: string,
  client: ReturnType<typeof createLargeAnswerClient>,
) => ({
  nodes: rpc.map((url) => createChainNode({ url, client })),
  assets: [
    {
      ...paidIn(token),
      token,
      confirmations: [{ upTo: undefined, blocks: CONFIRMATIONS.small }],
    },
  ],
})

/** The merchant tops its balance up. */
async function fund({ rig }: ChainRig, currencyCode: string): Promise<void> {
  const topUp = await rig.accept({
    kind: 'TOPUP',
    amount: String(FUNDS),
    currencyCode,
    feeAmount: '0',
    methodCode: 'USDC_LOCAL',
    rail: 'evm',
  })
  const { merchantId, kind, idPayment } = topUp
  const outcome = await rig.payments.propose(
    { merchantId, kind, idPayment },
    {
      status: 'SUCCESS',
      actor: 'rail:test',
      evidence: { class: 'RAIL' },
      received: { amount: parsePlainAmount(String(FUNDS)), currencyCode },
    },
  )
  if (outcome.kind !== 'CHANGED') throw new Error(`the balance was not topped up: ${JSON.stringify(outcome)}`)
}

function prepareSigner(t: TestLife, limits: SignerLimits): RunningSigner {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-signer-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string): string => join(folder, name)
  const [socketPath, settings, recordFile] = [at('s.sock'), at('signer.json'), at('record.jsonl')]
  writeFileSync(at('key'), KEY, { mode: 0o600 })
  writeFileSync(at('secret'), (limits.secret ?? SECRET).toString('base64'), { mode: 0o600 })
  const token = {
    token: limits.token ?? USDC,
    decimals: paidIn(limits.token).decimals,
    perTransaction: limits.perTransaction ?? '1000000',
    perDay: limits.perDay ?? '100000000',
  }
  const chain = {
    chainId: CHAIN_ID,
    maxFeePerGasGwei: '100',
    tokens: [token],
    ...(limits.payees && { payees: limits.payees }),
  }
  const files = { socket: 's.sock', keyFile: 'key', secretFile: 'secret', recordFile: 'record.jsonl' }
  writeFileSync(settings, JSON.stringify({ ...files, chains: [chain] }))
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  t.after(kill)
  return {
    socketPath,
    kill,
    async start() {
      child = fork(SIGNER, ['run', settings], { silent: true })
      let said = ''
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
      const opened = await Promise.race([
        once(child, 'message').then(() => true),
        once(child, 'exit').then(() => false),
      ])
      if (!opened) throw new Error(`the signer did not start: ${said}`)
    },
    record: () =>
      readFileSync(recordFile, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  }
}
