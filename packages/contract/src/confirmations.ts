import { Type } from 'typebox'
import { MoneySchema, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { CONFIRMATION_STATES } from './confirmation-words.ts'
import { PageQuery } from './customers.ts'

// The operator API: what one operator has proposed and a second one confirms or refuses.

/** Fewer hex digits than these are too few to identify a file. */
const CONFIRMATION_DIGEST_DIGITS = 12

const ID_EXAMPLE = '31'
const DIGEST_EXAMPLE = '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea'

export const ConfirmationParams = Type.Object({
  confirmationId: Type.String({ pattern: '^[1-9][0-9]{0,17}$', examples: [ID_EXAMPLE] }),
})

const oneOf = CONFIRMATION_STATES.join('|')
export const ConfirmationsQuery = Type.Object({
  states: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: `^(${oneOf})(,(${oneOf}))*$`,
      description: 'States, separated by commas. Without it: those that wait.',
      examples: ['WAITING,EXPIRED'],
    }),
  ),
  ...PageQuery.properties,
})

const MEMBERS = {
  confirmationId: Type.String(),
  kind: Type.String({
    description: 'STATEMENT_FILE, PAYOUT_REPORT or LINE_DECISION.',
    examples: ['STATEMENT_FILE'],
  }),
  state: Type.String({
    description:
      'WAITING: nothing has followed. ALONE: below the amount from which two are needed, and done at once. CONFIRMED: done, under both names. REFUSED, WITHDRAWN, EXPIRED: ended, and nothing follows. FAILED: confirmed, but it could not be carried out any more.',
    examples: ['WAITING'],
  }),
  title: Type.String({ description: 'The name of the file, or the decision.' }),
  digest: Type.String({ description: 'SHA-256 of the file, or of what the decision says. Hexadecimal.' }),
  proposedBy: Type.String({ description: 'operator:<code>, or folder.' }),
  proposedAt: TimestampSchema,
  expireAt: TimestampSchema,
  sums: Type.Array(MoneySchema, {
    description: 'The money that it is about, by currency, as it was when it was proposed.',
  }),
  lineIds: Type.Array(Type.String(), { description: 'Of a decision: its statement lines.' }),
  endedAt: Type.Optional(TimestampSchema),
  endedBy: Type.Optional(Type.String({ description: 'operator:<code>.' })),
  reason: Type.Optional(
    Type.String({ description: 'Why it was refused, withdrawn or failed; or a remark.' }),
  ),
  result: Type.Optional(
    Type.String({ description: 'The id of the statement file, status report or statement line.' }),
  ),
}

const example = {
  confirmationId: ID_EXAMPLE,
  kind: 'STATEMENT_FILE',
  state: 'WAITING',
  title: '2026-11-20.xml',
  digest: DIGEST_EXAMPLE,
  proposedBy: 'operator:ada',
  proposedAt: '2026-11-20T18:04:11.093Z',
  expireAt: '2026-11-23T18:04:11.093Z',
  sums: [{ amount: 149.9, currencyCode: 'EUR' }],
  lineIds: [],
}

/** What is listed. */
export const ConfirmationSchema = Type.Object(MEMBERS, { title: 'Confirmation', examples: [example] })

export const ConfirmationListSchema = Type.Object(
  {
    data: Type.Array(ConfirmationSchema),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'ConfirmationList', examples: [{ data: [example] }] },
)

/** The 202 of what needs a second operator. */
export const WaitingSchema = Type.Object(
  { waiting: ConfirmationSchema },
  { title: 'WaitsForConfirmation', examples: [{ waiting: example }] },
)

