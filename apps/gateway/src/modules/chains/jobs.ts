import type { Ids, Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import type { PaymentKey } from '../payments/index.ts'
import { agreementOf } from './agreement.ts'
import { book, type TakeStatement } from './booking.ts'
import { ChainFault } from './errors.ts'
import { countHoldings } from './holdings/counting.ts'
import { isCountDue, keepHoldings, listHoldings, noteCountProblem } from './holdings/holdings-store.ts'
import { type Chain, LeaseLost, retrySeconds } from './model.ts'
import { listWallets } from './payouts/payout-store.ts'
import { sendPayouts } from './payouts/sending.ts'
import { type Look, scan } from './scanning.ts'
import {
  type ChainLease,
  claimChain,
  countMissing,
  ensureChains,
  noteFault,
  noteSuccess,
  releaseChain,
  renewLease,
} from './store.ts'
import { sendSweeps } from './sweeps/sending.ts'

export interface ChainWorkerDeps {
  readonly db: Database
  readonly log: Log
  readonly metrics: Pick<
    Metrics,
    'chainLooks' | 'chainTransfersMissing' | 'chainHoldingsFindings' | 'chainPayoutsStuck'
  >
  readonly ids: Ids
  readonly chains: readonly Chain[]
  readonly take: TakeStatement
  /** Whom a payout goes to, as its payment has it; undefined when that was erased. */
  readonly payeeOf: (payment: PaymentKey) => Promise<string | undefined>
  /** Makes the accounts that the coins of a chain are booked on; gives the currencies that have one: those of the catalogue. */
  readonly prepare: (chain: Chain) => Promise<ReadonlySet<string>>
  /** From one look for what is due to the next; 1 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Reads chains. Any number may run: one at a time reads a chain. */
export interface ChainWorker {
  start(): void
  /** Ends what is under way at its next step. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** A process that died keeps the others from the chain for so long; one that lives renews its lease while it looks. */
const LEASE_SECONDS = 30
const RENEW_MS = 10_000
/** No look takes longer. */
const LOOK_MS_MAX = 270_000
/** Nodes and tokens are compared with the settings so often. */
const CHECK_AGAIN_MS = 3_600_000

export function createChainWorker(deps: ChainWorkerDeps): ChainWorker {
  const { db, chains, log } = deps
  let isPrepared = false
  const checkedAtMs = new Map<string, number>()
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    async work(signal) {
      if (!isPrepared)
        await ensureChains(
          db,
          chains.map(({ code }) => code),
        )
      isPrepared = true
      const onFault = (error: unknown): void =>
        log.warn({ err: error }, 'a chain could not be read; it is tried again')
      await Promise.all(chains.map((chain) => lookAt(deps, chain, { checkedAtMs, signal }).catch(onFault)))
      return false
    },
    onFault: (error) => log.warn({ err: error }, 'chains could not be read; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

interface Worker {
  /** When nodes and tokens were compared with the settings, by chain. */
  readonly checkedAtMs: Map<string, number>
  readonly signal: AbortSignal
}

/** One look at a chain, when one is due. */
export async function lookAt(deps: ChainWorkerDeps, chain: Chain, worker: Worker): Promise<void> {
  const { db, metrics } = deps
  const lease = await claimChain(db, chain.code, LEASE_SECONDS)
  if (lease === undefined) return
  const fault = await renewing(deps, { code: chain.code, leaseNo: lease.leaseNo }, () =>
    read(deps, chain, { ...worker, leaseNo: lease.leaseNo }),
  )
  if (worker.signal.aborted) return releaseChain(db, chain.code, lease.leaseNo)
  metrics.chainLooks.inc({ chain: chain.code, result: fault?.kind ?? 'OK' })
  metrics.chainTransfersMissing.set({ chain: chain.code }, await countMissing(db, chain.code))
  metrics.chainHoldingsFindings.set({ chain: chain.code }, await countFindings(db, chain.code))
  if (chain.payouts !== undefined)
    metrics.chainPayoutsStuck.set({ chain: chain.code }, await countStuck(db, chain.code))
  if (fault !== undefined) return noteFaultOf(deps, chain, { lease, fault })
  await noteSuccess(db, chain.code, lease.leaseNo, chain.everySeconds)
}

/** Renews the lease until the work is done. Where that fails, another process may take it: what this one writes then no longer counts. */
async function renewing<Result>(
  { db, log }: ChainWorkerDeps,
  lease: { readonly code: string; readonly leaseNo: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const timer = setInterval(() => {
    renewLease(db, lease, LEASE_SECONDS).catch((error: unknown) =>
      log.warn({ err: error }, 'the lease of a chain could not be renewed'),
    )
  }, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

async function read(
  deps: ChainWorkerDeps,
  chain: Chain,
  { checkedAtMs, leaseNo, signal: stopping }: Worker & { readonly leaseNo: string },
): Promise<ChainFault | undefined> {
  const { db, log, take } = deps
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(LOOK_MS_MAX)])
  const agreement = agreementOf(chain, signal)
  const onReorganised = (finalBlock: number): void =>
    log.error(
      { chain: chain.code, block: finalBlock },
      'a chain was reorganised behind a block that was final: what was booked there is looked for again',
    )
  try {
    const assets = await readyAssets(deps, chain)
    const checked = checkedAtMs.get(chain.code)
    if (checked === undefined || performance.now() - checked > CHECK_AGAIN_MS) {
      await agreement.requireSettings()
      checkedAtMs.set(chain.code, performance.now())
    }
    const looking: Look = { db, chain: { ...chain, assets }, leaseNo, agreement, signal, onReorganised }
    const sendingFailed = await failureOf(send(deps, looking))
    await book(looking, await scan(looking), take)
    await count(deps, looking)
    // What goes wrong with payouts keeps nobody's payin waiting.
    if (sendingFailed !== undefined) throw sendingFailed
    return undefined
  } catch (error) {
    if (error instanceof ChainFault) return error
    if (error instanceof LeaseLost) return undefined
    // Something of ours: the next look, by whichever process, need not wait for the end of the lease.
    await releaseChain(db, chain.code, leaseNo)
    throw error
  }
}

/** What we have there is counted so often, and again so soon where that came to nothing. */
const COUNT_EVERY_SECONDS = 3_600
const COUNT_AGAIN_SECONDS = 60

/** Counts what we have on the chain, when it is due. Where that fails, all else goes on. */
async function count({ db, log }: ChainWorkerDeps, look: Look): Promise<void> {
  const { code } = look.chain
  if (look.signal.aborted || !(await isCountDue(db, code))) return
  try {
    const holdings = await countHoldings(look)
    await keepHoldings(db, code, { holdings, nextSeconds: COUNT_EVERY_SECONDS })
    for (const finding of holdings.findings)
      log.error({ chain: code, finding }, 'what we have on a chain is not what it should be')
  } catch (error) {
    if (!(error instanceof ChainFault)) throw error
    await noteCountProblem(db, code, { message: error.message, nextSeconds: COUNT_AGAIN_SECONDS })
  }
}

const countFindings = async (db: Database, code: string): Promise<number> =>
  (await listHoldings(db)).get(code)?.counted?.holdings.findings.length ?? 0

async function countStuck(db: Database, code: string): Promise<number> {
  const wallets = (await listWallets(db)).filter((wallet) => wallet.code === code)
  return wallets.reduce(
    (sum, { problem, troubledCount }) => sum + troubledCount + (problem === undefined ? 0 : 1),
    0,
  )
}

/** Payouts first: they wait for an institution, and payins for blocks. */
async function send({ ids, log, payeeOf }: ChainWorkerDeps, look: Look): Promise<void> {
  const { payouts, sweeps } = look.chain
  if (payouts !== undefined) await sendPayouts({ ...look, payouts, ids, log, payeeOf })
  if (sweeps !== undefined) await sendSweeps({ ...look, sweeps, ids })
}

async function failureOf(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Coins of a currency that the catalogue does not have are nobody's: no payment can be waiting for them. Throws ChainFault for none. */
async function readyAssets({ prepare }: ChainWorkerDeps, chain: Chain): Promise<Chain['assets']> {
  const ready = await prepare(chain)
  const assets = chain.assets.filter(({ currencyCode }) => ready.has(currencyCode))
  if (assets.length > 0) return assets
  const wanted = chain.assets.map(({ currencyCode }) => currencyCode).join(', ')
  throw new ChainFault(
    'SETTINGS',
    `The catalogue has none of its currencies (${wanted}). Nothing is read until \`tollgate catalogue apply\` has added one; \`tollgate chains starter\` prints a first one.`,
  )
}

async function noteFaultOf(
  { db, log }: ChainWorkerDeps,
  { code, everySeconds }: Chain,
  { lease, fault }: { readonly lease: ChainLease; readonly fault: ChainFault },
): Promise<void> {
  const { kind, message } = fault
  const failures = lease.failures + 1
  await noteFault(db, code, lease.leaseNo, {
    kind,
    message,
    nextSeconds: retrySeconds(failures, everySeconds),
  })
  log.warn({ chain: code, kind, problem: message, failures }, 'a chain could not be read; it is tried again')
}
