import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLossless } from '@tollgate/sdk'
import { areOptions, isPayin } from '../src/records.ts'
import { payinOf } from './fake-gateway.ts'

const read = (answer: unknown): unknown => parseLossless(JSON.stringify(answer))

const OPTION = {
  paymentMethodCode: 'PIX',
  name: 'PIX',
  paymentOperators: [],
  flow: 'QR',
  externalReference: 'NONE',
  fields: [],
  limits: [{ minAmount: 1, maxAmount: 500.5, currencyCode: 'BRL' }],
  fee: { amount: 1.25, currencyCode: 'BRL' },
}

test('what the gateway answers is read, and so are values and members that only a newer one knows', () => {
  assert(isPayin(read(payinOf('ORD-1'))))
  assert(isPayin(read(payinOf('ORD-1', { status: 'PARTLY', more: { mood: { is: 'good' } } }))))
  assert(areOptions(read({ data: [OPTION] })))
  assert(areOptions(read({ data: [{ ...OPTION, flow: 'VOICE' }], total: 1 })))
})

test('an answer that lacks a member, or has it in another type, is not believed', () => {
  assert(!isPayin(read(payinOf('ORD-1', { method: { reference: undefined } }))))
  assert(!isPayin(read(payinOf('ORD-1', { process: { isTest: 'yes' } }))))
  assert(!isPayin(read(payinOf('ORD-1', { more: { timeline: [{ status: 'SUCCESS' }] } }))))
  assert(!areOptions(read({ data: [{ ...OPTION, fee: { amount: '1.25', currencyCode: 978 } }] })))
  assert(!areOptions({ data: [{ ...OPTION, limits: [] }] }), 'an amount that went through a float')
})
