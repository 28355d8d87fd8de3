import {
  type AnswerItem,
  answers,
  PAGE_LIMIT_DEFAULT,
  RailForgeriesQuery,
  RailForgeryListSchema,
  RailNotificationBodySchema,
  RailNotificationListSchema,
  RailNotificationParams,
  RailNotificationSchema,
  RailNotificationsQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { answerPage } from '../../http/paging.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type ListedNotification, NOTIFICATION_STATES } from './model.ts'
import type { NotificationService } from './service.ts'

const TAGS = ['Institutions']
const NUMBER = /^[1-9]\d{0,17}$/

/** Messages of institutions, for operators: above all those that were quarantined. */
export function notificationOperatorRoutes(app: App, notifications: NotificationService): void {
  listRoutes(app, notifications)
  app.get(
    '/operator/rail-notifications/:notificationNo',
    {
      config: { permission: 'institutions.read' },
      schema: {
        operationId: 'readRailNotification',
        summary: 'A message of an institution and its effect, without its content',
        tags: TAGS,
        params: RailNotificationParams,
        response: answers({ 200: RailNotificationSchema }, 400, 401, 403, 410, 429, 500),
      },
    },
    async ({ params }) => present((await notifications.find(params.notificationNo)) ?? missing()),
  )
  app.get(
    '/operator/rail-notifications/:notificationNo/body',
    {
      config: { permission: 'institutions.unmask' },
      schema: {
        operationId: 'readRailNotificationBody',
        summary: 'The words of a message, as they came; who has read them is noted',
        tags: TAGS,
        params: RailNotificationParams,
        response: answers({ 200: RailNotificationBodySchema }, 400, 401, 403, 410, 429, 500),
      },
    },
    async (request) => {
      const { notificationNo } = request.params
      const found = await notifications.showInFull(notificationNo, operatorOf(request).code)
      const { body } = found ?? missing()
      return { notificationNo, ...(body !== undefined && { body }) }
    },
  )
}

function missing(): never {
  throw new Refusal('ENTITY_NOT_FOUND')
}

function listRoutes(app: App, notifications: NotificationService): void {
  app.get(
    '/operator/rail-notifications',
    {
      config: { permission: 'institutions.read' },
      schema: {
        operationId: 'listRailNotifications',
        summary: 'List messages of institutions and their effect, newest first',
        tags: TAGS,
        querystring: RailNotificationsQuery,
        response: answers({ 200: RailNotificationListSchema }, 400, 401, 403, 429, 500),
      },
    },
    ({ query: { state, railCode, ...page } }) =>
      answerPage(page, {
        place: NUMBER,
        list: ({ before, limit }) =>
          notifications.list({
            state: NOTIFICATION_STATES.find((each) => each === state),
            ...{ railCode, beforeNo: before, limit },
          }),
        placeOf: ({ notificationNo }) => notificationNo,
        present,
      }),
  )
  app.get(
    '/operator/rail-forgeries',
    {
      config: { permission: 'institutions.read' },
      schema: {
        operationId: 'listRailForgeries',
        summary: 'List the latest messages that did not prove where they came from',
        tags: TAGS,
        querystring: RailForgeriesQuery,
        response: answers({ 200: RailForgeryListSchema }, 400, 401, 403, 429, 500),
      },
    },
    async ({ query: { railCode, limit = PAGE_LIMIT_DEFAULT } }) => {
      const forgeries = await notifications.listForgeries({ railCode, limit: Number(limit) })
      return {
        data: forgeries.map(({ receivedAt, ...each }) => ({ ...each, receivedAt: receivedAt.toISOString() })),
      }
    },
  )
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
