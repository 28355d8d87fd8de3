import { type Static, Type } from 'typebox'
import {
  ID_PATTERN,
  MoneySchema,
  PaymentRequestedSchema,
  PRINTABLE_PATTERN,
  TimestampSchema,
} from './common.ts'
import { PageQuery } from './customers.ts'
import { EXAMPLES } from './examples.ts'
import {
  DETAIL_MEMBERS,
  NamedCustomerSchema,
  PaymentMethodSchema,
  ProcessSchema,
  UrlText,
} from './payments.ts'

const IdPayout = Type.String({
  pattern: ID_PATTERN,
  description: 'Your order id: unique per merchant, 1 to 250 of A-Z a-z 0-9 _ -.',
  examples: ['OUT-2026-007'],
})

export const PayoutParams = Type.Object({ idPayout: IdPayout })

/** Body of POST /payouts/{idPayout} (specification 2.4). */
export const PayoutCreateSchema = Type.Object(
  {
    paymentRequested: PaymentRequestedSchema,
    paymentMethod: PaymentMethodSchema,
    callbackUrl: UrlText('Receives the status-change callback.', 'https://shop.example/callbacks'),
    customer: Type.Optional(NamedCustomerSchema),
  },
  { title: 'PayoutCreate', examples: [EXAMPLES.payoutCreate] },
)
export type PayoutCreate = Static<typeof PayoutCreateSchema>

/** `paymentMethodResponse` of a payout (specification 2.5, 2.6). Whose account it goes to is not repeated. */
const PayoutMethodResponseSchema = Type.Object(
  {
    idPayout: Type.String(),
    paymentMethodCode: Type.String(),
    paymentOperatorCode: Type.Optional(Type.String()),
    money: MoneySchema,
    expireAt: Type.String({
      format: 'date-time',
      description: 'Until then it may wait for approval or for the institution; then its money is released.',
    }),
    reference: Type.String({ description: 'Ours; it travels with the money.' }),
    acceptedAt: TimestampSchema,
  },
  { title: 'PayoutMethodResponse' },
)

export const PayoutAcceptedSchema = Type.Object(
  { paymentRequested: PaymentRequestedSchema, paymentMethodResponse: PayoutMethodResponseSchema },
  { title: 'PayoutAccepted', examples: [EXAMPLES.payoutAccepted] },
)

export const PayoutDetailSchema = Type.Object(
  {
    paymentRequested: PaymentRequestedSchema,
    paymentMethodResponse: PayoutMethodResponseSchema,
    ...DETAIL_MEMBERS,
  },
  { title: 'PayoutDetail', examples: [EXAMPLES.payoutDetail] },
)

// The operator API.

/** How many hex digits of a content hash are shown; as many or more name it. */
export const CONTENT_HASH_DIGITS = 12

const ContentHash = Type.String({
  pattern: `^[0-9a-f]{${CONTENT_HASH_DIGITS},64}$`,
  description: `The first ${CONTENT_HASH_DIGITS} or more hex digits of the fingerprint of everything that says where which money goes.`,
  examples: ['9f2c41d07ab3'],
})

const MerchantCode = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['DEMO'] })

/** Path of an operator's decision. */
export const OperatorPayoutParams = Type.Object({ merchantCode: MerchantCode, idPayout: IdPayout })

const KindQuery = Type.Optional(
  Type.String({
    pattern: '^(PAYOUT|SETTLEMENT)$',
    description: 'SETTLEMENT: one that a merchant asked to be paid out. Without it, PAYOUT.',
    examples: ['PAYOUT'],
  }),
)

/** Query of an operator's decision. */
export const OperatorPayoutQuery = Type.Object({ kind: KindQuery })

/** Query of GET /operator/payouts. */
export const OperatorPayoutsQuery = Type.Object({
  kind: KindQuery,
  status: Type.Optional(
    Type.String({
      pattern: '^(?:AWAITING_APPROVAL|ON_HOLD)$',
      description: 'Only payouts that wait for approval, or only those on hold; without it, all.',
      examples: ['AWAITING_APPROVAL'],
    }),
  ),
  merchantCode: Type.Optional(MerchantCode),
  idPayout: Type.Optional(
    Type.String({ pattern: ID_PATTERN, description: 'Only this one, with merchantCode.' }),
  ),
  ...PageQuery.properties,
})

const Reason = (description: string) =>
  Type.String({ minLength: 1, maxLength: 250, pattern: PRINTABLE_PATTERN, description })

