import { Type } from 'typebox'
import { EXACT_NUMBER, oneOf, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { NextCursor } from './operator-parts.ts'
import type { WireAmount } from './wire.ts'

// The operator API: the journal of the ledger, and what is kept for a time only.

const HASH = { pattern: '^[0-9a-f]{64}$' }
const HEAD_EXAMPLE = {
  head: '417:3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
  entryNo: 417,
  chainHash: '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
  chainedAt: '2026-11-21T10:16:03.001Z',
}
const ENTRY_EXAMPLE = {
  entryNo: 417,
  merchantCode: 'DEMO',
  transferId: '0193d0aa-5f8f-7d10-8f41-7c1f4f1c0a11',
  event: 'PAYIN_SUCCEEDED',
  kind: 'PAYIN',
  idPayment: 'ORD-2026-041',
  createdAt: '2026-11-21T10:16:02.417Z',
  content: 'tollgate-transfer-1 …',
  postings: [
    { account: 'CLEARING', currencyCode: 'EUR', amount: -149.9 },
    { account: 'NOT_SETTLED', currencyCode: 'EUR', amount: 149.65 },
    { account: 'FEES', currencyCode: 'EUR', amount: 0.25 },
  ],
  contentHash: '9d1d3f5b8b7c7e0a4e3c1f2a6b5d4c3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c',
  chainHash: HEAD_EXAMPLE.chainHash,
  chainedAt: HEAD_EXAMPLE.chainedAt,
}

export const JournalHeadSchema = Type.Object(
  {
    head: Type.String({ description: 'Number and chain hash; `tollgate ledger check --head` takes it.' }),
    entryNo: Type.Integer({ description: '0 while the journal is empty.' }),
    chainHash: Type.String(HASH),
    chainedAt: Type.Optional(TimestampSchema),
  },
  { title: 'JournalHead', examples: [HEAD_EXAMPLE] },
)

/** Query of GET /operator/journal. */
export const JournalQuery = Type.Object({
  from: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'The first entry; by default 1.' }),
  ),
  ...PageQuery.properties,
})

const JournalEntrySchema = Type.Object(
  {
    entryNo: Type.Integer(),
    merchantCode: Type.Optional(
      Type.String({
        description: 'Absent for what is of no merchant: money in suspense, the fee of a chain.',
      }),
    ),
    transferId: Type.String(),
    event: Type.Optional(Type.String({ description: 'Absent, as all of the transfer, where it is gone.' })),
    kind: Type.Optional(Type.String()),
    idPayment: Type.Optional(Type.String()),
    createdAt: Type.Optional(TimestampSchema),
    content: Type.Optional(
      Type.String({ description: 'The text whose SHA-256 is the content hash while nothing was changed.' }),
    ),
    postings: Type.Array(
      Type.Object({
        account: Type.String(),
        currencyCode: Type.String(),
        amount: Type.Unsafe<WireAmount>({ [EXACT_NUMBER]: true, description: 'Credit above zero.' }),
      }),
    ),
    contentHash: Type.String(HASH),
    chainHash: Type.String(HASH),
    chainedAt: TimestampSchema,
  },
  { title: 'JournalEntry' },
)

export const JournalSchema = Type.Object(
  { data: Type.Array(JournalEntrySchema), nextCursor: NextCursor },
  { title: 'Journal', examples: [{ data: [ENTRY_EXAMPLE] }] },
)

/** What a line of the accounting export can tell of a posting. */
export const JOURNAL_COLUMNS = [
  'date',
  'bookedAt',
  'entryNo',
  'lineNo',
  'transferId',
  'event',
  'merchantCode',
  'kind',
  'idPayment',
  'account',
  'currencyCode',
  'debit',
  'credit',
  'amount',
  'text',
] as const

const Period = (description: string, example: string) =>
  Type.String({ maxLength: 40, description, examples: [example] })
const MAPPING_LENGTH_MAX = 2_000

/** Query of GET /operator/journal/export. */
export const JournalExportQuery = Type.Object({
  from: Period('Of bookings from this moment on; a day begins at 0:00 UTC.', '2026-11-01'),
  to: Period('Before this moment, which is over.', '2026-12-01'),
  currencyCode: Type.Optional(Type.String({ maxLength: 10, examples: ['EUR'] })),
  columns: Type.Optional(
    Type.String({
      maxLength: MAPPING_LENGTH_MAX,
      description: `The columns in their order, each by its name in your books: name=field, separated by commas. Fields: ${JOURNAL_COLUMNS.join(', ')}. Left out: all of them by their own names.`,
      examples: ['Date=date,Account=account,Debit=debit,Credit=credit,Text=text'],
    }),
  ),
  accounts: Type.Optional(
    Type.String({
      maxLength: MAPPING_LENGTH_MAX,
      description:
        'Your number for each of our accounts: account=number, separated by commas. An account with postings and without a number is refused.',
      examples: ['CLEARING=1200,FEES=8400'],
    }),
  ),
  format: Type.Optional(oneOf(['csv', 'jsonl'])),
})

/** Answer of GET /operator/journal/export. */
export const JournalExportSchema = {
  description: 'A head and a line for each posting, or only the lines as JSON.',
  content: {
    'text/csv': {
      schema: Type.String({
        title: 'JournalCsv',
        examples: ['Date,Account,Debit,Credit,Text\r\n2026-11-21,1200,149.9,,PAYIN_SUCCESS ORD-41\r\n'],
      }),
    },
    'application/jsonl': { schema: Type.String({ title: 'JournalLines' }) },
  },
} as const

export const RetentionListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          class: Type.String({
            description:
              'DELIVERIES: callbacks that are over. INQUIRIES: what institutions were asked. PERSONAL_DATA: whom payments name. DOCUMENTS: bytes of payout files, reports and confirmations.',
            examples: ['DELIVERIES'],
          }),
          days: Type.Integer({ description: 'For how long it is kept; 0 is for ever.' }),
          over: Type.Integer({ description: 'How much the next round removes.' }),
          oldestAt: Type.Optional(TimestampSchema),
          removedUntil: Type.Optional(TimestampSchema),
        },
        { title: 'RetentionClass' },
      ),
    ),
  },
  {
    title: 'RetentionList',
    examples: [
      { data: [{ class: 'DELIVERIES', days: 90, over: 0, removedUntil: '2026-08-21T00:00:00.000Z' }] },
    ],
  },
)
