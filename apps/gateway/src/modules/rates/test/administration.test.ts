import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateListProblem, type StoredSheet } from '../administration.ts'
import { amount } from './fixtures.ts'
import { csv, ecb, openRig, type Rig } from './rig.ts'

const problem = (kind: RateListProblem['kind'], says: RegExp) => (error: unknown) => {
  assert(error instanceof RateListProblem, String(error))
  assert.match(error.message, says)
  assert.equal(error.kind, kind)
  return true
}

/** `version source USD=mid …` of the sheet in force. */
async function inForce(rig: Rig, at: string): Promise<string> {
  const { sheet } = await rig.rates.show('HOUSE', new Date(at))
  if (sheet === undefined) return 'none'
  const rates = [...sheet.rates.values()].map(({ currencyCode, mid }) => `${currencyCode}=${mid}`)
  return [sheet.version, sheet.source, ...rates].join(' ')
}

const brief = (sheets: readonly StoredSheet[]): readonly string[] =>
  sheets.map(({ version, validFrom, isNew }) => `${version} ${validFrom.toISOString().slice(0, 10)} ${isNew}`)

test('a list is made once, with a code, a name and a base currency that can be', async (t) => {
  const { rates } = await openRig(t)
  const wish = { code: 'HOUSE', name: ' Our own ', baseCurrencyCode: 'EUR', staleAfterDays: 4 }
  const made = await rates.create(wish)
  assert.deepEqual([made.name, made.staleAfterSeconds, made.isEnabled], ['Our own', 345_600, true])
  await assert.rejects(rates.create(wish), problem('CONFLICT', /^The code HOUSE is taken/))
  await assert.rejects(rates.create({ ...wish, code: 'a b' }), problem('INVALID', /code/))
  await assert.rejects(rates.create({ ...wish, code: 'X', name: ' ' }), problem('INVALID', /name/))
  await assert.rejects(
    rates.create({ ...wish, code: 'X', baseCurrencyCode: 'E' }),
    problem('INVALID', /base/),
  )
  await assert.rejects(rates.show('NONE', new Date()), problem('NOT_FOUND', /There is no rate list NONE/))
  await assert.rejects(rates.setEnabled('NONE', true), problem('NOT_FOUND', /NONE/))
})

test('a sheet is in force from its date until the next one, and a correction goes before what it corrects', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  await rig.importRows('2026-11-20', 'USD,1,0.90,0.92')
  await rig.importRows('2026-11-10', 'USD,1,0.80,0.82')
  await rig.importRows('2026-11-20', 'USD,1,0.91,0.93')
  await rig.importRows('2026-11-25T09:30:00Z', 'USD,1,0.95,0.97')
  assert.equal(await inForce(rig, '2026-11-09T23:59:59.999Z'), 'none')
  assert.equal(await inForce(rig, '2026-11-10'), '2 CSV USD=0.81')
  assert.equal(await inForce(rig, '2026-11-20'), '3 CSV USD=0.92')
  assert.equal(await inForce(rig, '2026-11-25T09:29:59.999Z'), '3 CSV USD=0.92')
  assert.equal(await inForce(rig, '2026-11-25T09:30:00Z'), '4 CSV USD=0.96')
  const first = await rig.service.find('HOUSE', { version: 1 })
  assert.deepEqual(
    [first.sheet.supersededByVersion, first.sheet.validTo?.toISOString(), first.sheet.rates.get('USD')?.buy],
    [3, '2026-11-25T09:30:00.000Z', amount('0.9')],
  )
})

test('what a list has had already is not stored again, unless that is asked for', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  const bytes = csv('USD,1,0.90,0.92', 'JPY,100,0.6,0.62')
  const request = { format: 'CSV', bytes, validFrom: '2026-11-20' } as const
  const first = await rig.rates.importFile('HOUSE', request)
  const other = { ...request, bytes: csv('JPY,100,0.60,0.620', 'USD,1,0.9,0.920') }
  rig.clock.advance(1_000)
  const again = await rig.rates.importFile('HOUSE', other)
  assert.deepEqual([...brief(first), ...brief(again)], ['1 2026-11-20 true', '1 2026-11-20 false'])
  // The same file, read by a machine every hour, must not undo a correction by hand.
  await rig.rates.setRate('HOUSE', { currencyCode: 'USD', mid: '0.95', validFrom: '2026-11-20' })
  assert.deepEqual(brief(await rig.rates.importFile('HOUSE', request)), ['1 2026-11-20 false'])
  assert.equal(await inForce(rig, '2026-11-21'), '2 MANUAL JPY=0.61 USD=0.95')
  await rig.rates.importFile('HOUSE', { ...request, isAgain: true })
  assert.equal(await inForce(rig, '2026-11-21'), '3 CSV JPY=0.61 USD=0.91')
})

