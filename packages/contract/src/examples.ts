// One whole answer of each kind, shown in the interface description. A test validates each against its schema.

const money = { amount: 149.9, currencyCode: 'EUR' }
const paymentRequested = { money, segmentCode: 'TRUSTED' }
const paymentMethodResponse = {
  idPayin: 'ORD-2026-041',
  paymentMethodCode: 'BANK_TRANSFER',
  account: {
    accountName: 'Tollgate Sandbox',
    accountNumber: 'XS00TESTEUR000001',
    bankCode: 'TESTXS00',
    bankName: 'Sandbox Bank',
  },
  money,
  expireAt: '2026-11-24T10:15:28.001Z',
  reference: 'YK7HC7SP61GN',
  returnUrl: 'https://shop.example/thanks',
  acceptedAt: '2026-11-21T10:15:28.001Z',
}
const succeeded = {
  status: 'SUCCESS',
  processorStatus: 'CONFIRMED',
  createdAt: '2026-11-21T10:15:28.001Z',
  processedAt: '2026-11-21T10:16:02.417Z',
  isTest: true,
}
const topUpMoney = { amount: 500, currencyCode: 'EUR' }
const { returnUrl: _returnUrl, idPayin: _idPayin, ...topUpInstructions } = paymentMethodResponse
const topUpResponse = { idTopUp: 'TOP-2026-007', ...topUpInstructions, money: topUpMoney }
const payoutMoney = { amount: 250, currencyCode: 'EUR' }
const payoutFee = { amount: 0.5, currencyCode: 'EUR' }
const payoutResponse = {
  idPayout: 'OUT-2026-007',
  paymentMethodCode: 'BANK_TRANSFER',
  money: payoutMoney,
  expireAt: '2026-11-24T10:15:28.001Z',
  reference: 'M3TQ8ZKD0VRA',
  acceptedAt: '2026-11-21T10:15:28.001Z',
}
const reviewed = {
  kind: 'PAYOUT',
  merchantCode: 'DEMO',
  idPayment: 'OUT-2026-007',
  money: payoutMoney,
  fee: payoutFee,
  paymentMethodCode: 'BANK_TRANSFER',
  rail: 'sandbox',
  reference: 'M3TQ8ZKD0VRA',
  submittedAt: '2026-11-21T10:15:28.120Z',
  process: {
    status: 'CREATED',
    processorStatus: 'IN_REVIEW',
    createdAt: '2026-11-21T10:15:28.001Z',
    isTest: true,
  },
}
const fields = [{ name: 'accountName', required: false, maxLength: 140 }]
const limit = { minAmount: 1, maxAmount: 100000, currencyCode: 'EUR' }
const method = {
  paymentMethodCode: 'BANK_TRANSFER',
  name: 'Bank transfer',
  flow: 'INSTRUCTIONS',
  externalReference: 'NONE',
  paymentOperators: [],
}
const person = {
  name: 'Jana Nováková',
  emailAddress: 'jana@example.com',
  phone: '+420 601 234 567',
  countryCode: 'CZ',
  accounts: [{ accountName: 'Jana Nováková', accountNumber: 'XS00TEST0000000001', bankCode: 'TESTXS00' }],
}
const sinceMay = { status: 'ACTIVE', createdAt: '2026-05-04T08:00:12.345Z' }

const rateList = {
  code: 'ECB',
  name: 'European Central Bank, reference rates',
  baseCurrencyCode: 'EUR',
  staleAfterSeconds: 345600,
}
const rateDates = {
  version: 2,
  validFrom: '2026-11-20T00:00:00.000Z',
  publishedAt: '2026-11-20T00:00:00.000Z',
  ageSeconds: 123328,
  isStale: false,
}
const usdRate = { currencyCode: 'USD', quotation: 'INDIRECT', unit: 1, buy: 1.081, sell: 1.081, mid: 1.081 }

