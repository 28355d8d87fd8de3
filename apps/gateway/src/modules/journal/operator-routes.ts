import { answers, JournalHeadSchema, JournalQuery, JournalSchema } from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import type { JournalEntry, JournalReader } from './reader.ts'

const TAGS = ['Journal']

/** The journal for operators: the head to be kept elsewhere, and the entries. */
export function journalOperatorRoutes(app: App, journal: JournalReader): void {
  app.get(
    '/operator/journal/head',
    {
      config: { permission: 'ledger.read' },
      schema: {
        operationId: 'readJournalHead',
        summary: 'The last entry of the journal, to be kept elsewhere',
        tags: TAGS,
        response: answers({ 200: JournalHeadSchema }, 401, 403, 429, 500),
      },
    },
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
    {
      config: { permission: 'ledger.read' },
      schema: {
        operationId: 'listJournal',
        summary: 'Entries of the journal in their order, with their transfers and postings',
        tags: TAGS,
        querystring: JournalQuery,
        response: answers({ 200: JournalSchema }, 400, 401, 403, 429, 500),
      },
    },
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
