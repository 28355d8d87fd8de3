import { generateKeyPairSync, sign } from 'node:crypto'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase } from '../../../platform/database.ts'
import { createMetrics, type Metrics } from '../../../platform/metrics.ts'
import { createOutboundClient } from '../../../platform/outbound/index.ts'
import type { Claim, ClaimOrder } from '../claim-store.ts'
import { claimDueCallbacks } from '../claim-store.ts'
import {
  CALLBACK_LIMITS,
  CALLBACK_SETTINGS,
  type CallbackEvent,
  type CallbackService,
  type CallbackSettings,
  type CallbackSigner,
  type CallbackWorker,
  type CallbackWorkerDeps,
  createCallbackService,
  createCallbackWorker,
  insertCallbackEvents,
  type NewCallbackEvent,
} from '../index.ts'

/** The keys of the merchants of these tests, the current one and the one before it. */
export const KEYS = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const

/** Signs with one key. */
const signOnce: CallbackSigner = (_merchantId, message) => [signatureBy(0, message)]

/** Signs with both keys, as while they rotate. */
export const signTwice: CallbackSigner = async (_merchantId, message) => [
  signatureBy(0, message),
  signatureBy(1, message),
]

function signatureBy(key: 0 | 1, message: string): string {
  return `v1a,${sign(null, Buffer.from(message), KEYS[key].privateKey).toString('base64')}`
}

/** What a test of this room works with. */
export interface Rig {
  readonly db: Database
  readonly metrics: Metrics
  readonly service: CallbackService
  /** Starts a worker that repeats every second unless told otherwise; it is stopped when the test ends. */
  startWorker(settings?: Partial<CallbackSettings>, deps?: Partial<CallbackWorkerDeps>): CallbackWorker
}

/** A database with the parts that a worker needs, and a short way to start one. */
export async function openRig(t: TestLife): Promise<Rig> {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'error' })
  const db = openDatabase({ url, poolMax: 6, log, applicationName: 'callbacks test' })
  const outbound = createOutboundClient({
    policy: { allowPrivate: true, httpsOnly: false, portsAllowed: 'any' },
  })
  const metrics = createMetrics()
  const workers: CallbackWorker[] = []
  // What hangs is cut first, so that the workers need not wait for it.
  t.after(() => outbound.close())
  t.after(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await db.close()
  })

  function startWorker(
    settings: Partial<CallbackSettings> = {},
    deps: Partial<CallbackWorkerDeps> = {},
  ): CallbackWorker {
    const worker = createCallbackWorker({
      db,
      outbound,
      sign: signOnce,
      ids: randomIds,
      clock: systemClock,
      log,
      metrics,
      ...deps,
      settings: { version: '1.2.3', ...CALLBACK_SETTINGS, intervalSeconds: 1, ...settings },
    })
    workers.push(worker)
    worker.start()
    return worker
  }
  return { db, metrics, service: createCallbackService({ db }), startWorker }
}

/** An event for the URL; every call makes another payment. */
export function eventFor(url: string, given: Partial<NewCallbackEvent> = {}): NewCallbackEvent {
  const eventId = randomIds.uuid()
  return {
    eventId,
    merchantId: '1',
    kind: 'PAYIN',
    idEntity: `order-${eventId}`,
    timelineEntryNo: 2,
    url,
    ...given,
  }
}

/** Notes one event and gives its id. */
export async function notify(
  db: Database,
  url: string,
  given: Partial<NewCallbackEvent> = {},
): Promise<string> {
  const event = eventFor(url, given)
  await insertCallbackEvents(db, [event])
  return event.eventId
}

/** `count` events, each made by `event`. */
export async function notifyMany(
  db: Database,
  count: number,
  event: (index: number) => NewCallbackEvent,
): Promise<void> {
  await insertCallbackEvents(
    db,
    Array.from({ length: count }, (_, index) => event(index)),
  )
}

/** Leases events as a worker does that then dies. */
export function claimAndForget(db: Database, given: Partial<ClaimOrder> = {}): Promise<Claim> {
  return claimDueCallbacks(db, {
    leaseToken: randomIds.uuid(),
    leaseSeconds: 20,
    eventsMax: CALLBACK_LIMITS.inAllMax,
    receiverMax: CALLBACK_LIMITS.receiverMax,
    merchantMax: CALLBACK_LIMITS.merchantMax,
    busyLanes: [],
    quickReceivers: [],
    quickReceiverMax: CALLBACK_LIMITS.quickReceiverMax,
    slowReceivers: [],
    slowEventsMax: CALLBACK_LIMITS.slowMax,
    walk: { from: undefined },
    ...given,
  })
}

/** The one callback with this event id. */
export async function callbackOf(rig: Rig, eventId: string): Promise<CallbackEvent> {
  const found = (await rig.service.listCallbacks({ limit: 1_000 })).find((each) => each.eventId === eventId)
  if (found === undefined) throw new Error(`there is no callback ${eventId}`)
  return found
}
