import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { idPayment } from '../values.ts'

/** Top-ups, for those who look after them. */
export function addTopUpCommands(program: Command, shell: Shell): void {
  const topUps = program.command('topups').description('money moved into merchants’ wallets')
  topUps
    .command('show <merchant> <id>')
    .description('show a top-up with everything that happened to it')
    .action(
      shell.act(async (merchant: string, id: string) =>
        (await import('../actions/payments.ts')).showPayment(shell, {
          merchant,
          kind: 'TOPUP',
          id: idPayment(id),
        }),
      ),
    )
}
