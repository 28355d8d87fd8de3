import type {
  Printed,
  RailForgeryListSchema,
  RailNotificationBodySchema,
  RailNotificationListSchema,
  RailNotificationSchema,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { get, type OperatorOptions, pathOf } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { oneOf } from '../values.ts'
import { LIMIT, mayBeMore } from './options.ts'

const STATES = ['PENDING', 'APPLIED', 'KNOWN', 'QUARANTINED'] as const

type Notification = Printed<typeof RailNotificationSchema>
type Notifications = Printed<typeof RailNotificationListSchema>
type Forgeries = Printed<typeof RailForgeryListSchema>

interface ListOptions extends OperatorOptions {
  readonly rail?: string
  readonly state?: string
  readonly forged?: true
  readonly limit: number
}

const list = clientCommand({
  command: 'list',
  says: 'list the latest notifications, with the reasons of quarantined ones',
  options: [
    { flags: '--rail <code>', says: 'only of this rail' },
    { flags: '--state <state>', says: STATES.join(', '), read: oneOf('--state', STATES) },
    { flags: '--forged', says: 'list messages without a valid signature instead, at most 100' },
    LIMIT,
  ],
  permission: 'institutions.read',
  asks: (_typed, { rail, state, forged, limit }: ListOptions) =>
    forged === true
      ? get('/operator/rail-forgeries', { railCode: rail, limit: forgeriesOf(limit) })
      : {
          method: 'GET',
          path: '/operator/rail-notifications',
          query: { railCode: rail, state },
          upTo: limit,
        },
  shows: (answer: Notifications | Forgeries, pen, _typed, { forged, limit }) => ({
    text: pen.table(
      ['NO', 'TIME', 'RAIL', 'STATE OR FROM', 'SAYS OR WHY', 'REFERENCE', 'PAYMENT'],
      answer.data.map((each) => [
        ...('forgeryNo' in each
          ? [each.forgeryNo, pen.momentOf(each.receivedAt), each.railCode, each.address, each.why, '', '']
          : [
              each.notificationNo,
              pen.momentOf(each.receivedAt),
              each.railCode,
              stateOf(each),
              each.told?.report ?? '',
              each.told?.reference ?? '',
              paymentOf(each),
            ]),
      ]),
      'No notifications.',
    ),
    ...(forged === true && { notes: mayBeMore(answer.data, forgeriesOf(limit)) }),
  }),
})

const FORGERIES_MAX = 100
const forgeriesOf = (limit: number): number => Math.min(limit, FORGERIES_MAX)

const stateOf = ({ state, reason }: Notification): string =>
  reason === undefined ? state : `${state} (${reason})`

const paymentOf = ({ payment }: Notification): string =>
  payment === undefined ? '' : `${payment.kind} ${payment.idPayment} of ${payment.merchantCode}`

type Body = Printed<typeof RailNotificationBodySchema>

const show = clientCommand({
  command: 'show <number>',
  says: 'show a notification without its body',
  options: [{ flags: '--full', says: 'show the body; needs institutions.unmask and is recorded' }],
  permission: 'institutions.unmask',
  asks: ({ number }, { full }: OperatorOptions & { full?: true }) =>
    get(`${pathOf`/operator/rail-notifications/${notificationNo(number)}`}${full === true ? '/body' : ''}`),
  shows: (answer: Notification | Body, pen) => {
    if (!('railCode' in answer)) return answer.body ?? 'Its body is not kept any more.'
    const { told } = answer
    return pen.pairs([
      ['Message', `${answer.notificationNo} for ${answer.railCode}`],
      ['Its own id', answer.idNotification],
      ['State', stateOf(answer)],
      ['Why', answer.detail],
      ['Says', told?.report],
      ['Reference', told?.reference],
      ['Merchant told', told?.merchantCode],
      ['Payment', paymentOf(answer) || undefined],
      ['Came again', `${answer.repeats} times`],
      ['Received', pen.momentOf(answer.receivedAt)],
      ['Done', pen.momentOf(answer.doneAt)],
    ])
  },
})

/** What institutions told us on their own. */
export function addNotificationCommands(program: Command, shell: Shell): void {
  const notifications = program.command('notifications').description('messages of institutions')
  for (const command of [list, show]) command.addTo(notifications, shell)
}

function notificationNo(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `<number> must be the number of a message; it is ${JSON.stringify(text)}.`,
  )
}
