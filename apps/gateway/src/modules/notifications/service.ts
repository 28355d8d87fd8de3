import type { Clock, Ids, Log } from '@tollgate/runtime'
import { type Database, resolveUnknown } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { NotificationReading, Rail } from '../../rails/rail.ts'
import { insertUnmasking } from '../operators/index.ts'
import { type ListedForgery, listForgeries, upsertForgery } from './forgery-store.ts'
import { digestBytes, digestNotice, openMessage, sealMessage } from './message.ts'
import type { ListedNotification } from './model.ts'
import {
  findNotification,
  insertNotification,
  listNotifications,
  type NewNotification,
  type NotificationFilter,
} from './store.ts'

/** A message as it came in over HTTP. */
export interface IncomingMessage {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Where it came from. */
  readonly address: string
}

/** What is answered to an institution. TAKEN is said once the message is durable. */
type Reception = 'TAKEN' | 'FORGED' | 'NO_SUCH_RAIL'

interface NotificationIntakeDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'railNotifications'>
  readonly secrets: Secrets
  readonly rails: ReadonlyMap<string, Rail>
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
}

/** Takes messages of institutions in: proven, then stored, then answered. Nothing follows from them here. */
export interface NotificationIntake {
  accept(railCode: string, message: IncomingMessage): Promise<Reception>
}

/** Forgeries that are stored by this process per second; the others are only counted. */
const FORGERIES_STORED_PER_SECOND = 20
const FORGERY_BYTES_KEPT_MAX = 4096

export function createNotificationIntake(deps: NotificationIntakeDeps): NotificationIntake {
  const mayStore = perSecond(deps.clock, FORGERIES_STORED_PER_SECOND)
  return {
    async accept(railCode, incoming) {
      const rail = deps.rails.get(railCode)
      if (rail?.readNotification === undefined) return 'NO_SUCH_RAIL'
      const { headers, body } = incoming
      const message = { headers, body, receivedAtMs: deps.clock.nowMs() }
      const reading = rail.readNotification(message)
      if (reading.kind === 'FORGED') {
        deps.metrics.railNotifications.inc({ rail: railCode, result: 'FORGED' })
        if (mayStore()) await keepForgery(deps, railCode, { ...incoming, why: reading.why })
        return 'FORGED'
      }
      const nonce = deps.ids.uuid()
      const sealed = sealMessage(deps.secrets, nonce, message)
      const notification = { nonce, railCode, ...sealed, ...partsOf(deps.secrets, reading, body) }
      const { isNew, state } = await resolveUnknown(deps.clock, () =>
        deps.db.transaction((tx) => insertNotification(tx, notification)),
      )
      deps.metrics.railNotifications.inc({ rail: railCode, result: isNew ? 'RECEIVED' : 'REPEATED' })
      if (isNew && state === 'QUARANTINED')
        deps.log.warn({ rail: railCode }, 'a message of an institution was quarantined as it came in')
      if (state === 'PENDING') deps.wakeWorker()
      return 'TAKEN'
    },
  }
}

function partsOf(
  secrets: Secrets,
  reading: Exclude<NotificationReading, { kind: 'FORGED' }>,
  body: Uint8Array,
): Omit<NewNotification, 'nonce' | 'railCode' | 'dataKey' | 'sealed'> {
  if (reading.kind === 'UNREADABLE')
    return {
      idNotification: undefined,
      contentDigest: digestBytes(secrets, body),
      unreadable: reading.why,
      reference: undefined,
      merchantCode: undefined,
      report: undefined,
    }
  return {
    idNotification: reading.idNotification,
    contentDigest: digestNotice(secrets, reading),
    unreadable: undefined,
    reference: reading.reference,
    merchantCode: reading.merchantCode,
    report: reading.report.kind,
  }
}

/** Never in the way of the answer: whoever forges is told so even when nothing can be stored. */
async function keepForgery(
  { db, secrets, log }: NotificationIntakeDeps,
  railCode: string,
  { why, address, body }: IncomingMessage & { readonly why: string },
): Promise<void> {
  log.warn({ rail: railCode, why }, 'a message did not prove that it comes from the institution')
  const kept = body.subarray(0, FORGERY_BYTES_KEPT_MAX)
  const sealed = secrets.seal('personal-data', `rail-forgery ${railCode}`, kept)
  await upsertForgery(db, { railCode, why, address, byteCount: body.length, sealed }).catch(
    (error: unknown) => log.warn({ err: error }, 'a forged message could not be stored'),
  )
}

/** Says yes so many times a second. */
function perSecond(clock: Clock, timesMax: number): () => boolean {
  let secondNo = 0
  let times = 0
  return () => {
    const now = Math.floor(clock.monotonicMs() / 1000)
    if (now !== secondNo) {
      secondNo = now
      times = 0
    }
    times += 1
    return times <= timesMax
  }
}

/** Messages of institutions, for people. */
export interface NotificationService {
  /** The newest first. */
  list(filter: NotificationFilter): Promise<readonly ListedNotification[]>
  /** Messages that did not prove where they came from, the newest first. */
  listForgeries(filter: {
    readonly railCode: string | undefined
    readonly limit: number
  }): Promise<readonly ListedForgery[]>
  /** Without its words. */
  find(notificationNo: string): Promise<ListedNotification | undefined>
  /**
   * With the body as it came, as long as it is kept: it may name persons, and who reads it is noted before. Undefined
   * without such a message.
   */
  showInFull(
    notificationNo: string,
    operatorCode: string,
  ): Promise<{ readonly notification: ListedNotification; readonly body: string | undefined } | undefined>
}

export function createNotificationService({
  db,
  secrets,
}: Pick<NotificationIntakeDeps, 'db' | 'secrets'>): NotificationService {
  return {
    list: (filter) => listNotifications(db, filter),
    listForgeries: (filter) => listForgeries(db, filter),
    find: async (notificationNo) => (await findNotification(db, notificationNo))?.listed,
    async showInFull(notificationNo, operatorCode) {
      const found = await findNotification(db, notificationNo)
      if (found === undefined) return undefined
      await insertUnmasking(db, operatorCode, { subject: 'RAIL_NOTIFICATION', notificationNo })
      const { listed: notification, nonce, message } = found
      const body = message && Buffer.from(openMessage(secrets, nonce, message).body).toString('utf8')
      return { notification, body }
    },
  }
}
