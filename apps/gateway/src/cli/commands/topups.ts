import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { showTopUp } from './payment-show.ts'

/** Top-ups, for those who look after them. */
export function addTopUpCommands(program: Command, shell: Shell): void {
  showTopUp.addTo(program.command('topups').description('top-ups of merchants’ wallets'), shell)
}
