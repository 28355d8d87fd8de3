import { Type } from 'typebox'
import {
  CURRENCY_CODE_PATTERN,
  ID_PATTERN,
  MoneySchema,
  oneOf,
  PRINTABLE_PATTERN,
  TimestampSchema,
} from './common.ts'
import { ConfirmationSchema } from './confirmations.ts'
import { PageQuery } from './customers.ts'
import { MerchantCode } from './operator-parts.ts'
import { STATEMENT_LINE_DECISIONS, STATEMENT_LINE_STATES } from './statement-words.ts'

// Lines of bank statements: for operators only.

const LineId = Type.String({ pattern: '^[0-9]{1,18}$', examples: ['4711'] })
export const StatementLineParams = Type.Object({ lineId: LineId })

const Day = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2026-11-20'] }),
  )

const states = STATEMENT_LINE_STATES.join('|')
export const StatementLinesQuery = Type.Object({
  states: Type.Optional(
    Type.String({
      maxLength: 256,
      pattern: `^(${states})(,(${states}))*$`,
      description: 'States, separated by commas. Without it: those that wait for a decision.',
      examples: ['UNDER,OVER'],
    }),
  ),
  accountCode: Type.Optional(
    Type.String({
      pattern: '^[A-Z0-9_]{1,32}$',
      description: 'Only of this account of yours.',
      examples: ['MAIN'],
    }),
  ),
  currencyCode: Type.Optional(Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] })),
  bookedFrom: Day('Only booked on this day or later.'),
  bookedTo: Day('Only booked on this day or earlier.'),
  ...PageQuery.properties,
})

const NamedPaymentSchema = Type.Object(
  {
    merchantCode: MerchantCode,
    kind: Type.String({ pattern: '^(PAYIN|TOPUP|PAYOUT|SETTLEMENT)$', examples: ['PAYIN'] }),
    idPayment: Type.String({ pattern: ID_PATTERN }),
  },
  { title: 'NamedPayment' },
)

const LINE_MEMBERS = {
  lineId: LineId,
  state: Type.String({
    description: `What has become of it: ${STATEMENT_LINE_STATES.join(', ')}.`,
    examples: ['UNDER'],
  }),
  accountCode: Type.String({ description: 'Our account.' }),
  direction: Type.String({ description: 'CREDIT: it came. DEBIT: it went.', examples: ['CREDIT'] }),
  isReversal: Type.Boolean({ description: 'It takes an earlier booking back.' }),
  money: MoneySchema,
  openMoney: Type.Optional(
    Type.Object(MoneySchema.properties, {
      title: 'OpenMoney',
      description: 'How much of it lies in suspense. Absent when nothing does.',
    }),
  ),
  charges: Type.Optional(
    Type.Object(MoneySchema.properties, {
      title: 'StatementCharges',
      description: 'What a bank took of it on the way. Absent where no charges are known.',
    }),
  ),
  bookedOn: Type.String({ examples: ['2026-11-20'] }),
  bankReference: Type.Optional(
    Type.String({ description: 'The bank’s own. Hidden (…) where it names the person at the other end.' }),
  ),
  isMasked: Type.Boolean({
    description:
      'True: of the party only the first letter of the name and the end of the account are shown, and of references and texts nothing (…). In full by `/details`, for who decides.',
  }),
  party: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(Type.String()),
        accountNumber: Type.Optional(Type.String()),
        bankCode: Type.Optional(Type.String()),
      },
      { title: 'StatementParty', description: 'Who is at the other end.' },
    ),
  ),
  references: Type.Array(Type.String(), {
    description: 'References of every kind that it names. Ours that were found are in the reasons, too.',
  }),
  texts: Type.Array(Type.String(), { description: 'What the payer wrote, and the banks.' }),
  payment: Type.Optional(NamedPaymentSchema),
  score: Type.Optional(Type.Number({ description: 'How sure the matching was: 0 to 1.' })),
  reasons: Type.Array(Type.String(), { description: 'Why it is in its state.' }),
  returnReference: Type.Optional(
    Type.String({ description: 'To be written on the transfer that sends the money back.' }),
  ),
}

