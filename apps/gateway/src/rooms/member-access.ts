import type { MemberTable, Shape } from '../http/operator-members.ts'

// Merchants' people at the operator API. A route that is not here is refused, so a new one is until somebody decides; and of an
// answer they get the fields that are named. What the merchants' API tells a merchant anyway is told here as well: nothing of
// operators, rails, evidence, rules against fraud, and the ledger behind the balances.

const CALLBACK: Shape = {
  eventId: true,
  merchantCode: true,
  kind: true,
  idPayment: true,
  timelineEntryNo: true,
  url: true,
  state: true,
  attemptsStarted: true,
  attemptsMax: true,
  isUnderWay: true,
  nextAttemptAt: true,
  createdAt: true,
  doneAt: true,
  attempts: [
    {
      attemptNo: true,
      startedAt: true,
      starts: true,
      finishedAt: true,
      outcome: true,
      httpStatus: true,
      tookMs: true,
      message: true,
      answerStart: true,
    },
  ],
}

/** No rail, and no actor, reason or evidence in the timeline. */
const PAYMENT: Shape = {
  merchantCode: true,
  kind: true,
  idPayment: true,
  money: true,
  fee: true,
  received: true,
  paymentMethodCode: true,
  paymentOperatorCode: true,
  segmentCode: true,
  reference: true,
  externalReference: true,
  idCustomer: true,
  callbackUrl: true,
  returnUrl: true,
  expireAt: true,
  submittedAt: true,
  process: true,
  callbacksRemovedUntil: true,
  timeline: [{ entryNo: true, status: true, processorStatus: true, happenedAt: true }],
  callbacks: [CALLBACK],
}

const FOUND_PAYMENT: Shape = {
  merchantCode: true,
  kind: true,
  idPayment: true,
  status: true,
  processorStatus: true,
  money: true,
  paymentMethodCode: true,
  reference: true,
  externalReference: true,
  idCustomer: true,
  createdAt: true,
}

const pageOf = (item: Shape): Shape => ({ data: [item], nextCursor: true, removedUntil: true })

/** Of a payment's history what the merchant did, was told or is told: words and the facts of each. */
const HISTORY_FACTS: Readonly<Record<string, readonly string[]>> = {
  STATUS: [],
  REFUND: ['idRefund', 'idPayin', 'idPayout'],
  CALLBACK: ['eventId', 'url', 'attempts'],
  ATTEMPT: ['eventId', 'attempt', 'httpStatus', 'tookMs', 'message'],
}

/** An array of events without those that are the house's, and without who did what. */
function narrowHistory(events: unknown): unknown {
  if (!Array.isArray(events)) throw new Error('a history without events')
  return events.flatMap((event: { happenedAt: string; what: string; says: string; facts?: object }) => {
    const names = HISTORY_FACTS[event.what]
    if (names === undefined) return []
    const facts = Object.entries(event.facts ?? {}).filter(([name]) => names.includes(name))
    const { happenedAt, what, says } = event
    return [{ happenedAt, what, says, ...(facts.length > 0 && { facts: Object.fromEntries(facts) }) }]
  })
}

const SETTLEMENT: Shape = {
  merchantCode: true,
  idSettlement: true,
  kind: true,
  period: true,
  gross: true,
  fees: true,
  adjustments: true,
  net: true,
  repaid: true,
  conversion: true,
  account: true,
  reference: true,
  process: true,
}
const SETTLEMENT_ITEM: Shape = {
  type: true,
  idEntity: true,
  money: true,
  fee: true,
  net: true,
  processedAt: true,
}

const CUSTOMER: Shape = {
  merchantCode: true,
  idCustomer: true,
  status: true,
  segmentCode: true,
  countryCode: true,
  createdAt: true,
  erasedAt: true,
  masked: true,
}

const MERCHANT: Shape = {
  merchantCode: true,
  status: true,
  channel: true,
  logo: true,
  rateLimitPerSecond: true,
  secretEnabled: true,
  requireMoneyInTokens: true,
  allowedOrigins: true,
  callbackOrigins: true,
  returnOrigins: true,
  browserOrigins: true,
  segments: true,
  keys: true,
  secrets: true,
  callbackSecrets: true,
  tokensNotBefore: true,
  // Without who of the house had a part in them.
  credentials: [{ type: true, id: true, createdAt: true, fingerprint: true, isHalf: true }],
  callbackPublicKeys: true,
  methods: true,
}

