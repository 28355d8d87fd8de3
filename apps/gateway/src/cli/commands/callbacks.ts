import type {
  CallbackResentSchema,
  CallbacksResentSchema,
  OperatorCallbackListSchema,
  Printed,
} from '@tollgate/contract'
import { type Command, Option } from 'commander'
import type { TailWish } from '../actions/tail.ts'
import { publicKey } from '../callback-diagnosis.ts'
import { clientCommand } from '../client-command.ts'
import { type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { eventId, httpUrl, idPayment, moment, oneOf, wholeNumber } from '../values.ts'
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
        event.eventId,
        event.merchantCode,
        `${event.kind} ${event.idPayment}`,
        event.state,
        `${event.attemptsStarted}/${event.attemptsMax}`,
        lastOf(event),
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
  asks: (typed) => post(pathOf`/operator/callbacks/${eventId(typed.eventId)}/!resend`),
  shows: (resent: Printed<typeof CallbackResentSchema>) => `The callback ${resent.eventId} is sent again.`,
})

interface ResendOptions extends OperatorOptions {
  readonly merchant?: string
  readonly all?: true
  readonly from?: string
  readonly to?: string
}

const resendFailed = clientCommand({
  command: 'resend-failed',
  says: 'resend all callbacks that are out of attempts',
  options: [
    { flags: '--merchant <code>', says: 'of this merchant' },
    { flags: '--all', says: 'of all merchants' },
    {
      flags: '--from <moment>',
      says: 'only those made from this day or moment (UTC) on',
      read: moment('--from'),
    },
    { flags: '--to <moment>', says: 'only those made before this day or moment', read: moment('--to') },
  ],
  permission: 'callbacks.resend',
  asks: (_typed, { merchant, all, from, to }: ResendOptions) =>
    post('/operator/callbacks/!resend', {
      merchantCode: merchant,
      isForAll: all,
      createdFrom: from,
      createdTo: to,
    }),
  shows: ({ resent, hasMore }: Printed<typeof CallbacksResentSchema>) =>
    `${resent === 1 ? '1 callback is' : `${resent} callbacks are`} sent again.${hasMore ? ' There are more: repeat.' : ''}`,
})

interface ListenOptions {
  readonly port: number
  readonly status: number
  readonly forward?: string
}

const takeKey = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  publicKey(text),
]

/** Callbacks: sent ones, a receiver to try them with, and a look at a recorded one; and a merchant's requests. */
export function addCallbackCommands(program: Command, shell: Shell): void {
  const callbacks = program.command('callbacks').description('callbacks to merchants')
  for (const command of [list, resend, resendFailed]) command.addTo(callbacks, shell)
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
    .addOption(
      new Option('--forward <url>', 'forward each callback to your server and return its answer')
        .argParser(httpUrl('--forward'))
        .conflicts('status'),
    )
    .action(
      shell.act(async (options: ListenOptions) =>
        (await import('../actions/listen.ts')).listen(shell, options),
      ),
    )
  program
    .command('tail')
    .description('follow a merchant’s requests in a sandbox, each with its errors')
    .option('--failed', 'only what was refused')
    .option('--merchant <code>', 'merchant; default: the sandbox’s demo merchant')
    .option(
      '--private-key-file <file>',
      'RSA private key (PEM) of the merchant; default: the demo merchant’s',
    )
    .option('--api-url <url>', 'address of the API; default: that of this installation', httpUrl('--api-url'))
    .action(shell.act(async (options: TailWish) => (await import('../actions/tail.ts')).tail(shell, options)))
  program
    .command('verify [file]')
    .description('verify the signature of a recorded callback, and say what is wrong with it')
    .option(
      '--key <key>',
      'public key (whpk_…); may be repeated; default: those of the merchants here',
      takeKey,
    )
    .option('--secret-file <file>', 'file with a shared secret (whsec_…)')
    .addHelpText(
      'after',
      '\nThe file has the headers as they came, a blank line, and the body. Without a file, or with -, it is standard input.',
    )
    .action(
      shell.act(
        async (
          file: string | undefined,
          options: { readonly key?: readonly string[]; readonly secretFile?: string },
        ) => (await import('../actions/verify.ts')).verifyRecorded(shell, file ?? '-', options),
      ),
    )
}