const settlement = {
  idSettlement: '2026-11-20-EUR-7Q2M8K',
  kind: 'CYCLE',
  period: { from: '2026-11-19T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z' },
  gross: { amount: 1499, currencyCode: 'EUR' },
  fees: { amount: 2.5, currencyCode: 'EUR' },
  adjustments: { amount: -149.9, currencyCode: 'EUR' },
  net: { amount: 1346.6, currencyCode: 'EUR' },
  reference: '9K3MZ0Q7WXYA',
  process: {
    status: 'SUCCESS',
    processorStatus: 'CONFIRMED',
    createdAt: '2026-11-20T00:00:04.102Z',
    processedAt: '2026-11-20T00:00:04.102Z',
    isTest: true,
  },
}

export const EXAMPLES = {
  authToken: { token: 'eyJhbGciOiJFZERTQSIsImtpZCI6InRnXzRRN1gifQ.eyJzdWIiOiJERU1PIn0.c2lnbmF0dXJl' },
  paymentOptions: {
    data: [{ ...method, fields, limits: [limit], fee: { amount: 0.25, currencyCode: 'EUR' } }],
  },
  payinAccepted: { paymentRequested, paymentMethodResponse },
  payinDetail: {
    paymentRequested,
    paymentMethodResponse,
    fee: { amount: 0.25, currencyCode: 'EUR' },
    process: succeeded,
    paymentReceived: { money },
  },
  topUpAccepted: { topUpRequested: { money: topUpMoney }, paymentMethodResponse: topUpResponse },
  topUpDetail: {
    paymentRequested: { money: topUpMoney },
    paymentMethodResponse: topUpResponse,
    fee: { amount: 0.25, currencyCode: 'EUR' },
    process: succeeded,
    paymentReceived: { money: topUpMoney },
  },
  payoutCreate: {
    paymentRequested: { money: payoutMoney },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      account: { accountName: 'Jana Nováková', accountNumber: 'DE89370400440532013000' },
    },
    callbackUrl: 'https://shop.example/callbacks',
  },
  payoutAccepted: { paymentRequested: { money: payoutMoney }, paymentMethodResponse: payoutResponse },
  payoutDetail: {
    paymentRequested: { money: payoutMoney },
    paymentMethodResponse: payoutResponse,
    fee: payoutFee,
    process: succeeded,
    paymentReceived: { money: payoutMoney },
  },
  railNotification: {
    notificationNo: '417',
    railCode: 'bank',
    idNotification: 'N-2026-000913',
    state: 'QUARANTINED',
    reason: 'MONEY_DIFFERS',
    detail: 'it says 149.89 EUR, the payment has 149.9 EUR',
    told: { reference: '7KQ2M8X4TJ5N', merchantCode: 'SHOP', report: 'SUCCEEDED' },
    payment: { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: 'ORD-2026-041' },
    repeats: 0,
    receivedAt: '2026-11-21T10:16:03.120Z',
    doneAt: '2026-11-21T10:16:03.300Z',
  },
  operatorPayout: {
    merchantCode: 'DEMO',
    kind: 'PAYOUT',
    idPayout: 'OUT-2026-007',
    money: payoutMoney,
    fee: payoutFee,
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountNumber: '…3000' },
    process: {
      status: 'CREATED',
      processorStatus: 'AWAITING_APPROVAL',
      createdAt: '2026-11-21T10:15:28.001Z',
      isTest: true,
    },
    expireAt: '2026-11-24T10:15:28.001Z',
    contentHash: '9f2c41d07ab3',
    waitsBecause: ['AMOUNT'],
    approvals: [{ operatorCode: 'ada', decidedAt: '2026-11-21T11:02:40.120Z' }],
    approvalsNeeded: 2,
  },
  review: { ...reviewed, waitsSince: '2026-11-24T10:15:49.002Z' },
  reviewDetail: {
    ...reviewed,
    timeline: [
      {
        entryNo: 4,
        status: 'CREATED',
        processorStatus: 'IN_REVIEW',
        actor: 'worker',
        reason: 'nobody could say what became of it',
        happenedAt: '2026-11-24T10:15:49.002Z',
      },
    ],
    inquiries: [
      {
        question: 'INQUIRE',
        answer: 'UNKNOWN',
        reasonCode: 'DEADLINE',
        contradicts: false,
        askedAt: '2026-11-21T10:15:53.404Z',
        times: 76,
        lastAnsweredAt: '2026-11-24T10:15:49.002Z',
      },
    ],
  },
  paymentAccounts: {
    data: [
      {
        source: 'PROCESS',
        accountName: 'Jana Nováková',
        accountNumber: 'XS00TEST0000000001',
        bankCode: 'TESTXS00',
        bankName: 'Sandbox Bank',
        collectedAt: '2026-11-21T10:16:02.417Z',
      },
    ],
  },
  balanceList: {
    data: [
      {
        currencyCode: 'EUR',
        balance: { amount: 1149.65, currencyCode: 'EUR' },
        available: { amount: 1000, currencyCode: 'EUR' },
        notSettled: { amount: 149.65, currencyCode: 'EUR' },
        reserved: { amount: 0, currencyCode: 'EUR' },
        updatedAt: '2026-11-21T10:16:02.417Z',
      },
    ],
  },
  merchantInfo: {
    merchantCode: 'DEMO',
    channelInfo: { name: 'Demo Shop', supportEmail: 'help@shop.example' },
    isTest: true,
    callbackPublicKeys: ['whpk_Fa9DeFMRXwlNhu7RDQZ2bwNkYPb/212ZH0rKkkuypaU='],
  },
  currencyList: { data: [{ code: 'EUR', name: 'Euro', minorUnits: 2, type: 'FIAT', operations: ['PAYIN'] }] },
  segmentList: { data: [{ code: 'TRUSTED', name: 'Trusted customers' }] },
  operatorList: {
    data: [
      {
        code: 'BANKA_VLTAVA',
        name: 'Banka Vltava',
        type: 'BANK',
        countryCode: 'CZ',
        currencyCodes: ['CZK'],
        availability: { payin: 'OPERATIONAL', payout: 'OPERATIONAL' },
      },
    ],
  },
  methodList: {
    data: [
      {
        ...method,
        code: 'BANK_TRANSFER',
        operations: ['PAYIN'],
        currencyCodes: ['EUR'],
        excludedSegmentCodes: [],
        fields: fields.map((field) => ({ ...field, operation: 'PAYIN' })),
        limits: [{ ...limit, operation: 'PAYIN' }],
      },
    ],
  },
  customerCreate: { ...person, segmentCode: 'TRUSTED' },
  customerPatch: { emailAddress: 'jana@example.org', phone: null },
  customer: { idCustomer: 'CUST-7781', ...person, segmentCode: 'TRUSTED', ...sinceMay },
  customerList: { data: [{ idCustomer: 'CUST-7781', ...person, ...sinceMay }], nextCursor: 'Q1VTVC03Nzgx' },
  customerPaymentList: {
    data: [
      {
        kind: 'PAYIN',
        id: 'ORD-2026-041',
        status: 'SUCCESS',
        money,
        paymentMethodCode: 'BANK_TRANSFER',
        createdAt: '2026-11-21T10:15:28.001Z',
      },
    ],
  },
  rateListList: { data: [{ ...rateList, currencyCodes: ['EUR', 'JPY', 'USD'], ...rateDates }] },
  rateSheet: { ...rateList, ...rateDates, source: 'ECB', rates: [usdRate] },
  conversion: {
    money,
    converted: { amount: 162.04, currencyCode: 'USD' },
    side: 'MID',
    rate: 1.081,
    rateListCode: 'ECB',
    ...rateDates,
    rates: [usdRate],
  },
  settlementRequest: { money: { amount: 500, currencyCode: 'EUR' } },
  settlement,
  settlementList: { data: [settlement] },
  settlementItemList: {
    data: [
      {
        type: 'PAYIN',
        idEntity: 'ORD-2026-041',
        money,
        fee: { amount: 0.25, currencyCode: 'EUR' },
        net: { amount: 149.65, currencyCode: 'EUR' },
        processedAt: '2026-11-19T10:16:02.417Z',
      },
    ],
  },
  settlementCsv:
    'type,idEntity,currencyCode,amount,fee,net,processedAt\r\nPAYIN,ORD-2026-041,EUR,149.9,0.25,149.65,2026-11-19T10:16:02.417Z\r\n',
} as const
