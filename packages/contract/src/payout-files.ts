import { Type } from 'typebox'
import { CURRENCY_CODE_PATTERN, MoneySchema, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'

// The operator API: files of payouts to the house's banks, and what the banks report about them.

const FILE_EXAMPLE = {
  fileId: 'TG7K2M9XWT4BAQ0CDE',
  accountCode: 'SANDBOX_EUR',
  format: 'pain.001.001.09',
  speed: 'NORMAL',
  paymentCount: 1,
  controlSum: { amount: 149.9, currencyCode: 'EUR' },
  executionOn: '2026-11-21',
  byteCount: 1432,
  sha256: '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
  createdBy: 'operator:ada',
  createdAt: '2026-11-21T10:15:28.001Z',
  folder: 'NONE',
}
const PAYMENT_EXAMPLE = {
  position: 1,
  merchantCode: 'DEMO',
  kind: 'PAYOUT',
  idPayment: 'OUT-2026-007',
  reference: 'M3TQ8ZKD0VRA',
  money: { amount: 149.9, currencyCode: 'EUR' },
}
const REPORT_EXAMPLE = {
  reportId: '17',
  fileName: 'status.xml',
  messageId: 'BANK-2026-1121-01',
  originalMessageId: FILE_EXAMPLE.fileId,
  fileId: FILE_EXAMPLE.fileId,
  actor: 'operator:ada',
  receivedAt: '2026-11-21T12:00:00.000Z',
  counts: { APPLIED: 1 },
}
const ENTRY_EXAMPLE = {
  position: 1,
  level: 'TRANSACTION',
  reference: 'M3TQ8ZKD0VRA',
  merchantCode: 'DEMO',
  kind: 'PAYOUT',
  idPayment: 'OUT-2026-007',
  statusCode: 'ACSC',
  says: 'SETTLED',
  outcome: 'APPLIED',
}

export const PayoutFileParams = Type.Object({
  fileId: Type.String({ pattern: '^[A-Z0-9]{1,35}$', examples: [FILE_EXAMPLE.fileId] }),
})
export const PayoutFilesQuery = PageQuery

const PayoutFileSchema = Type.Object(
  {
    fileId: Type.String({ description: 'The message id by which the bank knows it.' }),
    accountCode: Type.String({ description: 'From which account its payments leave.' }),
    format: Type.String(),
    speed: Type.String({
      description: 'NORMAL, or INSTANT: its payments go at once (SEPA Instant).',
      examples: ['NORMAL'],
    }),
    paymentCount: Type.Integer(),
    controlSum: MoneySchema,
    executionOn: Type.String({ description: 'The day on which the bank is to move the money.' }),
    byteCount: Type.Integer(),
    sha256: Type.String({ description: 'Of its bytes, which never change.' }),
    createdBy: Type.String({ description: '`operator:` and their code, or `schedule`.' }),
    createdAt: TimestampSchema,
    submittedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When somebody said that the bank has it.' }),
    ),
    folder: Type.String({
      description:
        'NONE: not laid into a folder. LAID: it is there. LAYING: it was begun; look whether it is there.',
    }),
    channel: Type.Optional(
      Type.Object(
        {
          code: Type.String(),
          state: Type.String({
            description:
              'WAITING, STAGING, RELEASING: on its way. PUT: the bank has it. UNCLEAR: nobody can tell; ask the bank. BY_HAND: a person carries it.',
            examples: ['PUT'],
          }),
          why: Type.Optional(Type.String({ description: 'What was seen, or who took it over and why.' })),
          changedAt: TimestampSchema,
        },
        { title: 'PayoutFileChannel', description: 'How it goes over the channel of its bank, if it does.' },
      ),
    ),
  },
  { title: 'PayoutFile', examples: [FILE_EXAMPLE] },
)

const PaymentOfFileSchema = Type.Object(
  {
    position: Type.Integer(),
    merchantCode: Type.String(),
    kind: Type.String({ examples: ['PAYOUT'] }),
    idPayment: Type.String(),
    reference: Type.String({ description: 'Ours: the end-to-end id.' }),
    money: MoneySchema,
  },
  { title: 'PayoutFilePayment' },
)

const NextCursor = Type.Optional(Type.String({ description: 'Absent on the last page.' }))

export const PayoutFileListSchema = Type.Object(
  { data: Type.Array(PayoutFileSchema), nextCursor: NextCursor },
  { title: 'PayoutFileList', examples: [{ data: [FILE_EXAMPLE] }] },
)

export const PayoutFileDetailSchema = Type.Object(
  { ...PayoutFileSchema.properties, payments: Type.Array(PaymentOfFileSchema) },
  { title: 'PayoutFileDetail', examples: [{ ...FILE_EXAMPLE, payments: [PAYMENT_EXAMPLE] }] },
)

export const PayoutFileCreateSchema = Type.Object(
  {
    currencyCode: Type.Optional(
      Type.String({
        pattern: CURRENCY_CODE_PATTERN,
        description: 'Only payments in this currency; without it, in every currency that goes by files.',
        examples: ['EUR'],
      }),
    ),
  },
  { title: 'PayoutFileCreate', examples: [{ currencyCode: 'EUR' }] },
)

