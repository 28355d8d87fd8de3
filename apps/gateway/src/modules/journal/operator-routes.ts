import { JournalHeadSchema, JournalQuery, JournalSchema } from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import type { JournalEntry, JournalReader } from './reader.ts'

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
}

/** A transfer that is gone has no members. */
function present({ transfer, ...entry }: JournalEntry & { readonly merchantCode: string }) {
  return {
    entryNo: entry.entryNo,
    merchantCode: entry.merchantCode,
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
