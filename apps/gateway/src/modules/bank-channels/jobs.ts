import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { CHANNEL_FAULT_KINDS, ChannelFault } from './errors.ts'
import { fetchFiles } from './fetching.ts'
import { handOn, type Takers } from './handing-on.ts'
import type { BankChannel } from './link.ts'
import { isHalting, retrySeconds } from './model.ts'
import { type OutgoingFiles, putFiles } from './putting.ts'
import {
  type ChannelLease,
  claimChannel,
  ensureChannels,
  noteFault,
  noteSuccess,
  releaseChannel,
} from './store.ts'

interface ChannelWorkerDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly log: Log
  readonly metrics: Pick<Metrics, 'bankChannelLooks' | 'payoutFilesUnclear'>
  readonly channels: readonly BankChannel[]
  readonly outgoing: OutgoingFiles
  readonly takers: Takers
  /** From one look for what is due to the next; 5 s unless a test is in a hurry. */
  readonly pollMs?: number
  /** See `putFiles`. */
  readonly askAgainMs?: number
  /** See LEASE_SECONDS. */
  readonly leaseSeconds?: number
  /** See SETTLE_SECONDS. */
  readonly settleSeconds?: number
}

/** Exchanges files with banks. Any number may run: one at a time talks to a bank. */
export interface ChannelWorker {
  start(): void
  /** Ends conversations, and resolves when what was begun is noted. */
  stop(): Promise<void>
}

const POLL_MS = 5_000
/** A process that came to a standstill keeps others from the bank for so long; no conversation lasts longer. */
const LEASE_SECONDS = 600
/** A file that was seen once looks the same soon, if it is finished. */
const SETTLE_SECONDS = 5

export function createChannelWorker(deps: ChannelWorkerDeps): ChannelWorker {
  const { db, channels, log } = deps
  for (const { code } of channels) countFromZero(deps.metrics, code)
  let isPrepared = false
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    async work(signal) {
      if (!isPrepared)
        await ensureChannels(
          db,
          channels.map(({ code }) => code),
        )
      isPrepared = true
      const onFault = (error: unknown): void =>
        log.warn({ err: error }, 'a channel of a bank could not be looked at; it is tried again')
      await Promise.all(channels.map((channel) => look(deps, channel, signal).catch(onFault)))
      await handOn(deps, signal)
      return false
    },
    onFault: (error) =>
      log.warn({ err: error }, 'channels of banks could not be looked at; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

/** An alarm sees a counter that rises, and not one that appears with its first event. */
function countFromZero(
  { bankChannelLooks, payoutFilesUnclear }: ChannelWorkerDeps['metrics'],
  channel: string,
): void {
  for (const result of ['OK', ...CHANNEL_FAULT_KINDS]) bankChannelLooks.inc({ channel, result }, 0)
  payoutFilesUnclear.inc({ channel }, 0)
}

/** One conversation with a bank, when one is due. */
async function look(deps: ChannelWorkerDeps, channel: BankChannel, stopping: AbortSignal): Promise<void> {
  const { code, settingsDigest } = channel
  const seconds = deps.leaseSeconds ?? LEASE_SECONDS
  const lease = await claimChannel(deps.db, code, { settingsDigest, seconds })
  if (lease === undefined) return
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(seconds * 900)])
  const outcome = await converse(deps, channel, { leaseNo: lease.leaseNo, signal })
  if (stopping.aborted) return releaseChannel(deps.db, code, lease.leaseNo)
  deps.metrics.bankChannelLooks.inc({ channel: code, result: outcome.fault?.kind ?? 'OK' })
  if (outcome.fault !== undefined) return noteFaultOf(deps, channel, { lease, fault: outcome.fault })
  const { everySeconds } = channel
  const settleSeconds = deps.settleSeconds ?? SETTLE_SECONDS
  await noteSuccess(
    deps.db,
    code,
    lease.leaseNo,
    outcome.hasUnfinished ? Math.min(settleSeconds, everySeconds) : everySeconds,
  )
}

/** Puts first: payouts have a day, and statements come again. */
async function converse(
  deps: ChannelWorkerDeps,
  channel: BankChannel,
  { leaseNo, signal }: { readonly leaseNo: string; readonly signal: AbortSignal },
): Promise<{ readonly fault: ChannelFault | undefined; readonly hasUnfinished: boolean }> {
  try {
    const link = await channel.driver.open(signal)
    try {
      const faultOfPuts = await putFiles(deps, channel, link)
      const { fault, hasUnfinished } = await fetchFiles(deps, channel, link)
      return { fault: faultOfPuts ?? fault, hasUnfinished }
    } finally {
      await link.close()
    }
  } catch (error) {
    if (error instanceof ChannelFault) return { fault: error, hasUnfinished: false }
    // Something of ours: the next look, by whichever process, need not wait for the end of the lease.
    await releaseChannel(deps.db, channel.code, leaseNo)
    throw error
  }
}

async function noteFaultOf(
  { db, log }: ChannelWorkerDeps,
  { code, everySeconds, settingsDigest }: BankChannel,
  { lease, fault }: { readonly lease: ChannelLease; readonly fault: ChannelFault },
): Promise<void> {
  const { kind, message } = fault
  const failures = lease.failures + 1
  const haltedSettings = isHalting(kind) ? settingsDigest : undefined
  await noteFault(db, code, lease.leaseNo, {
    kind,
    message,
    haltedSettings,
    nextSeconds: retrySeconds(failures, everySeconds),
  })
  const about = { channel: code, kind, problem: message, failures }
  if (isHalting(kind)) log.error(about, 'a channel of a bank has stopped: see `tollgate bank-channels list`')
  else log.warn(about, 'files could not be exchanged with a bank; it is tried again')
}