test('two imports at the same time store two versions, or one sheet', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  const imports = ['0.90', '0.91', '0.90', '0.91'].map((buy) =>
    rig.importRows('2026-11-20', `USD,1,${buy},0.92`),
  )
  const versions = (await Promise.all(imports)).map(({ version }) => version)
  assert.deepEqual([versions[0], versions[1]], [versions[2], versions[3]])
  assert.deepEqual(versions.slice(0, 2).toSorted(), [1, 2])
})

test('a file of several days gives several sheets, each dated and aged by its day', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  const bytes = ecb('2026-11-20 USD 1.0810 JPY 163.12', '2026-11-19 USD 1.0799 JPY 163')
  const stored = await rig.rates.importFile('HOUSE', { format: 'ECB', bytes })
  assert.deepEqual(brief(stored), ['1 2026-11-19 true', '2 2026-11-20 true'])
  const more = ecb('2026-11-21 USD 1.09', '2026-11-20 USD 1.0810 JPY 163.12', '2026-11-19 USD 1.0799 JPY 163')
  assert.deepEqual(brief(await rig.rates.importFile('HOUSE', { format: 'ECB', bytes: more })), [
    '1 2026-11-19 false',
    '2 2026-11-20 false',
    '3 2026-11-21 true',
  ])
  const { sheet } = await rig.rates.show('HOUSE', new Date('2026-11-20'))
  assert.deepEqual(
    [sheet?.source, sheet?.publishedAt.toISOString(), sheet?.rates.get('USD')?.quotation],
    ['ECB', '2026-11-20T00:00:00.000Z', 'INDIRECT'],
  )
})

test('one bad row, and nothing of a file is stored', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  const bytes = ecb('2026-11-19 USD 1.08', '2026-11-20 USD x GBP 0')
  await assert.rejects(rig.rates.importFile('HOUSE', { format: 'ECB', bytes }), (error: unknown) => {
    assert(error instanceof RateListProblem)
    assert.equal(error.message, 'Nothing was stored: there are 2 faults in the file.')
    assert.equal(error.faults.length, 2)
    return true
  })
  const future = ecb('2026-11-19 USD 1.08', '2026-11-22 USD 1.08')
  await assert.rejects(
    rig.rates.importFile('HOUSE', { format: 'ECB', bytes: future }),
    problem('INVALID', /published in the future/),
  )
  assert.deepEqual(await rig.sql('select * from rate_sheets'), [])
})

test('what the file and the operator say of the dates must agree, and one of them must say it', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  const bytes = csv('USD,1,0.9,0.92')
  const refused = (given: object, says: RegExp) =>
    assert.rejects(
      rig.rates.importFile('HOUSE', { format: 'CSV', bytes, ...given }),
      problem('INVALID', says),
    )
  await refused({}, /validFrom/)
  await refused({ validFrom: 'soon' }, /^validFrom must be a day/)
  await refused({ validFrom: '2026-02-29' }, /^validFrom must be a day/)
  await refused({ validFrom: '2026-11-20', publishedAt: '2026-11-21T12:00:01Z' }, /in the future/)
  await refused(
    { format: 'ECB', bytes: ecb('2026-11-20 USD 1'), validFrom: '2026-11-21' },
    /leave validFrom out/,
  )
  const sheet = Buffer.from('{"validFrom":"2026-11-20","rates":[{"currencyCode":"USD","mid":0.9}]}')
  await refused({ format: 'JSON', bytes: sheet, validFrom: '2026-11-21' }, /leave validFrom out/)
  await refused({ bytes: Buffer.from([0xff]) }, /one fault/)
  await assert.rejects(
    rig.rates.importFile('NONE', { format: 'CSV', bytes, validFrom: '2026-11-20' }),
    problem('NOT_FOUND', /NONE/),
  )
  await rig.rates.create({ code: 'DOLLAR', name: 'D', baseCurrencyCode: 'USD', staleAfterDays: undefined })
  await assert.rejects(
    rig.rates.importFile('DOLLAR', { format: 'ECB', bytes: ecb('2026-11-20 GBP 1') }),
    (error: unknown) =>
      error instanceof RateListProblem && /is EUR; that of DOLLAR is USD/.test(error.faults[0] ?? ''),
  )
  const [stored] = await rig.rates.importFile('HOUSE', { format: 'JSON', bytes: sheet })
  assert.equal(stored?.publishedAt.toISOString(), '2026-11-21T12:00:00.000Z')
})

