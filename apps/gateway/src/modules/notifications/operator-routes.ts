import {
  type AnswerItem,
  answers,
  PAGE_LIMIT_DEFAULT,
  RailNotificationListSchema,
  RailNotificationsQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { invalidField } from '../../platform/refusal.ts'
import { type ListedNotification, NOTIFICATION_STATES } from './model.ts'
import type { NotificationService } from './service.ts'

/** Messages of institutions, for operators: above all those that were quarantined. */
export function notificationOperatorRoutes(app: App, notifications: NotificationService): void {
  app.get(
    '/operator/rail-notifications',
    {
      config: { permission: 'institutions.read' },
      schema: {
        operationId: 'listRailNotifications',
        summary: 'List messages of institutions and what became of them, the newest first',
        tags: ['Institutions'],
        querystring: RailNotificationsQuery,
        response: answers({ 200: RailNotificationListSchema }, 400, 401, 403, 429, 500),
      },
    },
    async (request) => {
      const { state, railCode, cursor } = request.query
      const limit = Number(request.query.limit ?? PAGE_LIMIT_DEFAULT)
      const found = await notifications.list({
        state: NOTIFICATION_STATES.find((each) => each === state),
        railCode,
        beforeNo: cursor === undefined ? undefined : readCursor(cursor),
        // One more than is shown tells whether there is another page.
        limit: limit + 1,
      })
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      return { data: shown.map(present), ...(last !== undefined && { nextCursor: cursorAfter(last) }) }
    },
  )
}

const cursorAfter = ({ notificationNo }: ListedNotification): string =>
  Buffer.from(notificationNo).toString('base64url')

const NUMBER = /^[1-9]\d{0,17}$/

/** Reads a cursor of ours; throws the 400 for anything else. */
function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!NUMBER.test(text)) throw invalidField('cursor', 'is not a nextCursor of this list')
  return text
}

function present(listed: ListedNotification): AnswerItem<typeof RailNotificationListSchema> {
  const { reference, merchantCode, report, payment, reason, detail, idNotification, doneAt } = listed
  return {
    notificationNo: listed.notificationNo,
    railCode: listed.railCode,
    ...(idNotification !== undefined && { idNotification }),
    state: listed.state,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(reference !== undefined &&
      merchantCode !== undefined &&
      report !== undefined && { told: { reference, merchantCode, report } }),
    ...(payment !== undefined && { payment: presentPayment(payment) }),
    repeats: listed.repeats,
    receivedAt: listed.receivedAt.toISOString(),
    ...(doneAt !== undefined && { doneAt: doneAt.toISOString() }),
  }
}

const presentPayment = ({ merchantCode, kind, id }: NonNullable<ListedNotification['payment']>) => ({
  merchantCode,
  kind,
  idPayment: id,
})