const MEMBER: Shape = {
  operatorCode: true,
  merchantCode: true,
  name: true,
  role: true,
  status: true,
  createdAt: true,
}
const MEMBER_INVITED: Shape = { ...MEMBER, invitationId: true, secret: true, link: true, expireAt: true }

const SESSION: Shape = {
  id: true,
  method: true,
  passkeyId: true,
  createdAt: true,
  lastUsedAt: true,
  idleUntil: true,
  expireAt: true,
  isCurrent: true,
}

/** Without who invited them, who may be of the house. */
const PASSKEY: Shape = {
  passkeyId: true,
  name: true,
  createdAt: true,
  lastUsedAt: true,
  isBackedUp: true,
  isHalf: true,
}

export const MEMBER_ACCESS: MemberTable = {
  // Themselves.
  readOperatorSelf: {
    bound: 'SELF',
    shows: {
      operatorCode: true,
      name: true,
      roles: true,
      merchantCode: true,
      memberRole: true,
      permissions: true,
    },
  },
  listOperatorSessions: { bound: 'SELF', shows: { data: [SESSION] } },
  endOperatorSession: { bound: 'SELF', shows: { id: true, ended: true } },
  beginPasskey: { bound: 'SELF', shows: { challengeId: true, options: true } },
  finishPasskey: { bound: 'SELF', shows: { ...PASSKEY, fingerprint: true } },
  listPasskeys: { bound: 'SELF', shows: { data: [PASSKEY] } },
  removePasskey: { bound: 'SELF', shows: { passkeyId: true, removed: true } },
  beginStepUp: { bound: 'SELF', shows: { challengeId: true, options: true } },
  finishStepUp: { bound: 'SELF', shows: { secret: true, expireAt: true } },

  // Their colleagues.
  listMembers: { bound: 'PATH', shows: { data: [{ ...MEMBER, passkeys: true, invitedUntil: true }] } },
  addMember: { bound: 'PATH', shows: MEMBER_INVITED },
  inviteMember: { bound: 'PATH', shows: MEMBER_INVITED },
  setMemberRole: { bound: 'PATH', shows: MEMBER },
  enableMember: { bound: 'PATH', shows: MEMBER },
  disableMember: { bound: 'PATH', shows: MEMBER },

  // Payments, and what was told about them.
  searchPayments: { bound: 'QUERY', shows: pageOf(FOUND_PAYMENT) },
  exportPayments: { bound: 'QUERY', shows: 'STREAM' },
  readOperatorPayin: { bound: 'PATH', shows: PAYMENT },
  readOperatorPayout: { bound: 'PATH', shows: PAYMENT },
  readOperatorTopUp: { bound: 'PATH', shows: PAYMENT },
  readPaymentHistory: {
    bound: 'PATH',
    shows: { kind: true, merchantCode: true, idPayment: true, data: narrowHistory },
  },
  listOperatorCallbacks: { bound: 'QUERY', shows: pageOf(CALLBACK) },
  resendCallback: { bound: 'OWNER', shows: { eventId: true, state: true } },

  // Money.
  listOperatorBalances: {
    bound: 'QUERY',
    shows: pageOf({
      merchantCode: true,
      currencyCode: true,
      balance: true,
      available: true,
      notSettled: true,
      reserved: true,
      receivable: true,
      updatedAt: true,
    }),
  },
  listOperatorSettlements: { bound: 'PATH', shows: pageOf(SETTLEMENT) },
  readOperatorSettlement: { bound: 'PATH', shows: SETTLEMENT },
  listOperatorSettlementTransactions: {
    bound: 'PATH',
    shows: {
      sums: [{ type: true, count: true, money: true, fee: true, net: true }],
      data: [SETTLEMENT_ITEM],
      nextCursor: true,
    },
  },
  readSettlementTerms: {
    bound: 'PATH',
    shows: {
      cycles: true,
      // Without who of the house set them.
      accounts: [
        {
          currencyCode: true,
          paymentMethodCode: true,
          paymentOperatorCode: true,
          accountNumber: true,
          updatedAt: true,
        },
      ],
    },
  },

  // The merchant and its customers.
  listOperatorCustomers: { bound: 'PATH', shows: pageOf(CUSTOMER) },
  readOperatorCustomer: { bound: 'PATH', shows: CUSTOMER },
  readMerchant: { bound: 'PATH', shows: MERCHANT },
  addMerchantKey: {
    bound: 'PATH',
    touch: true,
    shows: { keyId: true, fingerprint: true, bits: true, isHalf: true },
  },
  removeMerchantKey: { bound: 'PATH', touch: true, shows: { keyId: true, removed: true } },
}
