import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, type Ids, type Log, stopwatch } from '@tollgate/runtime'
import { createBatcher } from '../../platform/batch.ts'
import { apartIn, type Database, DatabaseUnavailable } from '../../platform/database.ts'
import { createLeasedWork, type LeasedWork } from '../../platform/leased-work.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { OutboundClient } from '../../platform/outbound/index.ts'
import { type Claim, type ClaimOrder, claimDueCallbacks } from './claim-store.ts'
import { type FreshAttempt, type FreshCallbacks, openFreshCallbacks } from './fresh.ts'
import {
  type ClaimedCallback,
  callbackBody,
  callbackHeaders,
  judgeResult,
  type Lane,
  signedContent,
} from './model.ts'
import { type BusyLane, CALLBACK_LIMITS, type CallbackLimits, createSlots, type Slots } from './slots.ts'
import {
  CALLBACK_CHANNEL,
  type FinishedAttempt,
  findOldestPendingSeconds,
  type RecordedAttempt,
  updateFinishedAttempts,
} from './store.ts'

/**
 * Signs a message for a merchant: one entry `v1a,<base64 of the ed25519 signature>` per key in use, several while
 * keys rotate.
 */
export type CallbackSigner = (
  merchantId: string,
  message: string,
) => readonly string[] | Promise<readonly string[]>

/** How callbacks are sent; `CALLBACK_SETTINGS` has what is no setting of the installation. */
export interface CallbackSettings {
  /** Of the gateway, for the `user-agent`. */
  readonly version: string
  /** From one start of an attempt to the next (specification 6.4). */
  readonly intervalSeconds: number
  /** For an attempt in all, from resolving the name to the status. At most 60,000 ms. */
  readonly deadlineMs: number
  /** What a lease has beyond the deadline, for everything before the sending and for recording the result. */
  readonly leaseSlackMs: number
  /** The longest time between two looks at the queue. */
  readonly pollMs: number
  /** The least time from one claim to the next: a claim costs the same for one event as for many. */
  readonly gatherMs: number
  /** Of each worker process. */
  readonly limits: CallbackLimits
}

export const CALLBACK_SETTINGS: Omit<CallbackSettings, 'version' | 'intervalSeconds'> = {
  deadlineMs: 10_000,
  leaseSlackMs: 10_000,
  pollMs: 1_000,
  gatherMs: 20,
  limits: CALLBACK_LIMITS,
}

export interface CallbackWorkerDeps {
  readonly db: Database
  /** Stays open when the worker stops: whoever made it closes it. */
  readonly outbound: Pick<OutboundClient, 'post'>
  readonly sign: CallbackSigner
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<Metrics, 'callbackAttempts' | 'callbackOldestPendingSeconds'>
  readonly settings: CallbackSettings
}

/** Sends callbacks. Any number of workers, in one process or many, share the queue. */
export interface CallbackWorker {
  /** Starts working in the background. Once per worker. */
  start(): void
  /** For one try of one transaction that notes callbacks. */
  openFresh(): FreshCallbacks
  /** Claims no more, waits for the attempts under way and their records, at most for the length of a lease. */
  stop(): Promise<void>
}

const RECORDS_PER_BATCH_MAX = 100
const RECORD_BATCHES_MAX = 2
const RECORD_RETRY_MS = 200
/** With so many results to be written, nothing more is taken on. */
const RECORDING_MAX = 1_000
/** How long a worker keeps to the oldest events of a backlog, at least, when a look at its other lanes did not help. */
const WALK_REST_MS = 250
/** So many times as long as that look took: looking at thousands of lanes is to take a tenth of its time at most. */
const WALK_REST_FACTOR = 10
/** Until a worker looks again at what others had their hands on. */
const CONTENDED_REST_MS = 50
/** A result that could not be recorded for so long is given up; the attempt is then made again. */
const RECORD_PATIENCE_MS = 60_000