export const PayoutFileByHandSchema = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 250,
      pattern: PRINTABLE_PATTERN,
      description: 'For the record.',
    }),
  },
  { title: 'PayoutFileByHand', examples: [{ reason: 'The bank has asked for an upload in its portal.' }] },
)

export const PayoutRunSchema = Type.Object(
  {
    files: Type.Array(PayoutFileSchema, { description: 'Empty when nothing waited.' }),
    leftOut: Type.Array(
      Type.Object(
        {
          merchantCode: Type.String(),
          kind: Type.String(),
          idPayment: Type.String(),
          why: Type.String(),
        },
        { title: 'PaymentLeftOut' },
      ),
      { description: 'Payments that no file can carry as they are. They wait until their time is over.' },
    ),
  },
  { title: 'PayoutRun', examples: [{ files: [FILE_EXAMPLE], leftOut: [] }] },
)

export const PayoutFileContentSchema = Type.Object(
  {
    name: Type.String(),
    sha256: Type.String(),
    contentBase64: Type.String({ description: 'The bytes of the file. Names and accounts are in them.' }),
  },
  {
    title: 'PayoutFileContent',
    examples: [
      { name: `${FILE_EXAMPLE.fileId}.xml`, sha256: FILE_EXAMPLE.sha256, contentBase64: 'PD94bWw=' },
    ],
  },
)

/** Query of POST /operator/payout-reports; the body is the file itself. */
export const PayoutReportTakeQuery = Type.Object({
  fileName: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: PRINTABLE_PATTERN,
    description: 'For the record.',
    examples: ['status.xml'],
  }),
})

export const PayoutReportParams = Type.Object({
  reportId: Type.String({ pattern: '^[1-9][0-9]{0,17}$', examples: ['17'] }),
})

/** Query of GET /operator/payout-reports/{reportId}. */
export const PayoutReportQuery = Type.Object({ cursor: PageQuery.properties.cursor })

export const PayoutReportsQuery = Type.Object({
  aside: Type.Optional(
    Type.String({
      pattern: '^true$',
      description: 'Only reports with entries that were put aside.',
      examples: ['true'],
    }),
  ),
  ...PageQuery.properties,
})

const PayoutReportSchema = Type.Object(
  {
    reportId: Type.String(),
    fileName: Type.String(),
    messageId: Type.String({ description: 'The bank’s own id of the report.' }),
    originalMessageId: Type.String({ description: 'The file that it says it is about.' }),
    fileId: Type.Optional(Type.String({ description: 'The same where there is such a file.' })),
    actor: Type.String(),
    confirmedBy: Type.Optional(
      Type.String({ description: 'operator:<code> of the second operator, where one was needed.' }),
    ),
    receivedAt: TimestampSchema,
    counts: Type.Record(Type.String(), Type.Integer(), {
      description:
        'How many entries came to what: APPLIED, SAME (it was so already), NO_OUTCOME (nothing is decided yet), ASIDE (people have to look), OPEN (broken off: send it again).',
    }),
  },
  { title: 'PayoutReport', examples: [REPORT_EXAMPLE] },
)

export const PayoutReportListSchema = Type.Object(
  { data: Type.Array(PayoutReportSchema), nextCursor: NextCursor },
  { title: 'PayoutReportList', examples: [{ data: [REPORT_EXAMPLE] }] },
)

export const PayoutReportContentSchema = Type.Object(
  {
    name: Type.String({ description: 'As it was handed in.' }),
    sha256: Type.String(),
    contentBase64: Type.String({ description: 'The bytes as they came. Names and accounts are in them.' }),
  },
  {
    title: 'PayoutReportContent',
    examples: [{ name: 'status.xml', sha256: FILE_EXAMPLE.sha256, contentBase64: 'PD94bWw=' }],
  },
)

const PayoutReportEntrySchema = Type.Object(
  {
    position: Type.Integer(),
    level: Type.String({ description: 'Of what it was said: GROUP, BATCH or TRANSACTION.' }),
    reference: Type.Optional(Type.String()),
    merchantCode: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String()),
    idPayment: Type.Optional(Type.String()),
    statusCode: Type.String({ examples: ['ACSC'] }),
    reasonCode: Type.Optional(Type.String({ examples: ['AC04'] })),
    says: Type.String({ description: 'SETTLED, REJECTED, UNDECIDED or UNCLEAR.' }),
    payeeVerification: Type.Optional(
      Type.String({
        description:
          'What the payee’s bank says of name and account: MATCH, CLOSE_MATCH, NO_MATCH or NOT_CHECKED. Decides nothing.',
      }),
    ),
    outcome: Type.Optional(Type.String({ description: 'See `counts`.' })),
    why: Type.Optional(Type.String({ description: 'Why it was put aside.' })),
  },
  { title: 'PayoutReportEntry' },
)

export const PayoutReportDetailSchema = Type.Object(
  {
    ...PayoutReportSchema.properties,
    isNew: Type.Boolean({ description: 'False when these very bytes were here before.' }),
    entries: Type.Array(PayoutReportEntrySchema, {
      description: 'At most 1,000; the others by `cursor`. Reports about a file of ours have no more.',
    }),
    nextCursor: Type.Optional(Type.String({ description: 'Where entries go on. Absent on the last page.' })),
  },
  { title: 'PayoutReportDetail', examples: [{ ...REPORT_EXAMPLE, isNew: true, entries: [ENTRY_EXAMPLE] }] },
)
