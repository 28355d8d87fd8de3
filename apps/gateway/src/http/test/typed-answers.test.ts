import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, BalanceListSchema, noContent, PayinAcceptedSchema } from '@tollgate/contract'
import { parsePlainAmount, rawAmount } from '@tollgate/money'
import { edge, TOKEN, VERSION } from './http.ts'

const DIGITS = '1.000000000000000001'
const MONEY = { amount: rawAmount(parsePlainAmount(DIGITS)), currencyCode: 'ETH' }
const BALANCE = {
  currencyCode: 'ETH',
  balance: MONEY,
  available: MONEY,
  notSettled: MONEY,
  reserved: MONEY,
  updatedAt: '2026-11-21T10:15:30.123Z',
}
const LIST = { schema: { response: answers({ 200: BalanceListSchema }, 400) } }
const CREATE = { schema: { response: answers({ 201: PayinAcceptedSchema, 204: noContent('Done.') }, 400) } }

test('an answer by its schema has every digit of its amounts', async (t) => {
  const { app } = edge(t)
  app.get('/list', LIST, async () => ({ data: [BALANCE] as const }))
  const answer = await app.inject({ url: '/list', headers: { ...TOKEN, ...VERSION } })
  assert.ok(answer.body.includes(`"available":{"amount":${DIGITS},"currencyCode":"ETH"}`), answer.body)
})

// No request is sent: what must not compile is marked, and the mark itself is an error where it does compile.
test('an answer that is not by its schema does not compile', (t) => {
  const { app } = edge(t)
  // @ts-expect-error A member is missing.
  app.get('/missing', LIST, async () => ({ data: [{ ...BALANCE, reserved: undefined }] }))
  // @ts-expect-error An amount is a number, which cannot hold all digits.
  app.get('/float', LIST, async () => ({ data: [{ ...BALANCE, reserved: { ...MONEY, amount: 1.5 } }] }))
  // @ts-expect-error An amount is a text, which is no number on the wire.
  app.get('/text', LIST, async () => ({ data: [{ ...BALANCE, reserved: { ...MONEY, amount: '1.5' } }] }))
  // @ts-expect-error Nobody knows what a record has in it.
  app.get('/record', LIST, async (): Promise<Record<string, unknown>> => ({ data: [BALANCE] }))
  // @ts-expect-error Errors are thrown, and not answered.
  app.get('/error', LIST, async (_request, reply) => reply.code(400).send({ code: 'BODY_INVALID' }))
  // @ts-expect-error The answer of one status is not that of another.
  app.post('/status', CREATE, async (_request, reply) => reply.code(201).send())
  // @ts-expect-error A status that the route does not have.
  app.post('/other', CREATE, async (_request, reply) => reply.code(202).send())
})