interface Worker extends CallbackWorkerDeps {
  readonly slots: Slots
  readonly attempts: Pick<LeasedWork, 'wake' | 'hasRoom' | 'add'>
  readonly record: (finished: FinishedAttempt) => Promise<RecordedAttempt>
  /** Attempts that were answered, and whose results are being written. */
  readonly recording: Set<Promise<void>>
  /** Whether something due of a lane waits for a slot, by the last claim. */
  isCrowded: (lane: Lane) => boolean
  /** Whether the last claim left so many that there may be lanes behind them. */
  isBacklog: boolean
  /** Where the last walk stopped looking at lanes. */
  walkedTo: Lane | undefined
  /** How long the walk has taken so far, in milliseconds. */
  walkedForMs: number
  /** When to walk again after one that has seen every lane and found nothing beyond the oldest events. */
  walksAgainAtMs: number
  /** Aborted when the worker has stopped waiting for what is under way. */
  readonly abandoned: AbortSignal
}

/** A callback to be sent. */
interface Attempt {
  readonly callback: ClaimedCallback
  /** Since it was asked for. */
  readonly passedSeconds: () => number
}

/** Builds a worker; it does nothing before `start`. */
export function createCallbackWorker(deps: CallbackWorkerDeps): CallbackWorker {
  const { settings } = deps
  const { inAllMax } = settings.limits
  const abandon = new AbortController()
  const { isPoison, dbAfter } = apartIn(deps.db)
  const attempts = createLeasedWork<Attempt>({
    pollMs: settings.pollMs,
    gatherMs: settings.gatherMs,
    underWayMax: inAllMax,
    refillAt: inAllMax,
    claim: (free) => claim(worker, Math.min(free, roomToRecord(worker))),
    run: (attempt) => attemptOnce(worker, attempt),
    onFault: (error) => deps.log.warn({ err: error }, 'due callbacks could not be claimed'),
  })
  const worker: Worker = {
    ...deps,
    slots: createSlots(settings.limits),
    attempts,
    record: createBatcher({
      limits: { rowsMax: RECORDS_PER_BATCH_MAX, inFlightMax: RECORD_BATCHES_MAX, waitingMax: RECORDING_MAX },
      run: (finished, cause) => updateFinishedAttempts(dbAfter(cause), finished, settings.intervalSeconds),
      isPoison,
    }),
    recording: new Set(),
    // Before the first claim nobody knows what waits.
    isCrowded: () => true,
    isBacklog: false,
    walkedTo: undefined,
    walkedForMs: 0,
    walksAgainAtMs: 0,
    abandoned: abandon.signal,
  }

  return {
    start() {
      void deps.db.listen(CALLBACK_CHANNEL, attempts.wake)
      attempts.start()
    },
    openFresh: () =>
      openFreshCallbacks({
        ...deps,
        leaseSeconds: leaseSecondsOf(settings),
        mayTake: (lane) =>
          attempts.hasRoom() &&
          roomToRecord(worker) > 0 &&
          worker.slots.hasRoomFor(lane) &&
          !worker.isCrowded(lane),
        take: (attempt) => attempts.add(attemptFresh(worker, attempt)),
      }),
    async stop() {
      const patience = new AbortController()
      const overdue = sleep(settings.deadlineMs + settings.leaseSlackMs, undefined, {
        signal: patience.signal,
      })
      await Promise.race([attempts.stop().then(() => Promise.all(worker.recording)), overdue])
      patience.abort()
      abandon.abort()
    },
  }
}

const roomToRecord = ({ recording }: Worker): number => Math.max(0, RECORDING_MAX - recording.size)

