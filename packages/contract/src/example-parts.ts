// What several examples share: one shop, one customer, the same payments everywhere.

export const money = { amount: 149.9, currencyCode: 'EUR' }
export const paymentRequested = { money, segmentCode: 'TRUSTED' }
export const paymentMethodResponse = {
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
export const succeeded = {
  status: 'SUCCESS',
  processorStatus: 'CONFIRMED',
  createdAt: '2026-11-21T10:15:28.001Z',
  processedAt: '2026-11-21T10:16:02.417Z',
  isTest: true,
}
export const topUpMoney = { amount: 500, currencyCode: 'EUR' }
const { returnUrl: _returnUrl, idPayin: _idPayin, ...topUpInstructions } = paymentMethodResponse
export const topUpResponse = { idTopUp: 'TOP-2026-007', ...topUpInstructions, money: topUpMoney }
export const payoutMoney = { amount: 250, currencyCode: 'EUR' }
export const payoutFee = { amount: 0.5, currencyCode: 'EUR' }
export const payoutResponse = {
  idPayout: 'OUT-2026-007',
  paymentMethodCode: 'BANK_TRANSFER',
  money: payoutMoney,
  expireAt: '2026-11-24T10:15:28.001Z',
  reference: 'M3TQ8ZKD0VRA',
  acceptedAt: '2026-11-21T10:15:28.001Z',
}
export const refundMoney = { amount: 49.9, currencyCode: 'EUR' }
export const refundResponse = {
  idPayin: 'ORD-2026-041',
  idRefund: 'R-1',
  idPayout: 'refund_H1bNq0cT5rWm3kXw8vY2uZ7aLd9eFf6gJj4iKoPpQsU',
  paymentMethodCode: 'BANK_TRANSFER',
  money: refundMoney,
  expireAt: '2026-11-24T10:15:28.001Z',
  reference: 'H5WQ2N9KTE0C',
  acceptedAt: '2026-11-21T10:15:28.001Z',
}
export const reviewed = {
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
export const fields = [{ name: 'accountName', required: false, maxLength: 140 }]
export const limit = { minAmount: 1, maxAmount: 100000, currencyCode: 'EUR' }
export const method = {
  paymentMethodCode: 'BANK_TRANSFER',
  name: 'Bank transfer',
  flow: 'INSTRUCTIONS',
  externalReference: 'NONE',
  paymentOperators: [],
}
export const person = {
  name: 'Jana Nováková',
  emailAddress: 'jana@example.com',
  phone: '+420 601 234 567',
  countryCode: 'CZ',
  accounts: [{ accountName: 'Jana Nováková', accountNumber: 'XS00TEST0000000001', bankCode: 'TESTXS00' }],
}
export const sinceMay = { status: 'ACTIVE', createdAt: '2026-05-04T08:00:12.345Z' }

export const rateList = {
  code: 'ECB',
  name: 'European Central Bank, reference rates',
  baseCurrencyCode: 'EUR',
  staleAfterSeconds: 345600,
}
export const rateDates = {
  version: 2,
  validFrom: '2026-11-20T00:00:00.000Z',
  publishedAt: '2026-11-20T00:00:00.000Z',
  ageSeconds: 123328,
  isStale: false,
}
export const usdRate = {
  currencyCode: 'USD',
  quotation: 'INDIRECT',
  unit: 1,
  buy: 1.081,
  sell: 1.081,
  mid: 1.081,
}

export const settlement = {
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
