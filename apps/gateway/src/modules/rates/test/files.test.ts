import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { A_MOMENT } from '../../../platform/moments.ts'
import { readCsv } from '../csv.ts'
import type { Reading, SheetDraft } from '../draft.ts'
import { readEcb } from '../ecb.ts'
import { readJson } from '../json.ts'
import { list } from './fixtures.ts'
import { ecb } from './rig.ts'

type Sheets = Reading<readonly SheetDraft[]>

const HOUSE = list([])
const faultsOf = (reading: Sheets): readonly string[] => (reading.ok ? [] : reading.faults)
const csv = (text: string): Sheets => readCsv(text, 'EUR')
const json = (text: string): Sheets => readJson(Buffer.from(text), HOUSE)
const xml = (text: string): Sheets => readEcb(text)

/** Rows as `USD DIRECT 1 buy mid sell`. */
function rowsOf(reading: Sheets, sheet = 0): readonly string[] {
  assert(reading.ok, JSON.stringify(faultsOf(reading)))
  const rates = reading.value[sheet]?.rates ?? []
  return rates.map((rate) =>
    [rate.currencyCode, rate.quotation, rate.unit, rate.buy, rate.mid, rate.sell].join(' '),
  )
}

// CSV

test('a CSV is read with its columns in any order, with or without what can be left out', () => {
  assert.deepEqual(rowsOf(csv('currencyCode,unit,buy,sell,mid\nUSD,1,0.90,0.95,0.92\nJPY,100,,,0.61\n')), [
    'USD DIRECT 1 0.9 0.92 0.95',
    'JPY DIRECT 100 0.61 0.61 0.61',
  ])
  assert.deepEqual(
    rowsOf(csv('\ufeffsell, buy ,currencyCode\r\n0.94,0.9,USD\r\n\r\n"0.7","0.65","GBP"\r\n')),
    ['USD DIRECT 1 0.9 0.92 0.94', 'GBP DIRECT 1 0.65 0.675 0.7'],
  )
  assert.deepEqual(rowsOf(csv('currencyCode,quotation,mid\nUSD,INDIRECT,1.0813\nJPY,,0.0061')), [
    'USD INDIRECT 1 1.0813 1.0813 1.0813',
    'JPY DIRECT 1 0.0061 0.0061 0.0061',
  ])
})

test('the middle of two prices is exact', () => {
  assert.deepEqual(rowsOf(csv('currencyCode,buy,sell\nUSD,0.00000000000000000001,0.00000000000000000002')), [
    'USD DIRECT 1 0.00000000000000000001 0.000000000000000000015 0.00000000000000000002',
  ])
})

test('every fault of a CSV is told with its line', () => {
  const faults = faultsOf(
    csv(
      [
        'currencyCode,quotation,unit,buy,sell,mid',
        'USD,,1,0.95,0.90,',
        'usd,,1,,,1',
        'GBP,BACKWARDS,0,,,1',
        'JPY,,100',
        '',
        'CZK,,1.5,"0,04",,',
        'EUR,,1,,,1',
        'KWD,,1,,,0',
        'CHF,INDIRECT,1,0.9,0.95,',
        'NOK,,1,,,',
        'SEK,,1,0.1,,0.1',
        'DKK,,1,,,0.123456789012345678901',
        'PLN,,1,,,0.2',
        'PLN,,1,,,0.2',
      ].join('\n'),
    ),
  )
  assert.deepEqual(faults, [
    'line 2: buy 0.95 ≤ mid 0.925 ≤ sell 0.9 does not hold',
    'line 3: currencyCode: "usd" is no code such as USD',
    'line 4: quotation: must be one of DIRECT, INDIRECT',
    'line 4: unit: must be a whole number from 1 to 1000000000',
    'line 5: has 3 cells; the first line has 6',
    'line 7: unit: must be a whole number from 1 to 1000000000',
    'line 7: buy: "0,04" is no number such as 25.3',
    'line 8: currencyCode: EUR is the base currency of the list and has no row',
    'line 9: mid: 0 is not above zero',
    'line 10: buy 0.9 ≥ mid 0.925 ≥ sell 0.95 does not hold, as it must for an INDIRECT quotation',
    'line 11: mid: is missing, and so are buy and sell',
    'line 12: buy, sell: one is there without the other',
    'line 13: mid: 0.123456789012345678901 has more than 20 decimals',
    'line 15: currencyCode: PLN is there twice',
  ])
})

test('a file that is no such CSV is refused as a whole', () => {
  assert.deepEqual(faultsOf(csv('')), ['The file is empty.'])
  assert.deepEqual(faultsOf(csv('currencyCode,mid')), ['There is no row.'])
  assert.match(
    faultsOf(csv('currencyCode;mid\nUSD;1'))[0] ?? '',
    /^line 1: there is no column "currencyCode;mid"/,
  )
  assert.deepEqual(faultsOf(csv('mid,mid\n1,1')), [
    'line 1: a column is there twice',
    'line 1: the column currencyCode is missing',
  ])
  assert.match(faultsOf(csv('currencyCode,mid\n"USD,1'))[0] ?? '', /^The file is no CSV: .*line 2/)
  const many = Array.from({ length: 501 }, (_, index) => `C${index + 100},1`)
  assert.deepEqual(faultsOf(csv(['currencyCode,mid', ...many].join('\n'))), [
    'There are 501 rows; a sheet has at most 500.',
  ])
})

// JSON