/** Claims what is due and has a slot, and tells for how many milliseconds nothing else is due. */
async function claim(worker: Worker, eventsMax: number) {
  const { settings, slots } = worker
  const askedAtMs = worker.clock.monotonicMs()
  const passedSeconds = stopwatch(worker.clock)
  const isWalking = worker.isBacklog && (worker.walkedTo !== undefined || askedAtMs >= worker.walksAgainAtMs)
  const order: ClaimOrder = {
    leaseToken: worker.ids.uuid(),
    leaseSeconds: leaseSecondsOf(settings),
    eventsMax,
    receiverMax: settings.limits.receiverMax,
    merchantMax: settings.limits.merchantMax,
    busyLanes: slots.busyLanes(),
    quickReceivers: slots.quickReceivers(),
    quickReceiverMax: settings.limits.quickReceiverMax,
    slowReceivers: slots.slowReceivers(),
    slowEventsMax: slots.freeForSlow(),
    walk: isWalking ? { from: worker.walkedTo } : undefined,
  }
  const found = await claimDueCallbacks(worker.db, order).catch(async (error: unknown) => {
    // It is then that callbacks wait. A database that is away would not answer this either.
    if (!(error instanceof DatabaseUnavailable))
      await findOldestPendingSeconds(worker.db).then(
        (seconds) => tellOldest(worker, seconds),
        () => undefined,
      )
    throw error
  })
  worker.isCrowded = crowdedAfter(order, found)
  worker.isBacklog = found.isBacklog
  if (isWalking) noteWalk(worker, found, askedAtMs)
  tellOldest(worker, found.oldestWaitSeconds)
  return {
    rows: found.callbacks.map((callback) => ({ callback, passedSeconds })),
    hasMore: found.hasMore,
    restMs: restAfter(worker, found, found.callbacks.length < eventsMax),
  }
}

const tellOldest = ({ metrics }: Worker, seconds: number): void =>
  metrics.callbackOldestPendingSeconds.set(seconds)

const leaseSecondsOf = ({ deadlineMs, leaseSlackMs }: CallbackSettings): number =>
  (deadlineMs + leaseSlackMs) / 1_000

/** What a claim left waits for a slot of its receiver or of its merchant, or nobody knows for what. */
function crowdedAfter(order: ClaimOrder, found: Claim): (lane: Lane) => boolean {
  if (!found.hasMore) return () => false
  if (found.isCut || found.isBacklog) return () => true
  const lanes = [...order.busyLanes, ...found.callbacks.map((callback) => ({ ...callback, taken: 1 }))]
  const quick = new Set(order.quickReceivers)
  const receivers = fullOf(lanes, ({ receiver }) => [
    receiver,
    quick.has(receiver) ? order.quickReceiverMax : order.receiverMax,
  ])
  const merchants = fullOf(lanes, ({ merchantId }) => [merchantId, order.merchantMax])
  return ({ receiver, merchantId }) => receivers.has(receiver) || merchants.has(merchantId)
}

/** Those that have as many under way as they may: `limitOf` gives whose limit a lane counts towards, and the limit. */
function fullOf(
  lanes: readonly BusyLane[],
  limitOf: (lane: Lane) => readonly [name: string, max: number],
): ReadonlySet<string> {
  const free = new Map<string, number>()
  for (const lane of lanes) {
    const [name, max] = limitOf(lane)
    free.set(name, (free.get(name) ?? max) - lane.taken)
  }
  return new Set([...free].filter(([, left]) => left <= 0).map(([name]) => name))
}

/** Where the walk goes on; when it has seen every lane, in vain, it rests. */
function noteWalk(worker: Worker, found: Claim, askedAtMs: number): void {
  const nowMs = worker.clock.monotonicMs()
  const walkedForMs = worker.walkedForMs + nowMs - askedAtMs
  const hasEnded = found.walkedTo === undefined
  const isVain = hasEnded && found.isBacklog && !found.isBeyondHead
  worker.walkedTo = found.walkedTo
  worker.walkedForMs = hasEnded ? 0 : walkedForMs
  worker.walksAgainAtMs = isVain ? nowMs + Math.max(WALK_REST_MS, WALK_REST_FACTOR * walkedForMs) : 0
}

/** For how many milliseconds a claim finds nothing that this one did not; a timer may fire up to one early. */
function restAfter(
  { settings, walkedTo, walksAgainAtMs, clock }: Worker,
  found: Claim,
  isFree: boolean,
): number {
  if (walkedTo !== undefined) return 1
  if (found.isCut && isFree) return found.callbacks.length > 0 ? 1 : CONTENDED_REST_MS
  const walkInMs = found.isBacklog ? Math.max(0, walksAgainAtMs - clock.monotonicMs()) : settings.pollMs
  return Math.ceil(Math.min(settings.pollMs, walkInMs, found.nextDueInMs ?? settings.pollMs)) + 1
}