export const PayoutApproveSchema = Type.Object(
  { contentHash: ContentHash, reason: Type.Optional(Reason('For the record.')) },
  { title: 'PayoutApprove', examples: [{ contentHash: '9f2c41d07ab3' }] },
)
export const PayoutRejectSchema = Type.Object(
  { contentHash: ContentHash, reason: Reason('The merchant reads it in the detail.') },
  {
    title: 'PayoutReject',
    examples: [{ contentHash: '9f2c41d07ab3', reason: 'The account is not theirs.' }],
  },
)

const ApprovalSchema = Type.Object(
  { operatorCode: Type.String(), reason: Type.Optional(Type.String()), decidedAt: TimestampSchema },
  { title: 'Approval' },
)

const VerificationMembers = {
  result: Type.String({
    description: 'MATCH, CLOSE_MATCH, NO_MATCH or NOT_CHECKED.',
    examples: ['NO_MATCH'],
  }),
  statusCode: Type.String({ description: 'As the bank wrote it, or would.', examples: ['RVNM'] }),
  level: Type.String({
    description: 'TRANSACTION: it is said of this payment. GROUP, BATCH: of all payments of its file.',
    examples: ['TRANSACTION'],
  }),
  kind: Type.String({ examples: ['PAYOUT'] }),
  idPayout: Type.String({ description: 'The payment that the bank was asked about.' }),
  reportId: Type.Optional(
    Type.String({
      description: 'The status report (pain.002) that says it. Absent for what an adapter said.',
    }),
  ),
  fileId: Type.Optional(Type.String({ description: 'The file of payouts that the report is about.' })),
  takenBy: Type.String({
    description: 'operator:<code> of who handed the report in, or adapter:<keyId> of who was asked.',
  }),
  confirmedBy: Type.Optional(
    Type.String({ description: 'operator:<code> of the second operator, where one was needed.' }),
  ),
  receivedAt: TimestampSchema,
}

/** Whom a payment pays, for those who approve it. */
export const PayeeSchema = Type.Object(
  {
    merchantCode: Type.String(),
    kind: Type.String({ examples: ['PAYOUT'] }),
    idPayout: Type.String(),
    contentHash: Type.String({ description: 'What an approval has to name.', examples: ['9f2c41d07ab3'] }),
    account: Type.Optional(
      Type.Object(
        {
          accountName: Type.Optional(Type.String()),
          accountNumber: Type.Optional(Type.String()),
          bankCode: Type.Optional(Type.String()),
        },
        { title: 'PayeeAccount', description: 'In full. Absent when it was erased, or cannot be opened.' },
      ),
    ),
    emailAddress: Type.Optional(Type.String()),
    waitsBecause: Type.Array(Type.String(), { examples: [['AMOUNT']] }),
    rule: Type.Optional(
      Type.Object(
        {
          amountFrom: Type.Optional(MoneySchema),
          newBeneficiary: Type.Boolean(),
          dailySumFrom: Type.Optional(MoneySchema),
        },
        { title: 'PayoutRule', description: 'From when on payouts of the merchant in this currency wait.' },
      ),
    ),
    history: Type.Object(
      {
        paidCount: Type.Integer({ description: 'Payments of this merchant to this payee that were paid.' }),
        returnedCount: Type.Integer({ description: 'Paid, and sent back.' }),
        openCount: Type.Integer({ description: 'Not ended, this one among them.' }),
        paidMoney: Type.Array(MoneySchema, { description: 'What was paid, by currency.' }),
        firstPaidAt: Type.Optional(TimestampSchema),
        lastPaidAt: Type.Optional(TimestampSchema),
      },
      { title: 'PayeeHistory' },
    ),
    verification: Type.Optional(
      Type.Object(VerificationMembers, {
        title: 'PayeeVerification',
        description:
          'What the bank of the payee last said of name and account of this payment. Absent when nothing was reported.',
      }),
    ),
    earlierVerification: Type.Optional(
      Type.Object(VerificationMembers, {
        title: 'EarlierPayeeVerification',
        description: 'The latest of another payment of this merchant to this payee.',
      }),
    ),
    isBlocked: Type.Boolean({ description: 'Whether the payee is on a block-list now.' }),
  },
  {
    title: 'Payee',
    examples: [
      {
        merchantCode: 'DEMO',
        kind: 'PAYOUT',
        idPayout: 'OUT-2026-007',
        contentHash: '9f2c41d07ab3',
        account: { accountName: 'Ada Lovelace', accountNumber: 'DE89370400440532013000' },
        waitsBecause: ['AMOUNT'],
        rule: { amountFrom: { amount: 1000, currencyCode: 'EUR' }, newBeneficiary: false },
        history: {
          paidCount: 3,
          returnedCount: 0,
          openCount: 1,
          paidMoney: [{ amount: 450, currencyCode: 'EUR' }],
          firstPaidAt: '2026-05-02T09:11:03.120Z',
          lastPaidAt: '2026-11-01T12:40:55.004Z',
        },
        earlierVerification: {
          result: 'CLOSE_MATCH',
          statusCode: 'RVMC',
          level: 'TRANSACTION',
          kind: 'PAYOUT',
          idPayout: 'OUT-2026-003',
          reportId: '12',
          fileId: 'TG20261101A',
          takenBy: 'operator:fina',
          receivedAt: '2026-11-01T12:31:12.551Z',
        },
        isBlocked: false,
      },
    ],
  },
)

