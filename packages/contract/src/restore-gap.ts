import { Type } from 'typebox'
import { CODE_PATTERN, MoneySchema, oneOf, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { MerchantCode } from './operator-parts.ts'

// The operator API: what was lost between a backup and a restore. No money leaves until two operators have closed the gap.

const Reason = (description: string) =>
  Type.String({ minLength: 1, maxLength: 250, pattern: PRINTABLE_PATTERN, description })
const Kind = oneOf(['PAYOUT', 'SETTLEMENT'])
const Digest = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{12,64}$', description, examples: ['3f79bb7b435b'] })

const CLOSED_EXAMPLE = { isOpen: false }
const OPEN_EXAMPLE = {
  isOpen: true,
  gap: {
    lostFrom: '2026-11-21T03:00:00.000Z',
    restoredAt: '2026-11-21T09:12:00.000Z',
    openedBy: 'tollgate restore',
    held: 2,
    digest: '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
    obstacles: ['Statements of SANDBOX_EUR do not cover 2026-11-21.'],
    ids: [
      {
        merchantCode: 'DEMO',
        kind: 'PAYOUT',
        idPayment: 'OUT-2026-007',
        reference: 'M3TQ8ZKD0VRA',
        namedBy: 'operator:ada',
      },
    ],
    debits: [],
    accounts: [
      {
        accountCode: 'SANDBOX_EUR',
        currencyCode: 'EUR',
        firstDay: '2026-11-21',
        lastDay: '2026-11-21',
        isComplete: false,
      },
    ],
  },
}

const GapSchema = Type.Object(
  {
    lostFrom: TimestampSchema,
    restoredAt: TimestampSchema,
    openedBy: Type.String(),
    proposal: Type.Optional(
      Type.Object({
        by: Type.String(),
        reason: Type.String(),
        at: TimestampSchema,
        digest: Type.String({ description: 'Where it is not that of the gap, it has to be proposed again.' }),
      }),
    ),
    held: Type.Integer({ description: 'Payments on hold since the restore.' }),
    digest: Type.String({ description: 'Who closes the gap names what they have seen.' }),
    obstacles: Type.Array(Type.String(), { description: 'What has to be done before it can be closed.' }),
    ids: Type.Array(
      Type.Object({
        merchantCode: Type.String(),
        kind: Kind,
        idPayment: Type.String(),
        reference: Type.String(),
        namedBy: Type.String(),
      }),
    ),
    debits: Type.Array(
      Type.Object({
        lineId: Type.String(),
        accountCode: Type.String(),
        bookedOn: Type.String(),
        money: MoneySchema,
        references: Type.Array(Type.String()),
        idPayment: Type.Optional(Type.String({ description: 'The named id that has its reference.' })),
        isNoted: Type.Boolean({ description: 'An operator wrote down for what it left.' }),
        isOpen: Type.Boolean({ description: 'It may be a payout of the gap, and is not explained yet.' }),
      }),
      { description: 'Money that left by statements and belongs to no payment.' },
    ),
    accounts: Type.Array(
      Type.Object({
        accountCode: Type.String(),
        currencyCode: Type.String(),
        firstDay: Type.String(),
        lastDay: Type.String(),
        isComplete: Type.Boolean({ description: 'Statements have every booking of these days.' }),
        untilDay: Type.Optional(Type.String()),
        waiver: Type.Optional(Type.Object({ reason: Type.String(), by: Type.String(), at: TimestampSchema })),
      }),
    ),
  },
  { title: 'OpenRestoreGap' },
)

export const RestoreGapSchema = Type.Object(
  { isOpen: Type.Boolean(), gap: Type.Optional(GapSchema) },
  {
    title: 'RestoreGap',
    description: 'While it is open no payout is accepted, handed over or put into a file.',
    examples: [OPEN_EXAMPLE, CLOSED_EXAMPLE],
  },
)

export const GapOpenSchema = Type.Object(
  {
    lostFrom: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,6})?)?Z$',
      description: 'From when on the database lacks what happened, a moment in UTC.',
      examples: ['2026-11-21T03:00:00Z'],
    }),
  },
  { title: 'GapOpen', examples: [{ lostFrom: '2026-11-21T03:00:00Z' }] },
)

export const GapOpenedSchema = Type.Object(
  {
    held: Type.Integer({ description: 'Payments that were put on hold.' }),
    asked: Type.Integer({ description: 'Payments that institutions are asked about.' }),
  },
  { title: 'GapOpened', examples: [{ held: 2, asked: 5 }] },
)

/** Query of POST /operator/restore-gap/ids; the body is a text with one id on each line. */
export const GapIdsQuery = Type.Object({ merchantCode: MerchantCode, kind: Type.Optional(Kind) })

export const GapIdsSchema = Type.Object(
  {
    named: Type.Integer(),
    added: Type.Integer({
      description: 'Of these, new ones. None of them is accepted again, nor handed over.',
    }),
    known: Type.Array(Type.String(), { description: 'Those that have a payment from before the backup.' }),
  },
  { title: 'GapIds', examples: [{ named: 3, added: 2, known: ['OUT-2026-001'] }] },
)

export const GapProposeSchema = Type.Object(
  { reason: Reason('What was compared, for the record.') },
  { title: 'GapPropose', examples: [{ reason: 'Compared with the statements of 21 November.' }] },
)

const AccountCode = Type.String({ pattern: CODE_PATTERN, examples: ['SANDBOX_EUR'] })

export const GapWaiveSchema = Type.Object(
  { accountCode: AccountCode, reason: Reason('Why there is no statement, for the record.') },
  { title: 'GapWaive', examples: [{ accountCode: 'SANDBOX_EUR', reason: 'The account is closed.' }] },
)

export const GapCloseSchema = Type.Object(
  {
    digest: Digest('The digest that you have seen, at least its first 12 digits.'),
    reason: Reason('What was compared, for the record.'),
    withoutAccounts: Type.Optional(
      Type.Array(AccountCode, { maxItems: 100, description: 'Every account whose statement is waived.' }),
    ),
  },
  {
    title: 'GapClose',
    examples: [{ digest: '3f79bb7b435b', reason: 'Every debit belongs to an id that is named.' }],
  },
)
