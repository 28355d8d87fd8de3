import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { referenceFormsOf } from '@tollgate/payment-codes'
import type { RailPayment } from '../../rail.ts'
import { createBankTransferRail, type TransferAccount } from '../index.ts'
import { crcOf, isMod97, readEmv, readEpc, readSpayd, readSwiss } from './decoders.ts'

const REFERENCE = 'K7Q2M9XWT4BA'
const FORMS = referenceFormsOf(REFERENCE)
assert.ok(FORMS)
const HOLDER = { holder: 'Café Zürich GmbH', bankName: 'Bank' }
const ADDRESS = {
  street: 'Bahnhofstrasse',
  buildingNumber: '1',
  postalCode: '8001',
  town: 'Zürich',
  countryCode: 'CH',
}

const ACCOUNTS: readonly TransferAccount[] = [
  {
    currencyCode: 'EUR',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    payoutFormat: 'x',
    ...HOLDER,
    address: {},
  },
  { currencyCode: 'CZK', iban: 'CZ6508000000192000145399', bankCode: '0800', ...HOLDER, address: {} },
  { currencyCode: 'CHF', iban: 'CH9300762011623852957', bic: 'ABCDCHZZ', ...HOLDER, address: ADDRESS },
  {
    currencyCode: 'INR',
    accountNumber: '00123456',
    bankCode: 'ABCD0000001',
    upiAddress: 'shop@bank',
    ...HOLDER,
    address: {},
  },
  {
    currencyCode: 'BRL',
    accountNumber: '123',
    bankCode: '001',
    pixKey: 'shop@shop.example',
    ...HOLDER,
    address: ADDRESS,
  },
  {
    currencyCode: 'BTC',
    bitcoinAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ...HOLDER,
    address: {},
  },
  {
    currencyCode: 'USD',
    accountNumber: '456',
    bankCode: '999999992',
    payoutFormat: 'x',
    ...HOLDER,
    address: {},
  },
]
const byCurrency = new Map(ACCOUNTS.map((account) => [account.currencyCode, account]))
const rail = createBankTransferRail({ accountFor: (currencyCode) => byCurrency.get(currencyCode) })

function paymentOf(amount: string, currencyCode: string, given: Partial<RailPayment> = {}): RailPayment {
  return {
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    merchantCode: 'DEMO',
    reference: REFERENCE,
    money: { amount: parsePlainAmount(amount), currencyCode },
    methodCode: 'BANK_TRANSFER',
    operatorCode: undefined,
    customer: {},
    returnUrl: undefined,
    ...given,
  }
}

function instructionsOf(amount: string, currencyCode: string) {
  const plan = rail.plan(paymentOf(amount, currencyCode))
  assert.equal(plan.startsAtOnce, false)
  return plan.instructions
}

test('in EUR the account is an IBAN, the reference a creditor reference, and the code an EPC code that says the same', () => {
  const { account, reference, qr } = instructionsOf('149.9', 'EUR')
  assert.deepEqual(account, {
    accountName: 'Café Zürich GmbH',
    accountNumber: 'DE89370400440532013000',
    bankCode: 'COBADEFFXXX',
    bankName: 'Bank',
  })
  assert.equal(reference, FORMS.creditorReference)
  assert.ok(isMod97(reference))
  assert.equal(qr?.format, 'EPC069-12')
  assert.deepEqual(readEpc(qr.content), {
    bic: 'COBADEFFXXX',
    name: 'Café Zürich GmbH',
    iban: 'DE89370400440532013000',
    currency: 'EUR',
    amount: '149.9',
    purpose: '',
    reference,
    text: undefined,
  })
})

test('in CZK the reference is a variable symbol, and the code carries the specific symbol and our reference as well', () => {
  const { account, reference, qr } = instructionsOf('2500', 'CZK')
  assert.equal(account?.bankCode, '0800')
  assert.equal(reference, FORMS.variableSymbol)
  assert.equal(qr?.format, 'SPAYD')
  assert.deepEqual(
    readSpayd(qr.content),
    new Map([
      ['ACC', 'CZ6508000000192000145399'],
      ['AM', '2500'],
      ['CC', 'CZK'],
      ['RN', 'Café Zürich GmbH'],
      ['X-VS', FORMS.variableSymbol],
      ['X-SS', FORMS.specificSymbol],
      ['MSG', REFERENCE],
    ]),
  )
})

test('in CHF the code is a Swiss one with the holder’s address; without an address there is none', () => {
  const { reference, qr } = instructionsOf('99.5', 'CHF')
  assert.equal(qr?.format, 'SWISS_QR')
  assert.deepEqual(readSwiss(qr.content), {
    iban: 'CH9300762011623852957',
    name: 'Café Zürich GmbH',
    street: 'Bahnhofstrasse',
    number: '1',
    postalCode: '8001',
    town: 'Zürich',
    country: 'CH',
    amount: '99.50',
    currency: 'CHF',
    referenceType: 'SCOR',
    reference,
    message: '',
  })
  const bare: TransferAccount = {
    ...HOLDER,
    currencyCode: 'CHF',
    iban: 'CH9300762011623852957',
    bic: 'ABCDCHZZ',
    address: {},
  }
  const other = createBankTransferRail({ accountFor: () => bare })
  assert.equal(other.plan(paymentOf('1', 'CHF')).instructions.qr, undefined)
})

