import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { wholeNumber } from '../values.ts'

const ENTRIES_SHOWN = 50
const ENTRIES_MAX = 10_000
const ENTRY_NO_MAX = 999_999_999_999_999

/** The journal of the ledger: one chain of hashes over all transfers. */
export function addLedgerCommands(program: Command, shell: Shell): void {
  const ledger = program.command('ledger').description('the journal: all transfers in one chain of hashes')
  ledger
    .command('head')
    .description('show the last entry of the journal, to be kept elsewhere and given to verify --head')
    .action(shell.act(async () => (await import('../actions/ledger.ts')).showHead(shell)))
  ledger
    .command('journal')
    .description('show entries of the journal with their transfers; --json adds the postings')
    .option('--from <entryNo>', 'the first one', wholeNumber('--from', 1, ENTRY_NO_MAX), 1)
    .option('--limit <number>', 'how many', wholeNumber('--limit', 1, ENTRIES_MAX), ENTRIES_SHOWN)
    .action(
      shell.act(async (wish: { from: number; limit: number }) =>
        (await import('../actions/ledger.ts')).showJournal(shell, wish),
      ),
    )
}