const ConsequencesSchema = Type.Object(
  {
    paymentCount: Type.Integer({ description: 'How many payments would change.' }),
    payments: Type.Array(
      Type.Object(
        {
          payment: Type.Object(
            {
              merchantCode: Type.String(),
              kind: Type.String({ examples: ['PAYIN'] }),
              idPayment: Type.String(),
            },
            { title: 'PaymentThatChanges' },
          ),
          becomes: Type.String({ examples: ['SUCCESS'] }),
          money: MoneySchema,
        },
        { title: 'ConsequenceForPayment' },
      ),
      { description: 'The first 1,000 of them.' },
    ),
    sums: Type.Array(
      Type.Object(
        {
          what: Type.String({
            description:
              'A status for the money of payments; SUSPENSE: it waits for a decision; COVERED: you give it; NOTED: it has left.',
            examples: ['SUCCESS'],
          }),
          count: Type.Integer(),
          money: MoneySchema,
        },
        { title: 'ConsequenceSum' },
      ),
    ),
    remarks: Type.Array(Type.String(), { description: 'Lines by state, warnings, what is put aside.' }),
  },
  {
    title: 'Consequences',
    description: 'What would follow, found out by doing it and rolling it back. While it waits.',
  },
)

export const ConfirmationDetailSchema = Type.Object(
  {
    ...MEMBERS,
    about: Type.Record(Type.String(), Type.Unknown(), {
      description: 'How a file is read, or a decision and its lines.',
    }),
    consequences: Type.Optional(ConsequencesSchema),
    consequencesDigest: Type.Optional(
      Type.String({ description: 'Identifies `consequences`. Hexadecimal.' }),
    ),
    impossible: Type.Optional(
      Type.String({
        description: 'Why it cannot be carried out as things are now. Confirmed, it would end.',
      }),
    ),
    earlier: Type.Array(ConfirmationSchema, { description: 'Earlier proposals of the same bytes.' }),
  },
  {
    title: 'ConfirmationDetail',
    examples: [
      {
        ...example,
        about: { fileName: '2026-11-20.xml', byteCount: 5120 },
        consequences: {
          paymentCount: 1,
          payments: [
            {
              payment: { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: 'ORD-41' },
              becomes: 'SUCCESS',
              money: { amount: 149.9, currencyCode: 'EUR' },
            },
          ],
          sums: [{ what: 'SUCCESS', count: 1, money: { amount: 149.9, currencyCode: 'EUR' } }],
          remarks: ['1 MATCHED: 149.9 EUR'],
        },
        consequencesDigest: DIGEST_EXAMPLE,
        earlier: [],
      },
    ],
  },
)

const Digest = (description: string) =>
  Type.String({
    pattern: `^[0-9a-f]{${CONFIRMATION_DIGEST_DIGITS},64}$`,
    description,
    examples: [DIGEST_EXAMPLE.slice(0, CONFIRMATION_DIGEST_DIGITS)],
  })
const Reason = Type.String({
  minLength: 1,
  maxLength: 250,
  pattern: PRINTABLE_PATTERN,
  description: 'For the record.',
})

export const ConfirmSchema = Type.Object(
  {
    digest: Digest('`digest` as you saw it, or its first twelve digits or more.'),
    consequencesDigest: Type.Optional(
      Digest(
        'The same of `consequencesDigest`: refused when what would follow has changed since you looked.',
      ),
    ),
    reason: Type.Optional(Reason),
  },
  {
    title: 'Confirm',
    examples: [{ digest: DIGEST_EXAMPLE.slice(0, CONFIRMATION_DIGEST_DIGITS) }],
  },
)

export const ConfirmationRefuseSchema = Type.Object(
  { digest: ConfirmSchema.properties.digest, reason: Reason },
  {
    title: 'ConfirmationRefuse',
    examples: [
      { digest: DIGEST_EXAMPLE.slice(0, CONFIRMATION_DIGEST_DIGITS), reason: 'The bank knows no such file.' },
    ],
  },
)

export const ConfirmationWithdrawSchema = Type.Object(
  { reason: Type.Optional(Reason) },
  { title: 'ConfirmationWithdraw', examples: [{ reason: 'The wrong file.' }] },
)
