import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { idPayment, oneOf, wholeNumber } from '../values.ts'

const LISTED_MAX = 500
const LISTED_DEFAULT = 50
const REASON_CHARACTERS_MAX = 250
const KINDS = ['payin', 'payout', 'topup', 'settlement'] as const
const OUTCOMES = ['executed', 'not-executed', 'returned', 'still-waiting', 'unchanged'] as const

const work = () => import('../actions/reviews.ts')

/** Payments of which people have to find out what became of them. */
export function addReviewCommands(program: Command, shell: Shell): void {
  const reviews = program
    .command('reviews')
    .description('payments of which people have to find out what became of them')
  reviews
    .command('list')
    .description('list what waits for people, the longest waiting first')
    .option('--merchant <code>', 'only of this merchant')
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(
      shell.act(async (options: { merchant?: string; limit: number }) => (await work()).list(shell, options)),
    )
  reviews
    .command('show <kind> <merchant> <id>')
    .description('show a payment with all that was asked, answered and decided about it')
    .action(
      shell.act(async (kind: string, merchant: string, id: string) =>
        (await work()).show(shell, { kind: kindOf(kind), merchant, id: idPayment(id) }),
      ),
    )
  takesOperatorKey(reviews.command('decide <kind> <merchant> <id>'))
    .description('say what became of a payment; what moves money takes two operators who say the same')
    .requiredOption('--outcome <outcome>', OUTCOMES.join(', '), oneOf('--outcome', OUTCOMES))
    .requiredOption('--reason <text>', 'how you know; for the record', reason)
    .action(
      shell.act(async (kind: string, merchant: string, id: string, options: DecideOptions) =>
        (await work()).decide(
          shell,
          { kind: kindOf(kind), merchant, id: idPayment(id), ...options },
          options,
        ),
      ),
    )
}

interface DecideOptions extends OperatorOptions {
  readonly outcome: (typeof OUTCOMES)[number]
  readonly reason: string
}

const kindOf = oneOf('<kind>', KINDS)

function reason(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= REASON_CHARACTERS_MAX) return trimmed
  throw new CommandFailure('USAGE', `--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}
