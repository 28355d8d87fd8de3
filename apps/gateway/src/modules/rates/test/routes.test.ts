import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edge, TOKEN, VERSION } from '../../../http/test/http.ts'
import { testLog } from '../../../platform/test/index.ts'
import { rateRoutes } from '../routes.ts'
import { createRateService } from '../service.ts'
import { openRig } from './rig.ts'

test('rates and money are written with every digit, and what is not there is left out', async (t) => {
  const rig = await openRig(t)
  const { app, clock } = edge(t)
  const service = createRateService({ ...rig, clock, log: testLog().log, minorUnitsOf: () => 18 })
  rateRoutes(app, service)
  await rig.rates.create({ code: 'EMPTY', name: 'Empty', baseCurrencyCode: 'EUR', staleAfterDays: undefined })
  await rig.createHouse()
  await rig.importRows('2026-11-20', 'USD,1,0.900000000000000001,0.92', 'JPY,100,0.6,0.62')
  await service.start()
  const ask = async (url: string, body?: string): Promise<string> => {
    clock.advance(1_000)
    const headers = {
      ...VERSION,
      ...TOKEN,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const answer = await app.inject({
      method: body === undefined ? 'GET' : 'POST',
      url,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.body
  }
  const dates = (ageSeconds: number): string =>
    `"version":1,"validFrom":"2026-11-20T00:00:00.000Z","publishedAt":"2026-11-21T12:00:00.000Z","ageSeconds":${ageSeconds},"isStale":false`
  const head = '"code":"HOUSE","name":"Our own","baseCurrencyCode":"EUR","staleAfterSeconds":345600'
  assert.equal(
    await ask('/rate-lists'),
    '{"data":[{"code":"EMPTY","name":"Empty","baseCurrencyCode":"EUR","currencyCodes":["EUR"]},' +
      `{${head},"currencyCodes":["EUR","JPY","USD"],${dates(1)}}]}`,
  )
  const usd =
    '{"currencyCode":"USD","quotation":"DIRECT","unit":1,"buy":0.900000000000000001,"sell":0.92,"mid":0.9100000000000000005}'
  const jpy = '{"currencyCode":"JPY","quotation":"DIRECT","unit":100,"buy":0.6,"sell":0.62,"mid":0.61}'
  assert.equal(await ask('/rate-lists/HOUSE'), `{${head},${dates(2)},"source":"CSV","rates":[${jpy},${usd}]}`)
  assert.equal(
    await ask(
      '/rate-lists/HOUSE/!convert',
      '{"money":{"amount":1.000000000000000001,"currencyCode":"USD"},"targetCurrencyCode":"EUR","side":"BUY"}',
    ),
    '{"money":{"amount":1.000000000000000001,"currencyCode":"USD"},"converted":{"amount":0.900000000000000002,"currencyCode":"EUR"},' +
      `"side":"BUY","rate":0.900000000000000001,"rateListCode":"HOUSE",${dates(3)},"rates":[${usd}]}`,
  )
})
