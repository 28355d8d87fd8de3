import type { CallbackResentSchema, OperatorCallbackListSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { type OperatorOptions, pathOf } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { eventId, idPayment, oneOf, wholeNumber } from '../values.ts'
import { LIMIT } from './options.ts'

const PORT_DEFAULT = 9000
const STATES = ['PENDING', 'DELIVERED', 'EXHAUSTED'] as const

type Callbacks = Printed<typeof OperatorCallbackListSchema>
type Callback = Callbacks['data'][number]

interface ListOptions extends OperatorOptions {
  readonly merchant?: string
  readonly state?: string
  readonly id?: string
  readonly limit: number
}

const list = clientCommand({
  command: 'list',
  says: 'list the latest callbacks with the result of their last attempt',
  options: [
    { flags: '--merchant <code>', says: 'only of this merchant' },
    { flags: '--state <state>', says: STATES.join(', '), read: oneOf('--state', STATES) },
    { flags: '--id <id>', says: 'only about the payment with this id', read: idPayment },
    LIMIT,
  ],
  permission: 'callbacks.read',
  asks: (_typed, { merchant, state, id, limit }: ListOptions) => ({
    method: 'GET',
    path: '/operator/callbacks',
    query: { merchantCode: merchant, state, idPayment: id },
    upTo: limit,
  }),
  shows: ({ data, removedUntil }: Callbacks, pen) =>
    pen.table(
      ['EVENT', 'MERCHANT', 'PAYMENT', 'STATE', 'ATTEMPTS', 'LAST', 'NEXT', 'URL'],
      data.map((event) => [
        ...[event.eventId, event.merchantCode, `${event.kind} ${event.idPayment}`, event.state],
        ...[`${event.attemptsStarted}/${event.attemptsMax}`, lastOf(event)],
        event.isUnderWay ? 'now' : (pen.momentOf(event.nextAttemptAt) ?? ''),
        event.url,
      ]),
      pen.orRemoved('No callback matches.', removedUntil),
    ),
})

function lastOf({ attempts }: Callback): string {
  const last = attempts.at(-1)
  if (last === undefined) return ''
  return last.httpStatus === undefined ? (last.outcome ?? 'under way') : String(last.httpStatus)
}

const resend = clientCommand({
  command: 'resend <eventId>',
  says: 'send a callback again now, with up to four retries',
  permission: 'callbacks.resend',
  asks: (typed) => ({
    method: 'POST',
    path: pathOf`/operator/callbacks/${eventId(typed.eventId)}/!resend`,
  }),
  shows: (resent: Printed<typeof CallbackResentSchema>) => `The callback ${resent.eventId} is sent again.`,
})

interface ListenOptions {
  port: number
  status: number
}

/** Callbacks: sent ones, and a receiver to try them with. */
export function addCallbackCommands(program: Command, shell: Shell): void {
  const callbacks = program.command('callbacks').description('callbacks to merchants')
  for (const command of [list, resend]) command.addTo(callbacks, shell)
  program
    .command('listen')
    .description('receive callbacks during development: print each and verify its signature')
    .option('--port <port>', 'port on this machine', wholeNumber('--port', 0, 65_535), PORT_DEFAULT)
    .option(
      '--status <status>',
      'status to answer; for anything but 200 the callback is retried',
      wholeNumber('--status', 200, 599),
      200,
    )
    .action(
      shell.act(async (options: ListenOptions) =>
        (await import('../actions/listen.ts')).listen(shell, options),
      ),
    )
}
