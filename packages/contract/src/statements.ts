import { Type } from 'typebox'
import { MoneySchema, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'

// Bank statements: for operators only.

/** Query of POST /operator/statements; the body is the file itself. */
export const StatementTakeQuery = Type.Object({
  fileName: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: PRINTABLE_PATTERN,
    description: 'For the record.',
    examples: ['2026-11-20.xml'],
  }),
  mapping: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 4096,
      description: 'For CSV: the JSON that says what is in which column.',
    }),
  ),
  account: Type.Optional(
    Type.String({
      pattern: '^[A-Z0-9_]{1,32}$',
      description:
        'Your account, for statements that name none of yours. A statement that names another one of yours is refused; in a file of several accounts it is taken by its name.',
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._:-]{2,40}$',
      description:
        'In which the letters are written where the file does not say so itself: utf-8, windows-1250, windows-1251, cp850, cp852 and others. Without it: UTF-8 if it is that, else windows-1252, with a warning.',
      examples: ['cp850'],
    }),
  ),
  strict: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description: 'Refuses a file whose sums do not agree. Otherwise that is a warning.',
    }),
  ),
})

const CountsOfLines = {
  lineCount: Type.Integer({ description: 'New lines.' }),
  knownCount: Type.Integer({ description: 'Lines that another file had brought.' }),
  pendingCount: Type.Integer({
    description: 'Entries that the bank has not booked; nothing is kept of them.',
  }),
}

export const StatementTakenSchema = Type.Object(
  {
    result: Type.String({
      description: 'TAKEN, or KNOWN: the very same file was taken before, and nothing was done.',
      examples: ['TAKEN'],
    }),
    fileId: Type.String(),
    format: Type.String({ description: 'CAMT_053, CAMT_054, MT940 or CSV.', examples: ['CAMT_053'] }),
    statements: Type.Array(
      Type.Object(
        {
          label: Type.String(),
          accountCode: Type.String(),
          currencyCode: Type.String(),
          ...CountsOfLines,
        },
        { title: 'TakenStatement' },
      ),
    ),
    warnings: Type.Array(Type.String()),
    looked: Type.Integer({ description: 'Lines that were looked at now.' }),
    matched: Type.Integer({ description: 'Of them, those that are a payment’s for certain.' }),
  },
  {
    title: 'StatementTaken',
    examples: [
      {
        result: 'TAKEN',
        fileId: '12',
        format: 'CAMT_053',
        statements: [
          {
            label: 'statement 1 (2026-324)',
            accountCode: 'MAIN',
            currencyCode: 'EUR',
            lineCount: 2,
            knownCount: 1,
            pendingCount: 0,
          },
        ],
        warnings: [],
        looked: 2,
        matched: 1,
      },
    ],
  },
)

const file = {
  fileId: '12',
  fileName: '2026-11-20.xml',
  format: 'CAMT_053',
  accountCodes: ['MAIN'],
  takenBy: 'operator:ada',
  receivedAt: '2026-11-20T18:04:11.093Z',
  lineCount: 2,
  knownCount: 1,
  pendingCount: 0,
  warnings: [],
  balances: [
    {
      accountCode: 'MAIN',
      opening: { amount: 1000, currencyCode: 'EUR' },
      openedOn: '2026-11-20',
      closing: { amount: 1249.4, currencyCode: 'EUR' },
      closedOn: '2026-11-20',
      addsUp: true,
    },
  ],
}

const BalancesSchema = Type.Object(
  {
    accountCode: Type.String(),
    opening: MoneySchema,
    openedOn: Type.Optional(Type.String({ examples: ['2026-11-20'] })),
    closing: MoneySchema,
    closedOn: Type.Optional(Type.String({ examples: ['2026-11-20'] })),
    addsUp: Type.Boolean({ description: 'The booked entries make the difference.' }),
  },
  { title: 'StatementBalances' },
)

export const StatementFilesQuery = Type.Object({ ...PageQuery.properties })
export const StatementFileListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          fileId: Type.String(),
          fileName: Type.String(),
          format: Type.String(),
          accountCodes: Type.Array(Type.String()),
          takenBy: Type.String({ description: 'operator:<code>, or folder.' }),
          confirmedBy: Type.Optional(
            Type.String({ description: 'operator:<code> of the second operator, where one was needed.' }),
          ),
          receivedAt: TimestampSchema,
          ...CountsOfLines,
          warnings: Type.Array(Type.String()),
          balances: Type.Array(BalancesSchema, {
            description: 'Of its first 20 statements, as far as the bank told balances.',
          }),
        },
        { title: 'StatementFile' },
      ),
    ),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'StatementFileList', examples: [{ data: [file] }] },
)
