import type { NotificationState, QuarantineReason } from '../../modules/notifications/model.ts'
import type { NotificationRecord } from './disk.ts'
import { later, type Session, type Statements, secondsBetween } from './statements.ts'

type NewNotification = [
  nonce: string,
  railCode: string,
  idNotification: string | null,
  digest: Buffer,
  dataKey: Buffer,
  unreadable: string | null,
  sealed: Buffer,
  reference: string | null,
  merchantCode: string | null,
  report: string | null,
]

function insert({ disk, at }: Session, ...values: NewNotification): readonly object[] {
  const [nonce, rail_code, id_notification, content_digest, data_key, unreadable, sealed] = values
  const sameId = [...disk.notifications.values()].filter(
    (each) => each.rail_code === rail_code && each.id_notification === id_notification,
  )
  const known = sameId.find((each) => each.content_digest.equals(content_digest))
  if (known !== undefined) {
    const repeats = known.repeats + (known.nonce === nonce ? 0 : 1)
    disk.notifications.put(known.notification_no, { ...known, repeats })
    return [{ is_new: known.nonce === nonce, state: known.state }]
  }
  const isReused = id_notification !== null && sameId.length > 0
  const reason = unreadable !== null ? 'UNREADABLE' : isReused ? 'ID_REUSED' : null
  const state = reason === null ? 'PENDING' : 'QUARANTINED'
  const notification_no = String(disk.nextNumber('notification'))
  disk.notifications.insert(notification_no, {
    notification_no,
    nonce,
    rail_code,
    id_notification,
    content_digest,
    data_key,
    sealed,
    state,
    reason,
    detail: unreadable,
    reference: values[7],
    merchant_code: values[8],
    report: values[9],
    repeats: 0,
    attempts: 0,
    due_at: at,
    lease_token: null,
    received_at: at,
    done_at: reason === null ? null : at,
  })
  return [{ is_new: true, state }]
}

function claim({ disk, at }: Session, ...values: [number, string, number]): readonly object[] {
  const [limit, lease_token, leaseSeconds] = values
  const due = [...disk.notifications.values()]
    .filter(({ state, due_at }) => state === 'PENDING' && due_at <= at)
    .sort((a, b) => a.due_at - b.due_at)
  return due.slice(0, limit).map((before) => {
    const attempts = before.attempts + 1
    const after = { ...before, lease_token, attempts, due_at: later(at, leaseSeconds) }
    disk.notifications.put(before.notification_no, after)
    const { notification_no, nonce, rail_code, data_key, sealed } = before
    const age_seconds = secondsBetween(before.received_at, at)
    return { notification_no, nonce, rail_code, data_key, sealed, attempts, age_seconds }
  })
}

function leased(
  { disk }: Session,
  notificationNo: string,
  leaseToken: string,
): NotificationRecord | undefined {
  const found = disk.notifications.get(notificationNo)
  return found?.lease_token === leaseToken ? found : undefined
}

function putOff(session: Session, ...values: [string, string, number, boolean]): readonly object[] {
  const [notificationNo, leaseToken, seconds, counts] = values
  const found = leased(session, notificationNo, leaseToken)
  if (found !== undefined) {
    const due_at = later(session.at, seconds)
    const attempts = found.attempts - (counts ? 0 : 1)
    session.disk.notifications.put(notificationNo, { ...found, attempts, due_at, lease_token: null })
  }
  return []
}

type End = [string, string, Exclude<NotificationState, 'PENDING'>, QuarantineReason | null, string | null]

function end(session: Session, ...values: End): readonly object[] {
  const [notificationNo, leaseToken, state, reason, detail] = values
  const found = leased(session, notificationNo, leaseToken)
  if (found === undefined) return []
  const words = state === 'QUARANTINED' ? {} : { data_key: null, sealed: null }
  session.disk.notifications.put(notificationNo, {
    ...found,
    state,
    reason,
    detail,
    done_at: session.at,
    lease_token: null,
    ...words,
  })
  return []
}

/** Nothing is old enough here. */
const sweep = (): readonly object[] => []

/** The statements of the room of notifications. */
export const NOTIFICATION_STATEMENTS: Statements = {
  rail_notifications_lock_id: () => [{}],
  rail_notifications_insert: insert,
  rail_notifications_claim: claim,
  rail_notifications_update_due: putOff,
  rail_notifications_update_done: end,
  rail_notifications_delete_old: sweep,
  rail_forgeries_delete_old: sweep,
}
