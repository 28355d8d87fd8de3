import type { Command } from 'commander'
import type { TriggerOutcome } from '../../modules/payments/index.ts'
import type { Shell } from '../shell.ts'
import { idPayment, oneOf } from '../values.ts'

const KINDS = ['payin', 'payout', 'topup'] as const
const OUTCOMES = [
  'paid',
  'declined',
  'cancelled',
  'expired',
  'partial',
  'over',
  'late',
  'unknown',
  'returned',
] as const satisfies readonly TriggerOutcome[]

/** Making things happen to payments of the sandbox. */
export function addTriggerCommand(program: Command, shell: Shell): void {
  program
    .command('trigger <kind> <outcome> <id>')
    .description(`make it happen to a payment of the sandbox: ${OUTCOMES.join(', ')}`)
    .option('--merchant <code>', 'whose payment it is; default: the demo merchant of this sandbox')
    .action(
      shell.act(async (kind: string, outcome: string, id: string, options: { merchant?: string }) =>
        (await import('../actions/trigger.ts')).trigger(shell, {
          kind: oneOf('<kind>', KINDS)(kind),
          outcome: oneOf('<outcome>', OUTCOMES)(outcome),
          id: idPayment(id),
          ...options,
        }),
      ),
    )
}
