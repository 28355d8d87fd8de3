import type { Database } from '../../platform/database.ts'
import { type CallbackFilter, listEvents } from './history-store.ts'
import type { CallbackEvent } from './model.ts'
import {
  type ExhaustedFilter,
  findEventExists,
  findOldestPendingSeconds,
  findPendingCount,
  updateEventForResend,
  updateExhaustedForResend,
} from './store.ts'

/** The most callbacks that one listing holds. */
const CALLBACKS_LISTED_MAX = 1_000
/** The most that are sent again at once. */
const CALLBACKS_RESENT_MAX = 1_000

/** What became of a wish to send a callback again. */
type ResendVerdict = 'RESENT' | 'UNDER_WAY' | 'NOT_FOUND'

/** Callbacks for operators: what was sent, what is waiting, and sending it again. */
export interface CallbackService {
  /** The latest first, with their attempts; at most `CALLBACKS_LISTED_MAX`, whatever `limit` says. */
  listCallbacks(filter: CallbackFilter): Promise<readonly CallbackEvent[]>
  /**
   * Starts a fresh series now, whatever the state: one attempt and four repeats, under the same `webhook-id`.
   * An attempt that waited for its time is sent early. UNDER_WAY: an attempt is being made at this moment, so ask
   * again when it has ended. `eventId` is a UUID. With a merchant, callbacks of others are NOT_FOUND.
   */
  resendCallback(eventId: string, merchantId?: string): Promise<ResendVerdict>
  /**
   * The same for all that are out of attempts and fit, the oldest first: at most `CALLBACKS_RESENT_MAX`, and whether there
   * may be more.
   */
  resendExhausted(filter: ExhaustedFilter): Promise<{ readonly resent: number; readonly hasMore: boolean }>
  /** How long the event that has been due for longest has been waiting for its attempt, in seconds. */
  oldestPendingSeconds(): Promise<number>
  /** How many callbacks are not over yet. */
  pendingCount(): Promise<number>
}

/** Binds the service to its database. */
export function createCallbackService(deps: { readonly db: Database }): CallbackService {
  const { db } = deps
  return {
    listCallbacks: (filter) =>
      listEvents(db, { ...filter, limit: Math.min(filter.limit, CALLBACKS_LISTED_MAX) }),
    resendCallback: (eventId, merchantId) => resendCallback(db, eventId, merchantId),
    async resendExhausted(filter) {
      const resent = await updateExhaustedForResend(db, filter, CALLBACKS_RESENT_MAX)
      return { resent, hasMore: resent === CALLBACKS_RESENT_MAX }
    },
    oldestPendingSeconds: () => findOldestPendingSeconds(db),
    pendingCount: () => findPendingCount(db),
  }
}

async function resendCallback(db: Database, eventId: string, merchantId?: string): Promise<ResendVerdict> {
  if (await updateEventForResend(db, eventId, merchantId)) return 'RESENT'
  return (await findEventExists(db, eventId, merchantId)) ? 'UNDER_WAY' : 'NOT_FOUND'
}
