import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { wholeNumber } from '../values.ts'

const LISTED_MAX = 500
const LISTED_DEFAULT = 50
const REASON_CHARACTERS_MAX = 250
const DIGEST = /^[0-9a-f]{12,64}$/
const ID = /^[1-9]\d{0,17}$/

const work = () => import('../actions/confirmations.ts')

interface EndOptions extends OperatorOptions {
  readonly digest: string
  readonly consequences?: string
  readonly reason?: string
}

/** What one operator has proposed, for a second one. */
export function addConfirmationCommands(program: Command, shell: Shell): void {
  const confirmations = program
    .command('confirmations')
    .description('files and decisions of one operator that need a second one')
  confirmations
    .command('list')
    .description('list what waits for a second operator, the newest first')
    .option('--all', 'also what has ended')
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(shell.act(async (options: { all?: true; limit: number }) => (await work()).list(shell, options)))
  confirmations
    .command('show <confirmation>')
    .description('show what waits, with its digest and what would follow')
    .action(shell.act(async (confirmation: string) => (await work()).show(shell, idOf(confirmation))))
  addEndings(confirmations, shell)
}

function addEndings(confirmations: Command, shell: Shell): void {
  takesOperatorKey(confirmations.command('confirm <confirmation>'))
    .description('confirm what another operator has proposed: it is carried out under both names')
    .requiredOption(
      '--digest <digits>',
      'the digest that you have seen, at least its first 12 digits',
      digest,
    )
    .option('--consequences <digits>', 'the same of what would follow; refused when that has changed', digest)
    .option('--reason <text>', 'for the record', reason)
    .action(
      shell.act(async (confirmation: string, options: EndOptions) =>
        (await work()).confirm(shell, {
          ...{ confirmationId: idOf(confirmation), options, digest: options.digest },
          ...{ consequences: options.consequences, reason: options.reason },
        }),
      ),
    )
  takesOperatorKey(confirmations.command('refuse <confirmation>'))
    .description('refuse what another operator has proposed; it ends, and stays listed')
    .requiredOption(
      '--digest <digits>',
      'the digest that you have seen, at least its first 12 digits',
      digest,
    )
    .requiredOption('--reason <text>', 'for the record', reason)
    .action(
      shell.act(async (confirmation: string, options: EndOptions & { reason: string }) =>
        (await work()).refuse(shell, {
          ...{ confirmationId: idOf(confirmation), options },
          ...{ digest: options.digest, reason: options.reason },
        }),
      ),
    )
  takesOperatorKey(confirmations.command('withdraw <confirmation>'))
    .description('withdraw what you have proposed yourself')
    .option('--reason <text>', 'for the record', reason)
    .action(
      shell.act(async (confirmation: string, options: OperatorOptions & { reason?: string }) =>
        (await work()).withdraw(shell, {
          ...{ confirmationId: idOf(confirmation), options, reason: options.reason },
        }),
      ),
    )
}

function idOf(text: string): string {
  if (ID.test(text)) return text
  throw new CommandFailure('USAGE', `<confirmation> is a number; \`tollgate confirmations list\` shows them.`)
}

function digest(text: string): string {
  if (DIGEST.test(text)) return text
  throw new CommandFailure('USAGE', 'A digest is given by 12 to 64 hexadecimal digits.')
}

function reason(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= REASON_CHARACTERS_MAX) return trimmed
  throw new CommandFailure('USAGE', `--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}
