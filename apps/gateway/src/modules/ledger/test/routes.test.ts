import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BalanceListSchema, EXACT_NUMBER } from '@tollgate/contract'
import { Ajv } from 'ajv'
import { edge, TOKEN, VERSION } from '../../../http/test/http.ts'
import { NumberText, parseJson } from '../../../platform/json/index.ts'
import { balanceRoutes } from '../routes.ts'
import { createBalanceService } from '../service.ts'
import { entryOf, openRig } from './rig.ts'

const ajv = new Ajv({ allErrors: true, strict: false })
ajv.addKeyword({
  keyword: EXACT_NUMBER,
  validate: (_schema: unknown, value: unknown) => typeof value === 'number' || value instanceof NumberText,
})
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const validate = ajv.compile(BalanceListSchema)

test('balances are listed as the contract says, to the digit, and by either name of the parameter', async (t) => {
  const rig = await openRig(t)
  const { app, clock } = edge(t)
  balanceRoutes(app, createBalanceService(rig))
  const list = async (query: string): Promise<string> => {
    clock.advance(1_000)
    const answer = await app.inject({ url: `/balances${query}`, headers: { ...VERSION, ...TOKEN } })
    assert.equal(answer.statusCode, 200)
    const parsed = parseJson(answer.rawPayload)
    assert(parsed.ok)
    assert.equal(validate(parsed.value), true, ajv.errorsText(validate.errors))
    return answer.body.replaceAll(/"updatedAt":"[^"]+"/g, '"updatedAt":"…"')
  }
  assert.equal(await list(''), '{"data":[]}')
  await rig.book(
    entryOf({ currencyCode: 'ETH', gross: '1.000000000000000001', fee: '0' }),
    entryOf({ currencyCode: 'JPY', gross: '5000', fee: '50' }),
    entryOf({ currencyCode: 'USD', merchantId: '2' }),
  )
  await rig.sql(
    `update balances set available = 0.5, reserved = 0.25, receivable = -7 where currency_code = 'ETH'`,
  )
  const money = (amount: string, currencyCode: string) =>
    `{"amount":${amount},"currencyCode":"${currencyCode}"}`
  const eth =
    `{"currencyCode":"ETH","balance":${money('1.750000000000000001', 'ETH')},"available":${money('0.5', 'ETH')},` +
    `"notSettled":${money('1.000000000000000001', 'ETH')},"reserved":${money('0.25', 'ETH')},"updatedAt":"…"}`
  const jpy =
    `{"currencyCode":"JPY","balance":${money('4950', 'JPY')},"available":${money('0', 'JPY')},` +
    `"notSettled":${money('4950', 'JPY')},"reserved":${money('0', 'JPY')},"updatedAt":"…"}`
  assert.equal(await list(''), `{"data":[${eth},${jpy}]}`)
  for (const name of ['currencyCodes', 'currencies']) {
    assert.equal(await list(`?${name}=JPY`), `{"data":[${jpy}]}`)
    assert.equal(await list(`?${name}=USD,JPY,,xx,%27,ETH,JPY`), `{"data":[${eth},${jpy}]}`)
    assert.equal(await list(`?${name}=USD`), '{"data":[]}')
    assert.equal(await list(`?${name}=`), `{"data":[${eth},${jpy}]}`)
    assert.equal(await list(`?${name}=USD%00,JPY`), `{"data":[${jpy}]}`)
  }
  assert.equal(await list('?currencyCodes=ETH&currencies=JPY'), `{"data":[${eth},${jpy}]}`)
})
