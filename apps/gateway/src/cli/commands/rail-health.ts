import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { oneOf, wholeNumber } from '../values.ts'

const TYPES = ['operator', 'rail'] as const
const DIRECTIONS = ['payin', 'payout'] as const
const AVAILABILITIES = ['operational', 'delayed', 'closed'] as const
const MINUTES_MAX = 525_600
const REASON_CHARACTERS_MAX = 250

const work = () => import('../actions/rail-health.ts')
const typeOf = oneOf('<type>', TYPES)
const directionOf = oneOf('<direction>', DIRECTIONS)
const availabilityOf = oneOf('<availability>', AVAILABILITIES)

interface SetOptions extends OperatorOptions {
  readonly reason: string
  readonly minutes?: number
}

/** `tollgate rails health`: whether institutions are there. */
export function addRailHealthCommands(rails: Command, shell: Shell): void {
  const health = rails.command('health').description('whether banks, wallets and rails are there')
  health
    .command('list')
    .description('list institutions that are, or were, anything but well, and what people say of them')
    .action(shell.act(async () => (await work()).list(shell)))
  const set = health
    .command('set')
    .argument('<type>', TYPES.join(' or '))
    .argument('<code>', 'of the payment operator, or of the rail')
    .argument('<direction>', 'payin also means top-ups, payout also settlements')
    .argument('<availability>', AVAILABILITIES.join(', '))
  takesOperatorKey(set)
    .description('say what an institution is, whatever the workers see; closed ones take no payment')
    .requiredOption('--reason <text>', 'for whoever reads the list', reason)
    .option(
      '--minutes <count>',
      'for so long; default: until it is cleared',
      wholeNumber('--minutes', 1, MINUTES_MAX),
    )
    .action(
      shell.act(async (...[type, code, direction, availability, options]: SetArguments) =>
        (await work()).set(
          shell,
          {
            ...{ type: typeOf(type), code, direction: directionOf(direction) },
            ...{ availability: availabilityOf(availability), reason: options.reason },
            minutes: options.minutes,
          },
          options,
        ),
      ),
    )
  takesOperatorKey(health.command('clear <type> <code> <direction>'))
    .description('let the workers see for themselves again')
    .action(
      shell.act(async (...[type, code, direction, options]: ClearArguments) =>
        (await work()).clear(shell, { type: typeOf(type), code, direction: directionOf(direction) }, options),
      ),
    )
}

type SetArguments = [type: string, code: string, direction: string, availability: string, options: SetOptions]
type ClearArguments = [type: string, code: string, direction: string, options: OperatorOptions]

function reason(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= REASON_CHARACTERS_MAX) return trimmed
  throw new CommandFailure('USAGE', `--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}