/** Path of an outgoing payment that is stopped or let go on. */
export const HeldPaymentParams = Type.Object({
  kind: Type.String({ pattern: '^(?:PAYOUT|SETTLEMENT)$', examples: ['PAYOUT'] }),
  merchantCode: MerchantCode,
  idPayment: IdPayout,
})

export const HoldSchema = Type.Object(
  {
    reason: Reason(
      'For the record. Of a cancellation, the merchant reads it in the detail. No personal data.',
    ),
  },
  { title: 'Hold', examples: [{ reason: 'The merchant reported a stolen token.' }] },
)

const HoldEntrySchema = Type.Object(
  {
    event: Type.String({ description: 'HELD, RELEASED or CANCELLED.', examples: ['HELD'] }),
    cause: Type.Optional(
      Type.String({
        description:
          'Of HELD. OPERATOR: an operator stopped it. Found when it was about to be handed over: BENEFICIARY_BLOCKED, MERCHANT_DISABLED; APPROVAL_CHANGED: two operators have not approved what it says now; PAYIN_REVERSED: the payin that it refunds was reversed; RESTORED: the gateway was restored from a backup, and it may have been handed over since.',
        examples: ['OPERATOR'],
      }),
    ),
    operatorCode: Type.Optional(Type.String({ description: 'Absent when the gateway stopped it.' })),
    reason: Type.String(),
    happenedAt: TimestampSchema,
  },
  { title: 'HoldEntry' },
)

/** A payout as operators see it. */
export const OperatorPayoutSchema = Type.Object(
  {
    merchantCode: Type.String(),
    kind: Type.String({ description: 'PAYOUT or SETTLEMENT.', examples: ['PAYOUT'] }),
    idPayout: Type.String(),
    refundOf: Type.Optional(Type.String({ description: 'Of a refund: the payin it pays back.' })),
    money: MoneySchema,
    fee: MoneySchema,
    paymentMethodCode: Type.String(),
    paymentOperatorCode: Type.Optional(Type.String()),
    account: Type.Optional(
      Type.Object(
        {
          accountNumber: Type.Optional(Type.String({ description: 'Its end only.', examples: ['…3000'] })),
          bankCode: Type.Optional(Type.String()),
        },
        { title: 'MaskedAccount', description: 'Absent when there is none, or when it was erased.' },
      ),
    ),
    process: ProcessSchema,
    expireAt: TimestampSchema,
    contentHash: Type.String({ description: 'What an approval has to name.', examples: ['9f2c41d07ab3'] }),
    waitsBecause: Type.Array(Type.String(), {
      description:
        'AMOUNT, NEW_BENEFICIARY, DAILY_SUM: a rule of the merchant. SETTLEMENT: the rule looks at accounts or at sums, so that every settlement waits. HALF_CREDENTIAL: one operator added the key or secret by which it was asked for, and no other has confirmed it. NEW_SETTLEMENT_ACCOUNT: one operator set the account that the settlement goes to, and no settlement to it was approved. OTHER: the rail, or an amount rule that has been changed since. Empty when it never waited.',
      examples: [['AMOUNT']],
    }),
    requestedBy: Type.Optional(Type.String({ description: 'The operator who asked for it, if it was one.' })),
    approvals: Type.Array(ApprovalSchema, { description: 'Those that count: of this very content.' }),
    approvalsNeeded: Type.Integer(),
    holds: Type.Array(HoldEntrySchema, { description: 'What put it on hold and ended that, in order.' }),
  },
  { title: 'OperatorPayout', examples: [EXAMPLES.operatorPayout] },
)

export const OperatorPayoutListSchema = Type.Object(
  {
    data: Type.Array(OperatorPayoutSchema),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'OperatorPayoutList', examples: [{ data: [EXAMPLES.operatorPayout] }] },
)
