import {
  answers,
  JournalExportQuery,
  JournalExportSchema,
  JournalHeadSchema,
  JournalQuery,
  JournalSchema,
} from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import { sendRows } from '../../http/row-files.ts'
import { momentOf } from '../../platform/moments.ts'
import { invalidField } from '../../platform/refusal.ts'
import { bookFile, readLayout } from './accounting.ts'
import type { JournalReader, NamedEntry } from './reader.ts'

const operation = operatorOperationsOf('Journal')

/** The journal for operators: the head to be kept elsewhere, and the entries. */
export function journalOperatorRoutes(app: App, journal: JournalReader): void {
  app.get(
    '/operator/journal/head',
    operation('readJournalHead', 'ledger.read', {
      summary: 'The last entry of the journal, to be kept elsewhere',
      response: { 200: JournalHeadSchema },
    }),
    async () => {
      const { printed, head, chainedAt } = await journal.head()
      return {
        head: printed,
        entryNo: head.entryNo,
        chainHash: head.chainHash.toString('hex'),
        ...(chainedAt !== undefined && { chainedAt: chainedAt.toISOString() }),
      }
    },
  )
  app.get(
    '/operator/journal',
    operation('listJournal', 'ledger.read', {
      summary: 'Entries of the journal in their order, with their transfers and postings',
      querystring: JournalQuery,
      response: { 200: JournalSchema },
    }),
    ({ query: { from = '1', ...page } }) =>
      answerPage(page, {
        place: NUMBER_PLACE,
        list: ({ before, limit }) =>
          journal.list(before === undefined ? Number(from) : Number(before) + 1, limit),
        placeOf: ({ entryNo }) => String(entryNo),
        present,
      }),
  )
  exportRoute(app, journal)
}

function exportRoute(app: App, journal: JournalReader): void {
  app.get(
    '/operator/journal/export',
    operation('exportJournal', 'ledger.read', {
      summary: 'All postings of a period for accounting, in columns and with account numbers of your books',
      description:
        'In the order of the journal, once everything that was booked in the period is in it. Amounts are plain decimals, debits and credits above zero; in each currency they have the same sum. The last line is whole: what ends earlier was cut off.',
      querystring: JournalExportQuery,
      response: answers({ 200: JournalExportSchema }),
    }),
    async ({ query }, reply) => {
      const { format = 'csv', currencyCode } = query
      const file = bookFile(readLayout(query))
      const pages = await journal.export({ ...readPeriod(query), currencyCode })
      return sendRows(reply, { name: 'journal', format, file, pages })
    },
  )
}

function readPeriod(query: { readonly from: string; readonly to: string }) {
  const [from, to] = [momentOf('from', query.from), momentOf('to', query.to)]
  if (from < to) return { from, to }
  throw invalidField('to', 'must be later than from')
}

/** A transfer that is gone has no members. */
function present({ transfer, merchantCode, ...entry }: NamedEntry) {
  return {
    entryNo: entry.entryNo,
    ...(merchantCode !== undefined && { merchantCode }),
    transferId: entry.transferId,
    ...(transfer !== undefined && { ...transfer, createdAt: transfer.createdAt.toISOString() }),
    postings: entry.postings.map(({ account, currencyCode, amount }) => ({
      account,
      currencyCode,
      amount: rawAmount(amount),
    })),
    contentHash: entry.contentHash.toString('hex'),
    chainHash: entry.chainHash.toString('hex'),
    chainedAt: entry.chainedAt.toISOString(),
  }
}
