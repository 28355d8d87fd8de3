import { Type } from 'typebox'
import { ID_PATTERN, MoneySchema, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { EXAMPLES } from './examples.ts'
import { RemovedUntil } from './operator-callbacks.ts'
import { ProcessSchema } from './payments.ts'

// The operator API: payments of which people have to find out what became of them.

const MerchantCode = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['DEMO'] })
const Kind = Type.String({ pattern: '^(?:PAYIN|PAYOUT|TOPUP|SETTLEMENT)$', examples: ['PAYOUT'] })

/** Path of one payment, whatever its kind. */
export const ReviewParams = Type.Object({
  kind: Kind,
  merchantCode: MerchantCode,
  idPayment: Type.String({ pattern: ID_PATTERN, examples: ['OUT-2026-007'] }),
})

/** Query of GET /operator/reviews. */
export const ReviewsQuery = Type.Object({
  merchantCode: Type.Optional(MerchantCode),
  ...PageQuery.properties,
})

const OUTCOME =
  'EXECUTED: exactly the money that was asked for moved. NOT_EXECUTED: it did not, and will not. RETURNED: it moved, and came back. STILL_WAITING: ask the institution again. UNCHANGED: the payment stays as it is.'

export const ReviewDecideSchema = Type.Object(
  {
    outcome: Type.String({
      pattern: '^(?:EXECUTED|NOT_EXECUTED|RETURNED|STILL_WAITING|UNCHANGED)$',
      description: OUTCOME,
      examples: ['EXECUTED'],
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 250,
      pattern: PRINTABLE_PATTERN,
      description: 'For the record: how you know. The merchant does not read it. No personal data.',
    }),
  },
  {
    title: 'ReviewDecide',
    examples: [{ outcome: 'EXECUTED', reason: 'Statement of 21 November, line 14.' }],
  },
)

const REVIEW_MEMBERS = {
  kind: Type.String({ examples: ['PAYOUT'] }),
  merchantCode: Type.String(),
  idPayment: Type.String(),
  money: MoneySchema,
  fee: MoneySchema,
  paymentMethodCode: Type.String(),
  paymentOperatorCode: Type.Optional(Type.String()),
  rail: Type.String({ description: 'Who was asked.' }),
  reference: Type.String({ description: 'Ours; the institution knows the payment by it.' }),
  submittedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it was handed to the institution.' }),
  ),
  process: ProcessSchema,
}

/** A payment in the list of what waits for people. */
const ReviewSchema = Type.Object(
  {
    ...REVIEW_MEMBERS,
    waitsSince: Type.String({
      format: 'date-time',
      description: 'Since when the outcome is unknown, or operators have to decide.',
    }),
  },
  { title: 'Review' },
)

export const ReviewListSchema = Type.Object(
  {
    data: Type.Array(ReviewSchema),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'ReviewList', examples: [{ data: [EXAMPLES.review] }] },
)

export const TimelineEntrySchema = Type.Object(
  {
    entryNo: Type.Integer(),
    status: Type.String(),
    processorStatus: Type.String(),
    actor: Type.Optional(
      Type.String({ description: 'Not told to merchants’ people.', examples: ['rail:sandbox'] }),
    ),
    reason: Type.Optional(Type.String()),
    evidence: Type.Optional(
      Type.Object(
        {
          class: Type.String({
            description:
              'RAIL: the institution. BANK_CHANNEL: a document over a channel of the bank. BANK_UPLOAD: a file that operators handed in. PEOPLE: operators. CLOCK: the end of the time to pay. MERCHANT: the merchant cancelled it. SANDBOX: a simulated outcome.',
            examples: ['RAIL'],
          }),
          operators: Type.Optional(
            Type.Array(Type.String(), { description: 'Whose word it rests on.', examples: [['ann', 'bob']] }),
          ),
        },
        { description: 'Of a change of status: what proved it.' },
      ),
    ),
    happenedAt: TimestampSchema,
  },
  { title: 'TimelineEntry' },
)

const InquirySchema = Type.Object(
  {
    question: Type.String({
      description:
        'SUBMIT: the handing over. INQUIRE, ADVANCE: a question. NOTIFICATION, STATEMENT: told unasked. TRIGGER: by a developer, in the sandbox. OPERATOR: a decision.',
      examples: ['INQUIRE'],
    }),
    answer: Type.String({ examples: ['UNKNOWN'] }),
    reasonCode: Type.Optional(Type.String({ examples: ['DEADLINE'] })),
    contradicts: Type.Boolean({ description: 'It does not fit what our books say.' }),
    digest: Type.Optional(Type.String({ description: 'SHA-256 of the answer, without persons.' })),
    askedAt: TimestampSchema,
    times: Type.Integer({ description: 'The same answer so often in a row.' }),
    lastAnsweredAt: TimestampSchema,
    operatorCode: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
    counts: Type.Optional(
      Type.Boolean({ description: 'Of a decision: whether it is about the payment as it is now.' }),
    ),
  },
  { title: 'Inquiry' },
)

/** A payment with all that is known of how it came to be as it is. */
export const ReviewDetailSchema = Type.Object(
  {
    ...REVIEW_MEMBERS,
    timeline: Type.Array(TimelineEntrySchema),
    inquiries: Type.Array(InquirySchema, { description: 'What was asked, answered and decided, in order.' }),
    inquiriesRemovedUntil: RemovedUntil,
    outcomes: Type.Array(
      Type.Object(
        {
          outcome: Type.String({ examples: ['EXECUTED'] }),
          operatorsNeeded: Type.Integer({ description: 'How many have to say the same.' }),
        },
        { title: 'ReviewOutcome' },
      ),
      { description: 'What can be decided about it as it is now.' },
    ),
  },
  { title: 'ReviewDetail', examples: [EXAMPLES.reviewDetail] },
)