test('a JSON sheet is read to the last digit, with the dates it names', () => {
  const reading = json(`{"code": "HOUSE", "baseCurrencyCode": "EUR", "validFrom": "2026-11-20",
    "publishedAt": "2026-11-20T14:15:00.5Z", "version": 7, "isStale": false,
    "rates": [{"currencyCode": "USD", "quotation": "INDIRECT", "unit": 1, "buy": 1.1000000000000000001, "sell": 1e-1, "mid": 1}]}`)
  assert.deepEqual(rowsOf(reading), ['USD INDIRECT 1 1.1000000000000000001 1 0.1'])
  assert(reading.ok)
  assert.deepEqual(
    [reading.value[0]?.validFrom?.toISOString(), reading.value[0]?.publishedAt?.toISOString()],
    ['2026-11-20T00:00:00.000Z', '2026-11-20T14:15:00.500Z'],
  )
})

test('every fault of a JSON sheet is told with its member', () => {
  const faults = faultsOf(
    json(`{"code": "OTHER", "baseCurrencyCode": "USD", "validFrom": "2026-02-30", "publishedAt": 5,
      "rates": [{"currencyCode": "USD", "mid": "1.1"}, 3, {"currencyCode": 5, "unit": 1.5, "mid": null}]}`),
  )
  assert.deepEqual(faults, [
    'code: is not HOUSE',
    'baseCurrencyCode: is not EUR',
    `validFrom: is not ${A_MOMENT}`,
    `publishedAt: is not ${A_MOMENT}`,
    'rates[0]: mid: "\\"1.1\\"" is no number such as 25.3',
    'rates[1]: is no object',
    'rates[2]: currencyCode: "\\"5\\"" is no code such as USD',
    'rates[2]: unit: must be a whole number from 1 to 1000000000',
    'rates[2]: mid: "null" is no number such as 25.3',
  ])
  assert.deepEqual(faultsOf(json('{"rates": {}}')), ['rates: is no list'])
  assert.deepEqual(faultsOf(json('[]')), ['The document is no JSON object.'])
  assert.match(faultsOf(json('{\n"rates": [\n{"mid": 1, "mid": 2}]}'))[0] ?? '', /^line 3: /)
})

// The European Central Bank's XML

test('each day of a file of the European Central Bank is a sheet, quoted as it was published', () => {
  const reading = xml(ecb('2026-11-20 USD 1.0810 JPY 163.12', '2026-11-19 USD 1.0799').toString())
  assert.deepEqual(rowsOf(reading), [
    'USD INDIRECT 1 1.081 1.081 1.081',
    'JPY INDIRECT 1 163.12 163.12 163.12',
  ])
  assert.deepEqual(rowsOf(reading, 1), ['USD INDIRECT 1 1.0799 1.0799 1.0799'])
  assert(reading.ok)
  assert.deepEqual(
    reading.value.map(({ validFrom, publishedAt }) => [validFrom?.toISOString(), publishedAt?.toISOString()]),
    [
      ['2026-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
      ['2026-11-19T00:00:00.000Z', '2026-11-19T00:00:00.000Z'],
    ],
  )
})

test('every fault of such a file is told with its day and currency', () => {
  const text = ecb(
    '2026-02-30 USD 1,08',
    '2026-11-19 USD 1.1 USD 1.2 GBP 0',
    '2026-11-19 GBP 0.8',
    '2026-11-18',
  ).toString()
  assert.deepEqual(faultsOf(xml(text)), [
    'Cube 1: time "2026-02-30" is no day',
    'time 2026-02-30, Cube 1 USD: mid: "1,08" is no number such as 25.3',
    'time 2026-11-19, Cube 2 USD: currencyCode: USD is there twice',
    'time 2026-11-19, Cube 3 GBP: mid: 0 is not above zero',
    'time 2026-11-18, There is no row.',
  ])
  const twice = ecb('2026-11-19 USD 1.1', '2026-11-19 GBP 0.8').toString()
  assert.deepEqual(faultsOf(xml(twice)), ['Cube 2: time 2026-11-19 is there twice'])
})

test('malformed XML, entities and other documents are refused', () => {
  const good = ecb('2026-11-20 USD 1.0810').toString()
  assert.match(faultsOf(xml(good.replace('</Cube>\n\t</Cube>', '</Cube>')))[0] ?? '', /^line \d+: /)
  assert.match(faultsOf(xml(good.slice(0, -20)))[0] ?? '', /^line \d+: /)
  const bomb = good.replace('?>', '?><!DOCTYPE x [<!ENTITY a "1.1">]>').replace('1.0810', '&a;')
  assert.deepEqual(faultsOf(xml(bomb)), ['The file has a document type, which this format has not.'])
  assert.deepEqual(
    faultsOf(xml(good.replace('1.0810', '&#49;.0810'))),
    [],
    'a character may be written by its number',
  )
  assert.match(faultsOf(xml(good.replace('1.0810', '&a;')))[0] ?? '', /^line \d+: undefined entity/)
  const deep = '<Cube>'.repeat(5000) + '</Cube>'.repeat(5000)
  for (const strange of [deep, '<__proto__><Cube/></__proto__>', '<constructor a="1"/>'])
    assert.equal(faultsOf(xml(strange)).length, 1, strange.slice(0, 40))
  for (const other of [
    '<html><body/></html>',
    '<Envelope><Cube/></Envelope>',
    '<Envelope><Cube>5</Cube></Envelope>',
  ])
    assert.deepEqual(faultsOf(xml(other)), ['Envelope.Cube.Cube: there is no day.'])
})

test('whatever a file holds, reading it answers', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const reading of [
        csv(text),
        csv(`currencyCode,mid\n${text}`),
        json(text),
        xml(text),
        xml(`<a>${text}</a>`),
      ])
        assert(reading.ok || reading.faults.length > 0)
    }),
  )
})
