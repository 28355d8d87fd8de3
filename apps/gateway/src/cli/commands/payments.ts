import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { idPayment, oneOf } from '../values.ts'

const REASON_CHARACTERS_MAX = 250
const OUTGOING = ['payout', 'settlement'] as const

/** Payments, for those who look after them. */
export function addPaymentCommands(program: Command, shell: Shell): void {
  const payins = program.command('payins').description('incoming payments')
  payins
    .command('show <merchant> <id>')
    .description('show a payin with everything that happened to it')
    .action(
      shell.act(async (merchant: string, id: string) =>
        (await import('../actions/payments.ts')).showPayment(shell, {
          merchant,
          kind: 'PAYIN',
          id: idPayment(id),
        }),
      ),
    )
  addHolds(program, shell)
}

/** Stopping one outgoing payment before an institution has it. */
function addHolds(program: Command, shell: Shell): void {
  const payments = program.command('payments').description('outgoing payments that are on hold')
  const actions = {
    hold: 'put an outgoing payment on hold, as long as no institution has it',
    release: 'release a payment that another operator, or the gateway, put on hold',
    cancel: 'cancel a payment that is on hold; its money is released, and the merchant reads the reason',
  } as const
  for (const action of ['hold', 'release', 'cancel'] as const) {
    takesOperatorKey(payments.command(`${action} <kind> <merchant> <id>`))
      .description(`${actions[action]} (kind: ${OUTGOING.join(', ')})`)
      .requiredOption('--reason <text>', 'for the record', reason)
      .action(
        shell.act(async (kind: string, merchant: string, id: string, options: HoldOptions) => {
          const wish = { kind: kindOf(kind), merchant, id: idPayment(id), reason: options.reason }
          return (await import('../actions/payouts.ts')).changeHold(shell, action, { wish, options })
        }),
      )
  }
}

interface HoldOptions extends OperatorOptions {
  readonly reason: string
}

const kindOf = oneOf('<kind>', OUTGOING)

function reason(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= REASON_CHARACTERS_MAX) return trimmed
  throw new CommandFailure('USAGE', `--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}