const line = {
  lineId: '4711',
  state: 'UNDER',
  accountCode: 'MAIN',
  direction: 'CREDIT',
  isReversal: false,
  money: { amount: 99.5, currencyCode: 'EUR' },
  openMoney: { amount: 99.5, currencyCode: 'EUR' },
  bookedOn: '2026-11-20',
  isMasked: true,
  party: { name: 'J…', accountNumber: '…5399' },
  references: [],
  texts: ['…'],
  payment: { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: 'ORD-41' },
  score: 0.6,
  reasons: ['it names our reference 7Q2M8KX4ZC0D', '0.5 EUR less than asked for'],
}

export const StatementLineListSchema = Type.Object(
  {
    data: Type.Array(Type.Object(LINE_MEMBERS, { title: 'StatementLine' })),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'StatementLineList', examples: [{ data: [line] }] },
)

export const StatementLineSchema = Type.Object(
  {
    ...LINE_MEMBERS,
    decisions: Type.Array(
      Type.Object(
        {
          decision: Type.String(),
          decidedBy: Type.String(),
          confirmedBy: Type.Optional(
            Type.String({ description: 'operator:<code> of the second operator, where one was needed.' }),
          ),
          reason: Type.String(),
          money: MoneySchema,
          decidedAt: TimestampSchema,
        },
        { title: 'StatementLineDecision' },
      ),
    ),
    suggestions: Type.Array(
      Type.Object(
        {
          payment: NamedPaymentSchema,
          status: Type.String(),
          money: MoneySchema,
          score: Type.Number(),
          reasons: Type.Array(Type.String(), { description: 'What speaks for it.' }),
          differences: Type.Array(Type.String(), { description: 'What speaks against it.' }),
        },
        { title: 'StatementLineSuggestion' },
      ),
      { description: 'Payments that it may be for, the likeliest first; while it waits.' },
    ),
    waiting: Type.Array(ConfirmationSchema, {
      description: 'Decisions about it that wait for a second operator.',
    }),
    choices: Type.Array(
      Type.Object(
        {
          decision: Type.String({ examples: ['RETURN'] }),
          secondOperator: Type.String({
            description:
              'Whether a decision of yours waits for a second operator. YES, NO, or MAYBE: it depends on the payment that you name.',
            examples: ['NO'],
          }),
        },
        { title: 'StatementLineChoice' },
      ),
      { description: 'What can be decided about it now.' },
    ),
  },
  {
    title: 'StatementLineReport',
    examples: [
      {
        ...line,
        decisions: [],
        waiting: [],
        choices: [
          { decision: 'ACCEPT', secondOperator: 'MAYBE' },
          { decision: 'COVER', secondOperator: 'MAYBE' },
          { decision: 'RETURN', secondOperator: 'NO' },
        ],
        suggestions: [
          {
            payment: line.payment,
            status: 'CREATED',
            money: { amount: 100, currencyCode: 'EUR' },
            score: 0.6,
            reasons: ['it names our reference 7Q2M8KX4ZC0D'],
            differences: ['0.5 EUR less than asked for'],
          },
        ],
      },
    ],
  },
)

/** Body of POST /operator/statement-lines/{lineId}/!decide. */
export const StatementLineDecideSchema = Type.Object(
  {
    decision: oneOf(STATEMENT_LINE_DECISIONS, {
      description:
        'ACCEPT: it is the payment’s money. COVER: the same, and you give what it lacks. SAME_MONEY: the institution had told of it before. RETURN: it is to go back. RETURNED: it went back. NOTE: money that left, written down for what.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 250,
      pattern: PRINTABLE_PATTERN,
      description: 'For the record.',
    }),
    payment: Type.Optional(NamedPaymentSchema),
    withLineIds: Type.Optional(
      Type.Array(LineId, {
        maxItems: 19,
        description: 'Further lines that make the payment’s money together with this one.',
      }),
    ),
  },
  {
    title: 'StatementLineDecide',
    examples: [{ decision: 'COVER', reason: 'The customer’s bank took half a euro.' }],
  },
)

export const StatementsMatchedSchema = Type.Object(
  {
    looked: Type.Integer({ description: 'Lines that were looked at.' }),
    matched: Type.Integer({ description: 'Of these, lines that are the money of a payment for certain.' }),
  },
  { title: 'StatementsMatched', examples: [{ looked: 3, matched: 1 }] },
)
