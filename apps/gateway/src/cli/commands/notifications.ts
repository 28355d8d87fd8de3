import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { oneOf, wholeNumber } from '../values.ts'

const LISTED_MAX = 1000
const LISTED_DEFAULT = 50
const STATES = ['PENDING', 'APPLIED', 'KNOWN', 'QUARANTINED'] as const

interface ListOptions {
  rail?: string
  state?: (typeof STATES)[number]
  forged?: true
  limit: number
}

/** What institutions told us on their own. */
export function addNotificationCommands(program: Command, shell: Shell): void {
  const notifications = program
    .command('notifications')
    .description('messages of institutions, and what became of them')
  notifications
    .command('list')
    .description('list the latest messages, and why some were quarantined')
    .option('--rail <code>', 'for this rail only')
    .option('--state <state>', STATES.join(', '), oneOf('--state', STATES))
    .option('--forged', 'instead, those that did not prove where they came from')
    .option('--limit <count>', `at most ${LISTED_MAX}`, wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(
      shell.act(async (options: ListOptions) =>
        (await import('../actions/notifications.ts')).list(shell, options),
      ),
    )
  takesOperatorKey(notifications.command('show <number>'))
    .description('show a message, without its words')
    .option('--full', 'with its words as they came; takes an operator, and is noted')
    .action(
      shell.act(async (number: string, { full, ...options }: OperatorOptions & { full?: true }) => {
        const actions = await import('../actions/notifications.ts')
        const no = notificationNo(number)
        return full === true ? actions.showInFull(shell, no, options) : actions.show(shell, no)
      }),
    )
}

function notificationNo(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `<number> must be the number of a message; it is ${JSON.stringify(text)}.`,
  )
}
