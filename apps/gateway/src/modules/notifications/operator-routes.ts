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
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { answerPage } from '../../http/paging.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type ListedNotification, NOTIFICATION_STATES } from './model.ts'
import type { NotificationService } from './service.ts'

const operation = operatorOperationsOf('Institutions')
const NUMBER = /^[1-9]\d{0,17}$/

/** Messages of institutions, for operators: above all those that were quarantined. */
export function notificationOperatorRoutes(app: App, notifications: NotificationService): void {
  listRoutes(app, notifications)
  app.get(
    '/operator/rail-notifications/:notificationNo',
    operation('readRailNotification', 'institutions.read', {
      summary: 'A message of an institution and its effect, without its content',
      params: RailNotificationParams,
      response: answers({ 200: RailNotificationSchema }, 410),
    }),
    async ({ params: { notificationNo } }) =>
      present((await notifications.find(notificationNo)) ?? missing(notificationNo)),
  )
  app.get(
    '/operator/rail-notifications/:notificationNo/body',
    operation('readRailNotificationBody', 'institutions.unmask', {
      summary: 'The words of a message, as they came; who has read them is noted',
      params: RailNotificationParams,
      response: answers({ 200: RailNotificationBodySchema }, 410),
    }),
    async (request) => {
      const { notificationNo } = request.params
      const found = await notifications.showInFull(notificationNo, operatorOf(request).code)
      const { body } = found ?? missing(notificationNo)
      return { notificationNo, ...(body !== undefined && { body }) }
    },
  )
}

function missing(notificationNo: string): never {
  throw new Refusal('ENTITY_NOT_FOUND', { message: `There is no notification ${notificationNo}.` })
}

function listRoutes(app: App, notifications: NotificationService): void {
  app.get(
    '/operator/rail-notifications',
    operation('listRailNotifications', 'institutions.read', {
      summary: 'List messages of institutions and their effect, newest first',
      querystring: RailNotificationsQuery,
      response: { 200: RailNotificationListSchema },
    }),
    ({ query: { state, railCode, ...page } }) =>
      answerPage(page, {
        place: NUMBER,
        list: ({ before, limit }) =>
          notifications.list({
            state: NOTIFICATION_STATES.find((each) => each === state),
            railCode,
            beforeNo: before,
            limit,
          }),
        placeOf: ({ notificationNo }) => notificationNo,
        present,
      }),
  )
  app.get(
    '/operator/rail-forgeries',
    operation('listRailForgeries', 'institutions.read', {
      summary: 'List the latest messages that did not prove where they came from',
      querystring: RailForgeriesQuery,
      response: { 200: RailForgeryListSchema },
    }),
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
