import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import type { PaymentKind } from '../../payments/index.ts'
import { EARLY_SECONDS_MAX, type Found, judgeNotice, type Notice, retryAfterSeconds } from '../model.ts'

const euros = (text: string) => ({ amount: parsePlainAmount(text), currencyCode: 'EUR' })

const notice = (given: Partial<Notice> = {}): Notice => ({
  kind: 'NOTICE',
  idNotification: 'N-1',
  reference: 'REF',
  merchantCode: 'SHOP',
  direction: 'PAYIN',
  money: euros('25'),
  report: { kind: 'SUCCEEDED', received: euros('25') },
  ...given,
})

function found(kind: PaymentKind = 'PAYIN', status: Found['payment']['status'] = 'CREATED'): Found {
  return {
    merchantCode: 'SHOP',
    payment: {
      merchantId: '1',
      kind,
      idPayment: 'ORD-1',
      status,
      processorStatus: 'AWAITING_CUSTOMER',
      money: euros('25'),
      fee: euros('0'),
      feeConversion: undefined,
      received: undefined,
      idCustomer: undefined,
      methodCode: 'ONLINE_BANKING',
      operatorCode: undefined,
      segmentCode: undefined,
      rail: 'bank',
      reference: 'REF',
      instructions: {},
      externalReference: undefined,
      callbackUrl: undefined,
      returnUrl: undefined,
      failure: undefined,
      isTest: true,
      requestDigest: Buffer.alloc(0),
      timelineCount: 1,
      createdAt: new Date(0),
      expireAt: new Date(0),
      processedAt: undefined,
      submittedAt: undefined,
      beneficiaryDigest: undefined,
      isDue: false,
      ageSeconds: 1,
    },
  }
}

const reasonOf = (given: Partial<Notice>, payment = found()): string => {
  const judgement = judgeNotice('bank', notice(given), payment)
  return 'reason' in judgement ? `${judgement.kind} ${judgement.reason}` : judgement.kind
}

test('a notice that fits its payment in everything is put forward', () => {
  assert.equal(reasonOf({}), 'PROPOSE')
  assert.equal(reasonOf({ direction: 'TOPUP' }, found('TOPUP')), 'PROPOSE')
  // Paying out a merchant's own money is a payout to an institution.
  assert.equal(reasonOf({ direction: 'PAYOUT' }, found('SETTLEMENT')), 'PROPOSE')
  assert.equal(
    reasonOf({ report: { kind: 'RETURNED', code: 'X', message: 'x' } }, found('PAYIN', 'SUCCESS')),
    'PROPOSE',
  )
})

test('a notice of a payment whose merchant is in another cell is kept for people, who hear which one', () => {
  assert.deepEqual(judgeNotice('bank', notice(), { ...found(), cell: 'C' }), {
    kind: 'QUARANTINE',
    reason: 'REFERENCE_UNKNOWN',
    detail: 'its merchant is in cell C: have the institution send it there',
    needsReview: false,
  })
})

test('whatever differs is quarantined, and what is foreign before what is wrong', () => {
  assert.equal(judgeNotice('other', notice(), found()).kind, 'QUARANTINE')
  assert.equal(reasonOf({ merchantCode: 'RIVAL' }), 'QUARANTINE MERCHANT_DIFFERS')
  assert.equal(reasonOf({ merchantCode: 'shop' }), 'QUARANTINE MERCHANT_DIFFERS')
  assert.equal(reasonOf({ direction: 'PAYOUT' }), 'QUARANTINE DIRECTION_DIFFERS')
  assert.equal(reasonOf({ money: euros('24.99') }), 'QUARANTINE MONEY_DIFFERS')
  assert.equal(reasonOf({ money: { ...euros('25'), currencyCode: 'USD' } }), 'QUARANTINE MONEY_DIFFERS')
  assert.equal(
    reasonOf({ report: { kind: 'SUCCEEDED', received: euros('25.01') } }),
    'QUARANTINE MONEY_DIFFERS',
  )
  assert.equal(reasonOf({ merchantCode: 'RIVAL', money: euros('1') }), 'QUARANTINE MERCHANT_DIFFERS')
})

test('people look at the payment only where the institution says that other money moved for it', () => {
  const needsReview = (given: Partial<Notice>, payment = found()): boolean => {
    const judgement = judgeNotice('bank', notice(given), payment)
    return judgement.kind === 'QUARANTINE' && judgement.needsReview
  }
  const other = { report: { kind: 'SUCCEEDED', received: euros('1') } } as const
  assert.equal(needsReview(other), true)
  assert.equal(needsReview(other, found('PAYIN', 'EXPIRED')), true)
  assert.equal(needsReview(other, found('PAYIN', 'SUCCESS')), false)
  assert.equal(needsReview({ money: euros('1') }), false)
  assert.equal(needsReview({ ...other, merchantCode: 'RIVAL' }), false)
})

test('what is ahead of its payment, or of the money that it says came back, is looked at again', () => {
  const early = judgeNotice('bank', notice(), undefined)
  assert.deepEqual(early.kind === 'EARLY' && early.reason, 'REFERENCE_UNKNOWN')
  assert.equal(reasonOf({ report: { kind: 'RETURNED', code: 'X', message: 'x' } }), 'EARLY CONTRADICTS')
  assert.equal(reasonOf({ report: { kind: 'WAITING', askAgainSeconds: 5 } }), 'NO_NEWS')
})

test('waiting ends after a minute, and no pause reaches beyond it', () => {
  let ageSeconds = 0
  let looks = 0
  for (;;) {
    const pause = retryAfterSeconds(ageSeconds)
    if (pause === undefined) break
    assert.ok(pause > 0)
    ageSeconds += pause
    looks += 1
    assert.ok(looks < 50)
  }
  assert.equal(ageSeconds, EARLY_SECONDS_MAX)
})