test('a rate set by hand keeps the other rows, and how old they are', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  await rig.rates.setRate('HOUSE', { currencyCode: 'USD', mid: '0.9' })
  assert.equal(await inForce(rig, '2026-11-22'), '1 MANUAL USD=0.9')
  rig.clock.advance(60_000)
  await rig.rates.setRate('HOUSE', { currencyCode: 'USD', buy: '0.91', sell: '0.93' })
  const alone = await rig.rates.show('HOUSE', new Date('2026-11-22'))
  assert.equal(alone.sheet?.publishedAt.toISOString(), '2026-11-21T12:01:00.000Z', 'all of it is new')
  rig.clock.advance(60_000)
  const bytes = ecb('2026-11-19 JPY 163.12 CZK 25')
  await rig.rates.importFile('HOUSE', { format: 'ECB', bytes })
  const validFrom = '2026-11-20'
  const stored = await rig.rates.setRate('HOUSE', { currencyCode: 'JPY', mid: '160', validFrom })
  assert.deepEqual(
    stored.rates.map(
      ({ currencyCode, quotation, unit, mid }) => `${currencyCode} ${quotation} ${unit} ${mid}`,
    ),
    ['CZK INDIRECT 1 25', 'JPY INDIRECT 1 160'],
  )
  assert.equal(stored.publishedAt.toISOString(), '2026-11-19T00:00:00.000Z')
  const direct = await rig.rates.setRate('HOUSE', {
    currencyCode: 'JPY',
    quotation: 'DIRECT',
    unit: 100,
    mid: '0.61',
    validFrom,
  })
  assert.equal(direct.rates.find(({ currencyCode }) => currencyCode === 'JPY')?.unit, 100)
  await assert.rejects(
    rig.rates.setRate('HOUSE', { currencyCode: 'EUR', mid: '1' }),
    problem('INVALID', /^Nothing was stored: EUR: currencyCode: EUR is the base/),
  )
  await assert.rejects(
    rig.rates.setRate('NONE', { currencyCode: 'USD', mid: '1' }),
    problem('NOT_FOUND', /NONE/),
  )
})

test('the database refuses to change a sheet, to add to it, and to quote a list in another currency', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  await rig.importRows('2026-11-20', 'USD,1,0.9,0.92')
  for (const text of [
    'update rate_rows set buy = 1',
    'delete from rate_rows',
    'truncate rate_rows',
    'update rate_sheets set valid_from = now()',
    'delete from rate_sheets',
    'truncate rate_sheets, rate_rows',
    `update rate_lists set base_currency_code = 'USD'`,
    `update rate_lists set rate_list_code = 'OTHER'`,
  ])
    await assert.rejects(rig.sql(text), /append-only/, text)
  const row = (rest: string): string =>
    `insert into rate_rows (rate_list_code, version, currency_code, quotation, unit, buy, mid, sell) values ('HOUSE', 1, ${rest})`
  await assert.rejects(
    rig.sql(row(`'JPY', 'DIRECT', 100, 0.6, 0.6, 0.6`)),
    /has 2 rows, but 1 were announced/,
  )
  await assert.rejects(rig.sql(row(`'JPY', 'DIRECT', 100, 0.7, 0.65, 0.6`)), /check/)
  await assert.rejects(rig.sql(row(`'JPY', 'INDIRECT', 100, 0.6, 0.65, 0.7`)), /check/)
  await assert.rejects(rig.sql(row(`'JPY', 'DIRECT', 100, 0, 0, 0`)), /check/)
  await assert.rejects(rig.sql(row(`'JPY', 'DIRECT', 100, 'NaN', 'NaN', 'NaN'`)), /check/)
  await rig.sql(`update rate_lists set name = 'New name'`)
})
