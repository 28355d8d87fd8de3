import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { idPayment } from '../values.ts'

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
}
