import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { eventId, idPayment, oneOf, wholeNumber } from '../values.ts'

const LISTED_MAX = 1000
const LISTED_DEFAULT = 50
const PORT_DEFAULT = 9000
const STATES = ['PENDING', 'DELIVERED', 'EXHAUSTED'] as const

interface ListOptions {
  merchant?: string
  state?: (typeof STATES)[number]
  id?: string
  limit: number
}
interface ListenOptions {
  port: number
  status: number
}

/** Callbacks: sent ones, and a receiver to try them with. */
export function addCallbackCommands(program: Command, shell: Shell): void {
  const callbacks = program.command('callbacks').description('callbacks to merchants')
  callbacks
    .command('list')
    .description('list the latest callbacks with how their last attempt ended')
    .option('--merchant <code>', 'of this merchant only')
    .option('--state <state>', STATES.join(', '), oneOf('--state', STATES))
    .option('--id <id>', 'about the payment of this id only', idPayment)
    .option('--limit <count>', `at most ${LISTED_MAX}`, wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(
      shell.act(async (options: ListOptions) =>
        (await import('../actions/callbacks.ts')).list(shell, options),
      ),
    )
  callbacks
    .command('resend <eventId>')
    .description('send a callback again: one attempt and four repeats, from now')
    .action(
      shell.act(async (id: string) => (await import('../actions/callbacks.ts')).resend(shell, eventId(id))),
    )
  program
    .command('listen')
    .description('receive callbacks while you develop: prints each and checks its signature')
    .option('--port <port>', 'port on this machine', wholeNumber('--port', 0, 65_535), PORT_DEFAULT)
    .option(
      '--status <status>',
      'what to answer; anything but 200 is repeated',
      wholeNumber('--status', 200, 599),
      200,
    )
    .action(
      shell.act(async (options: ListenOptions) =>
        (await import('../actions/listen.ts')).listen(shell, options),
      ),
    )
}
