import type { JournalHeadSchema, JournalSchema, Printed, VolumesRecountedSchema } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { get, type OperatorOptions, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { day, oneOf, wholeNumber } from '../values.ts'

const ENTRIES_SHOWN = 50
const ENTRIES_MAX = 1_000
const ENTRY_NO_MAX = 999_999_999_999_999

const recount = clientCommand({
  command: 'recount',
  says: 'recount volumes from payment timelines, if ledger check finds a difference',
  options: [
    {
      flags: '--from <day>',
      says: 'from this day of UTC on, for example 2026-11-21',
      read: day('--from'),
      isRequired: true,
    },
  ],
  permission: 'volumes.recount',
  asks: (_typed, { from }: OperatorOptions & { readonly from: string }) => ({
    ...post('/operator/volumes/!recount', { fromDay: from }),
    isLong: true,
  }),
  shows: ({ countedUntil }: Printed<typeof VolumesRecountedSchema>, pen) =>
    `Counted until ${pen.momentOf(countedUntil)}. A running worker counts the rest again.`,
})

const head = clientCommand({
  command: 'head',
  says: 'show the last entry of the journal, to keep elsewhere for ledger check --head',
  permission: 'ledger.read',
  asks: () => get('/operator/journal/head'),
  shows: (last: Printed<typeof JournalHeadSchema>, pen) =>
    pen.pairs([
      ['Head', last.head],
      ['Entry', String(last.entryNo)],
      ['Chain hash', last.chainHash],
      ['Chained', pen.momentOf(last.chainedAt)],
    ]),
})

const journal = clientCommand({
  command: 'journal',
  says: 'show entries of the journal with their transfers; --json adds the postings',
  options: [
    {
      flags: '--from <entryNo>',
      says: 'first entry',
      read: wholeNumber('--from', 1, ENTRY_NO_MAX),
      default: 1,
    },
    {
      flags: '--limit <number>',
      says: 'number of entries',
      read: wholeNumber('--limit', 1, ENTRIES_MAX),
      default: ENTRIES_SHOWN,
    },
  ],
  permission: 'ledger.read',
  asks: (_typed, { from, limit }: OperatorOptions & { readonly from: number; readonly limit: number }) => ({
    method: 'GET',
    path: '/operator/journal',
    query: { from },
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof JournalSchema>, pen) =>
    pen.table(
      ['ENTRY', 'CHAINED', 'MERCHANT', 'EVENT', 'PAYMENT', 'TRANSFER', 'CHAIN HASH'],
      data.map((entry) => [
        String(entry.entryNo),
        pen.momentOf(entry.chainedAt),
        entry.merchantCode ?? '',
        entry.event ?? 'the transfer is gone',
        entry.idPayment === undefined ? '' : `${entry.kind ?? ''} ${entry.idPayment}`,
        entry.transferId,
        entry.chainHash,
      ]),
      'The journal has no such entries.',
    ),
})

interface Accounting extends OperatorOptions {
  readonly from: string
  readonly to: string
  readonly currency?: string
  readonly columns?: string
  readonly accounts?: string
  readonly format: string
}

const exportPostings = clientCommand({
  command: 'export',
  says: 'print all postings of a period for accounting, as CSV or as lines of JSON',
  options: [
    {
      flags: '--from <moment>',
      says: 'from this day or time of UTC on, such as 2026-11-01',
      isRequired: true,
    },
    { flags: '--to <moment>', says: 'before this day or time, which is over', isRequired: true },
    { flags: '--currency <code>', says: 'only of this currency' },
    { flags: '--columns <list>', says: 'name=field, separated by commas; default: every field' },
    { flags: '--accounts <list>', says: 'your numbers: CLEARING=1200,FEES=8400 and so on, of every account' },
    {
      flags: '--format <format>',
      says: 'csv or jsonl',
      read: oneOf('--format', ['csv', 'jsonl']),
      default: 'csv',
    },
  ],
  permission: 'ledger.read',
  asks: (_typed, { from, to, currency, columns, accounts, format }: Accounting) => ({
    ...get('/operator/journal/export', { from, to, currencyCode: currency, columns, accounts, format }),
    isFile: true,
    isLong: true,
  }),
  shows: (file: string) => file.trimEnd(),
})

/** The books, and their journal: one chain of hashes over all transfers. */
export function addLedgerCommands(program: Command, shell: Shell): void {
  const ledger = program
    .command('ledger')
    .description('check the books; show the journal, all transfers in one hash chain')
  ledger
    .command('check')
    .description('recompute the ledger and compare; exit code 1 for differences')
    .option('--head <entryNo:hash>', 'a journal head that `ledger head` showed earlier')
    .option('--audit-head <entryNo:hash>', 'a head of the audit log that `audit head` showed earlier')
    .option('--chain', 'also compare the balances on all chains with what was received and sent')
    .action(
      shell.act(async (wish: { head?: string; auditHead?: string; chain?: true }) =>
        (await import('../actions/ledger-check.ts')).checkLedger(shell, wish),
      ),
    )
  for (const command of [recount, head, journal, exportPostings]) command.addTo(ledger, shell)
}
