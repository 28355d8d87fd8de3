import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { barChart, lineChart, shareOf, shortAmount, topOf } from '../src/charts.ts'
import { openRig } from './support.ts'

// The drawings of the home page: what stands at the axes, where shapes are, and that every figure is in the table.

const amount = parsePlainAmount

test('the axis ends at the next figure that three lines divide', () => {
  for (const [most, top] of [
    ['0', '3'],
    ['1', '1.5'],
    ['1.51', '3'],
    ['119999.99', '150000'],
    ['150000', '150000'],
    ['150000.01', '300000'],
    ['700', '900'],
    ['901', '1200'],
    ['1201', '1500'],
    ['0.00000042', '0.0000006'],
    ['98765432109876543210.000000000000000001', '120000000000000000000'],
  ] as const)
    assert.equal(topOf(amount(most)), top, most)
})

test('amounts are short at the axis, and nothing of them is rounded', () => {
  for (const [long, short] of [
    ['150000', '150k'],
    ['1500', '1.5k'],
    ['500', '500'],
    ['0.0002', '0.0002'],
    ['40000000', '40M'],
    ['9000000000', '9bn'],
  ] as const)
    assert.equal(shortAmount(amount(long)), short)
})

test('bars are as high as their share, and every figure is in the table with all its digits', () => {
  const chart = barChart({
    steps: ['7 Nov', '8 Nov'],
    series: [
      { name: 'Bank <b>', values: [amount('60'), amount('0')], total: '75%' },
      { name: 'Card', values: [amount('30'), amount('0.000000000000000001')], total: '25%' },
    ],
    says: 'Lowest on 8 Nov.',
    caption: 'Volume',
    written: (value) => `${value} EUR`,
  }).text
  const heights = [
    ...chart.matchAll(/<rect class="c\d" x="(\d+)" y="([\d.]+)" width="\d+" height="([\d.]+)"/g),
  ]
  assert.deepEqual(
    heights.map(([, x, y, height]) => [x, y, height]),
    [
      ['18', '33.33', '65.87'],
      ['18', '0.00', '32.53'],
      ['118', '100.00', '0.40'],
    ],
  )
  assert.ok(chart.includes('<td class="n">0.000000000000000001 EUR</td>'))
  assert.ok(chart.includes('Bank &lt;b&gt;') && !chart.includes('Bank <b>'))
  assert.match(chart, /role="img" aria-label="Lowest on 8 Nov\."/)
})

test('a day without a payment interrupts a line', () => {
  const chart = lineChart({
    steps: ['1', '2', '3', '4'],
    series: [{ name: 'Bank', values: [1, undefined, 0.94, 0.97], total: '97%' }],
    says: '',
    caption: '',
    written: (rate) => String(rate ?? '–'),
  }).text
  assert.match(chart, /d="M50 0\.00h\.01M250 100\.00h\.01L350 50\.00"/)
  assert.match(chart, /<span>100%<\/span><span>98%<\/span><span>96%<\/span><span>94%<\/span>/)
})

test('shares are exact where floats are not', () => {
  assert.equal(shareOf(amount('0.1'), amount('0.3')), 0.333_333)
  assert.equal(shareOf(amount('5'), amount('0')), 0)
})

const NOTHING = { payments: 0, amount: 0 }
const day = (from: string, paymentMethodCode: string, ended: Readonly<Record<string, unknown>>) => ({
  from: `${from}T00:00:00.000Z`,
  kind: 'PAYIN',
  currencyCode: 'EUR',
  paymentMethodCode,
  created: NOTHING,
  succeeded: NOTHING,
  late: NOTHING,
  failed: NOTHING,
  cancelled: NOTHING,
  expired: NOTHING,
  reversed: NOTHING,
  ...ended,
})

test('home shows the volume and the success rate of one currency against the days before', async (t) => {
  const today = new Date().toISOString().slice(0, 10)
  const earlier = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  const data = [
    day(earlier, 'BANK_TRANSFER', {
      succeeded: { payments: 1, amount: 100 },
      failed: { payments: 1, amount: 100 },
    }),
    day(today, 'BANK_TRANSFER', {
      succeeded: { payments: 3, amount: 150 },
      expired: { payments: 1, amount: 50 },
    }),
    { ...day(today, 'PIX', { created: { payments: 0, amount: 0 } }), currencyCode: 'BRL' },
  ]
  const rig = await openRig(t, {
    'GET /operator/attention': { body: { data: [] } },
    'GET /operator/balances/totals': { body: { data: [] } },
    'GET /operator/volumes': { body: { step: 'DAY', countedUntil: '2026-11-21T10:14:30.000Z', data } },
  })
  const text = await (await rig.get('/')).text()
  assert.match(text, /<b>150\.00 EUR<\/b><span>\+50\.0% against the 14 days before/)
  assert.match(text, /<b>75\.0%<\/b><span>\+25\.0 points against/)
  assert.match(text, /Counted until 21 Nov 2026, 10:14:30\./)
  const asked = rig.heard.findLast(({ path }) => path === '/operator/volumes')?.query
  assert.equal(asked?.get('by'), 'METHOD')
  assert.equal(asked.get('currencyCode'), 'EUR')
  assert.match(await (await rig.get('/?currency=BRL')).text(), /<b>0\.00 BRL<\/b>/)
})