test('in INR and BTC the code is a link that apps open', () => {
  const upi = instructionsOf('10.5', 'INR')
  const link = new URL(upi.qr?.content ?? '')
  assert.equal(`${link.protocol}//${link.host}`, 'upi://pay')
  assert.deepEqual(Object.fromEntries(link.searchParams), {
    pa: 'shop@bank',
    pn: 'Café Zürich GmbH',
    tr: REFERENCE,
    am: '10.5',
    cu: 'INR',
  })
  assert.deepEqual(upi.deepLinks, [upi.qr?.content])
  assert.deepEqual([upi.account?.accountNumber, upi.account?.bankCode], ['00123456', 'ABCD0000001'])
  const coin = instructionsOf('0.00000001', 'BTC')
  const [address, query] = (coin.qr?.content ?? '').split('?')
  assert.equal(address, 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  assert.deepEqual(Object.fromEntries(new URLSearchParams(query)), {
    amount: '0.00000001',
    label: 'Café Zürich GmbH',
    message: REFERENCE,
  })
  assert.equal(coin.account?.accountNumber, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
})

test('in BRL the code is a PIX BR Code whose checksum is right', () => {
  const { qr } = instructionsOf('123.45', 'BRL')
  assert.equal(qr?.format, 'PIX')
  const members = readEmv(qr.content)
  assert.deepEqual(
    readEmv(members.get('26') ?? ''),
    new Map([
      ['00', 'br.gov.bcb.pix'],
      ['01', 'shop@shop.example'],
    ]),
  )
  assert.deepEqual(
    ['00', '53', '54', '58', '59', '60'].map((id) => members.get(id)),
    ['01', '986', '123.45', 'BR', 'Cafe Zurich GmbH', 'Zurich'],
  )
  assert.equal(readEmv(members.get('62') ?? '').get('05'), REFERENCE)
  assert.equal(members.get('63'), crcOf(qr.content.slice(0, -4)))
})

test('elsewhere account and reference are enough, and so they are for an amount that no code can carry', () => {
  assert.deepEqual(instructionsOf('12', 'USD'), {
    account: {
      accountName: 'Café Zürich GmbH',
      accountNumber: '456',
      bankCode: '999999992',
      bankName: 'Bank',
    },
  })
  assert.equal(instructionsOf('1000000000', 'EUR').qr, undefined)
  assert.ok(instructionsOf('1000000000', 'EUR').reference)
})

test('without an account for the currency nothing is offered, and the sentence says why', () => {
  const asked = { kind: 'PAYIN', methodCode: 'BANK_TRANSFER', customer: undefined } as const
  const objection = rail.objectTo?.({ ...asked, money: paymentOf('1', 'KWD').money })
  assert.equal(objection?.code, 'CHANNEL_UNAVAILABLE')
  assert.match(objection.message, /not available in KWD now: the gateway has no bank account/)
  assert.equal(rail.objectTo?.({ ...asked, money: paymentOf('1', 'EUR').money }), undefined)
  assert.throws(() => rail.plan(paymentOf('1', 'KWD')), /without an account/)
})

test('a payout needs an account that pays by files, and a beneficiary that a file can name', () => {
  const objection = (currencyCode: string, customer: RailPayment['customer'] | undefined) =>
    rail.objectTo?.({
      kind: 'PAYOUT',
      methodCode: 'BANK_TRANSFER',
      customer,
      money: paymentOf('1', currencyCode).money,
    })
  assert.match(objection('CZK', undefined)?.message ?? '', /no payments leave/)
  assert.equal(objection('EUR', undefined), undefined)
  assert.equal(objection('EUR', { accountNumber: 'nl91 abna 0417 1643 00' }), undefined)
  assert.deepEqual(objection('EUR', { accountNumber: '123456', bankCode: '1' }), {
    code: 'ACCOUNT_INVALID',
    message:
      'A payout in EUR goes to an IBAN. IBAN must begin with the two letters of its country and two check digits.',
  })
  assert.equal(objection('EUR', { accountNumber: 'NL92ABNA0417164300' })?.code, 'ACCOUNT_INVALID')
  assert.equal(objection('USD', { accountNumber: '123456', bankCode: '021000021' }), undefined)
  assert.equal(objection('USD', { accountNumber: '123456' })?.code, 'ACCOUNT_INVALID')
})

test('nobody is asked about money: statements and reports say what became of it', async () => {
  const never = new AbortController().signal
  const progress = { ageSeconds: 1e9, externalReference: 'X', isPaid: false }
  const waiting = { kind: 'WAITING', askAgainSeconds: undefined }
  assert.deepEqual(await rail.advance(paymentOf('1', 'EUR'), progress, never), waiting)
  const payout = paymentOf('1', 'EUR', { kind: 'PAYOUT' })
  assert.deepEqual(rail.plan(payout), { instructions: {}, startsAtOnce: false })
  assert.deepEqual(await rail.submit(payout, never), waiting)
  assert.deepEqual(await rail.inquire(payout, progress, never), waiting)
  assert.equal(rail.capabilities.handsOverByFile, true)
})