/** Holds a slot from here to the receiver's answer. */
async function attemptOnce(worker: Worker, { callback, passedSeconds }: Attempt): Promise<void> {
  worker.slots.take(callback)
  try {
    keepRecording(worker, await makeAttempt(worker, callback, passedSeconds))
  } catch (error) {
    worker.slots.release(callback)
    noteLost(worker, callback, error)
  }
}

/** The same for an event that is still being written: it has its slot from before that, and nothing is sent unless it is durable. */
async function attemptFresh(
  worker: Worker,
  { callback, passedSeconds, startedAtSeconds }: FreshAttempt,
): Promise<void> {
  worker.slots.take(callback)
  const startedAt = await startedAtSeconds
  worker.slots.release(callback)
  if (startedAt === undefined) return
  await attemptOnce(worker, { callback: { ...callback, startedAtSeconds: startedAt }, passedSeconds })
}

/** From the signature to the receiver's answer. */
async function makeAttempt(
  worker: Worker,
  callback: ClaimedCallback,
  passedSeconds: Attempt['passedSeconds'],
): Promise<FinishedAttempt> {
  const { settings } = worker
  const body = callbackBody(callback.idEntity)
  const signatures = await worker.sign(callback.merchantId, signedContent(callback))
  const startDelaySeconds = passedSeconds()
  // A process or a machine that was held up for so long cannot end before its lease does: another worker may be sending already.
  if (startDelaySeconds * 1_000 > settings.leaseSlackMs)
    throw new Error('the attempt could not start in time')
  const answer = await worker.outbound.post({
    url: callback.url,
    headers: callbackHeaders(callback, signatures, settings.version),
    body,
    mayReuse: true,
    deadlineMs: settings.deadlineMs,
  })
  const result = judgeResult(answer)
  worker.slots.release(callback, { tookMs: result.tookMs, isOk: result.outcome === 'OK' })
  return { callback, result, startDelaySeconds }
}

/** The next attempt need not wait for this one's record. */
function keepRecording(worker: Worker, finished: FinishedAttempt): void {
  const { callback, result } = finished
  const recording = recordPatiently(worker, finished)
    .then((recorded) => report(worker, callback, { outcome: result.outcome, recorded }))
    .catch((error: unknown) => noteLost(worker, callback, error))
    .finally(() => worker.recording.delete(recording))
  worker.recording.add(recording)
}

/** The lease runs out, and then the attempt is made again under the same number. */
function noteLost({ log }: Worker, { eventId }: ClaimedCallback, error: unknown): void {
  log.error({ err: error, eventId }, 'a callback attempt was left without result')
}

/** Tries for a while when the database is away: a result that is lost costs the merchant a second call. */
async function recordPatiently(worker: Worker, finished: FinishedAttempt): Promise<RecordedAttempt> {
  const giveUpAtMs = worker.clock.monotonicMs() + RECORD_PATIENCE_MS
  while (true) {
    try {
      return await worker.record(finished)
    } catch (error) {
      if (worker.abandoned.aborted || worker.clock.monotonicMs() > giveUpAtMs) throw error
      await sleep(RECORD_RETRY_MS)
    }
  }
}

function report(
  worker: Worker,
  callback: ClaimedCallback,
  end: { readonly outcome: string; readonly recorded: RecordedAttempt },
): void {
  const { state, dueInMs } = end.recorded
  worker.metrics.callbackAttempts.inc({ result: state === 'LEASE_LOST' ? state : end.outcome })
  if (state === 'EXHAUSTED') {
    const { eventId, attemptNo } = callback
    worker.log.warn({ eventId, attemptNo, outcome: end.outcome }, 'a callback used up its attempts')
  }
  // With a short interval the repeat may fall due before the next look.
  if (dueInMs !== undefined && dueInMs < worker.settings.pollMs) worker.attempts.wake()
}
