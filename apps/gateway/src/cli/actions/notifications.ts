import {
  createNotificationService,
  type ListedForgery,
  type ListedNotification,
  type NotificationState,
} from '../../modules/notifications/index.ts'
import { CommandFailure } from '../failure.ts'
import { inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'

interface ListWish {
  readonly rail?: string
  readonly state?: NotificationState
  readonly forged?: true
  readonly limit: number
}

/** `tollgate notifications list`. */
export function list(shell: Shell, wish: ListWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const service = createNotificationService(house)
    if (wish.forged === true) {
      const forgeries = await service.listForgeries({ railCode: wish.rail, limit: wish.limit })
      return { json: { forgeries }, text: forgeryTable(forgeries) }
    }
    const notifications = await service.list({
      railCode: wish.rail,
      state: wish.state,
      beforeNo: undefined,
      limit: wish.limit,
    })
    return { json: { notifications }, text: notificationTable(notifications) }
  })
}

/** `tollgate notifications show`. */
export function show(shell: Shell, notificationNo: string): Promise<Report> {
  return inHouse(shell, async (house) => {
    const notification = (await createNotificationService(house).find(notificationNo)) ?? none(notificationNo)
    return { json: notification, text: describe(notification) }
  })
}

/** `tollgate notifications show --full`. */
export function showInFull(shell: Shell, notificationNo: string, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'institutions.unmask',
    work: async (house, { code }) => {
      const found = await createNotificationService(house).showInFull(notificationNo, code)
      const { notification, body } = found ?? none(notificationNo)
      return {
        json: { ...notification, body: body ?? null },
        text: `${describe(notification)}\n\n${body ?? 'Its body is not kept any more.'}`,
      }
    },
  })
}

function none(notificationNo: string): never {
  throw new CommandFailure('NOT_FOUND', `There is no message ${notificationNo}.`)
}

const stateOf = ({ state, reason }: ListedNotification): string =>
  reason === undefined ? state : `${state} (${reason})`

const paymentOf = ({ payment }: ListedNotification): string =>
  payment === undefined ? '' : `${payment.kind} ${payment.id} of ${payment.merchantCode}`

function notificationTable(notifications: readonly ListedNotification[]): string {
  return table(
    ['NO', 'TIME', 'RAIL', 'STATE', 'SAYS', 'REFERENCE', 'PAYMENT'],
    notifications.map((each) => [
      each.notificationNo,
      moment(each.receivedAt),
      each.railCode,
      stateOf(each),
      each.report ?? '',
      each.reference ?? '',
      paymentOf(each),
    ]),
    'There is no such message.',
  )
}

function describe(notification: ListedNotification): string {
  return pairs([
    ['Message', `${notification.notificationNo} for ${notification.railCode}`],
    ['Its own id', notification.idNotification],
    ['State', stateOf(notification)],
    ['Why', notification.detail],
    ['Says', notification.report],
    ['Reference', notification.reference],
    ['Merchant told', notification.merchantCode],
    ['Payment', paymentOf(notification) || undefined],
    ['Came again', `${String(notification.repeats)} times`],
    ['Received', moment(notification.receivedAt)],
    ['Done', notification.doneAt && moment(notification.doneAt)],
  ])
}

function forgeryTable(forgeries: readonly ListedForgery[]): string {
  return table(
    ['NO', 'TIME', 'RAIL', 'FROM', 'BYTES', 'WHY'],
    forgeries.map((each) => [
      each.forgeryNo,
      moment(each.receivedAt),
      each.railCode,
      each.address,
      String(each.byteCount),
      each.why,
    ]),
    'There is no such message.',
  )
}
