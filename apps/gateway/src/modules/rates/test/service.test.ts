import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { waitUntil } from '@tollgate/testkit'
import { watchConfiguration } from '../../../platform/configuration-changes.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { testLog } from '../../../platform/test/index.ts'
import { sheetAt } from '../model.ts'
import { seedSandboxRates } from '../seed.ts'
import { createRateService } from '../service.ts'
import { amount, DAY_MS } from './fixtures.ts'
import { ecb, openRig, type Rig } from './rig.ts'

const refusal =
  (code: string, says = /./) =>
  (error: unknown) => {
    assert(error instanceof Refusal, String(error))
    assert.equal(error.code, code)
    const sentence = error.details.items?.[0]?.message ?? error.message
    assert.match(sentence, says)
    return true
  }

async function filledRig(t: TestContext): Promise<Rig> {
  const rig = await openRig(t)
  await rig.createHouse()
  await rig.importRows('2026-11-10', 'USD,1,0.80,0.82', 'JPY,100,0.60,0.62')
  await rig.importRows('2026-11-20', 'USD,1,0.90,0.92')
  await rig.importRows('2026-11-25', 'USD,1,0.95,0.97')
  return rig
}

const TEN_DOLLARS = {
  money: { amount: 10, currencyCode: 'USD' },
  targetCurrencyCode: 'EUR',
  side: 'BUY',
} as const

test('the lists cannot be used before they were started', async (t) => {
  const { service } = await openRig(t)
  assert.throws(() => service.current(), /before it was started/)
})

test('the snapshot holds what is in force and what is to come, and time alone brings the next sheet', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  const nowMs = rig.clock.nowMs()
  const at = (days: number): string => new Date(nowMs + days * DAY_MS).toISOString()
  for (const [days, buy] of [
    [-3, '0.1'],
    [-2, '0.2'],
    [-2, '0.3'],
    [1, '0.4'],
    [2, '0.5'],
  ] as const)
    await rig.importRows(at(days).slice(0, 10), `USD,1,${buy},1`)
  await rig.service.start()
  const house = rig.service.current().lists.get('HOUSE')
  assert(house)
  assert.deepEqual(
    house.sheets.map(({ rates }) => rates.get('USD')?.buy),
    ['0.3', '0.4', '0.5'],
  )
  assert.equal(sheetAt(house, nowMs)?.version, 3)
  assert.equal(sheetAt(house, nowMs + 1.25 * DAY_MS)?.version, 4)
  assert.deepEqual(house.sheets[0]?.validTo, house.sheets[1]?.validFrom)
})

test('a new sheet is in the snapshot as soon as the database says so, and the old snapshot stays as it was', async (t) => {
  const rig = await filledRig(t)
  const { log } = testLog()
  const changes = watchConfiguration({ db: rig.db, clock: systemClock, log })
  const service = createRateService({ db: rig.db, clock: systemClock, changes, log, minorUnitsOf: () => 2 })
  await service.start()
  await changes.start()
  t.after(() => changes.stop())
  const old = service.current()
  await rig.importRows('2026-11-30', 'USD,1,0.5,0.6')
  await waitUntil(() => service.current().lists.get('HOUSE')?.sheets.at(-1)?.version === 4, {
    timeoutMs: 10_000,
    what: 'the new sheet',
  })
  assert.equal(old.lists.get('HOUSE')?.sheets.at(-1)?.version, 3)
  await rig.rates.setEnabled('HOUSE', false)
  await waitUntil(() => !service.current().lists.has('HOUSE'), { timeoutMs: 10_000, what: 'the list to go' })
})

test('a sheet is found by day, by moment and by version', async (t) => {
  const { service, clock } = await filledRig(t)
  const versionAt = async (date?: string): Promise<number> =>
    (await service.find('HOUSE', { date })).sheet.version
  assert.equal(await versionAt(), 2)
  assert.equal(await versionAt('2026-11-19'), 1)
  assert.equal(await versionAt('2026-11-25'), 3)
  assert.equal(await versionAt('2026-11-24T23:59:59.999Z'), 2)
  assert.equal((await service.find('HOUSE', { version: 1 })).sheet.rates.size, 2)
  clock.advance(4 * DAY_MS)
  assert.equal(await versionAt(), 3)
  await assert.rejects(service.find('NONE', {}), refusal('ENTITY_NOT_FOUND', /NONE/))
  await assert.rejects(
    service.find('HOUSE', { date: '2026-11-09' }),
    refusal('RATE_NOT_AVAILABLE', /no sheet in force/),
  )
  await assert.rejects(service.find('HOUSE', { version: 9 }), refusal('RATE_NOT_AVAILABLE', /version 9/))
  await assert.rejects(service.find('HOUSE', { date: '2026-02-30' }), refusal('ATTRIBUTE_VALUE_INVALID'))
  await assert.rejects(
    service.find('HOUSE', { date: '2026-11-20T25:00:00Z' }),
    refusal('ATTRIBUTE_VALUE_INVALID'),
  )
})

test('the age of a sheet is told as of the moment that is asked about', async (t) => {
  const rig = await openRig(t)
  await rig.createHouse()
  await rig.rates.importFile('HOUSE', { format: 'ECB', bytes: ecb('2026-11-16 USD 1.08') })
  const ageAt = async (date?: string) => (await rig.service.find('HOUSE', { date })).age
  assert.deepEqual(await ageAt('2026-11-19T23:59:59Z'), { ageSeconds: 4 * 86_400 - 1, isStale: false })
  assert.deepEqual(await ageAt('2026-11-20T00:00:00Z'), { ageSeconds: 4 * 86_400, isStale: true })
  assert.deepEqual(await ageAt(), { ageSeconds: 5 * 86_400 + 43_200, isStale: true })
})

test('the lists in use are listed, with their sheet in force or without', async (t) => {
  const rig = await filledRig(t)
  await rig.rates.create({ code: 'EMPTY', name: 'Empty', baseCurrencyCode: 'USD', staleAfterDays: undefined })
  await rig.rates.create({ code: 'OFF', name: 'Off', baseCurrencyCode: 'USD', staleAfterDays: undefined })
  await rig.rates.setEnabled('OFF', false)
  const brief = async (): Promise<readonly string[]> =>
    (await rig.service.list()).map(({ list, current }) => `${list.code} ${current?.sheet.version ?? 'none'}`)
  assert.deepEqual(await brief(), ['EMPTY none', 'HOUSE 2'])
  await assert.rejects(rig.service.find('OFF', {}), refusal('ENTITY_NOT_FOUND'))
  await rig.rates.setEnabled('OFF', true)
  assert.deepEqual(await brief(), ['EMPTY none', 'HOUSE 2', 'OFF none'])
})

test('a conversion of now is made in memory, one of a date by the sheet of that date', async (t) => {
  const rig = await filledRig(t)
  await rig.service.start()
  const amountOf = async (date?: string): Promise<string> =>
    (await rig.service.convert('HOUSE', TEN_DOLLARS, date)).converted.amount
  assert.equal(await amountOf('2026-11-15'), '8')
  assert.equal(await amountOf('2026-11-25'), '9.5')
  await rig.sql('alter table rate_lists rename to hidden')
  assert.equal(await amountOf(), '9')
  await assert.rejects(amountOf('2026-11-15'), /rate_lists/)
})

test('what cannot be converted is refused with its reason', async (t) => {
  const { service } = await filledRig(t)
  await service.start()
  const refused = (given: object, code: string, date?: string) =>
    assert.rejects(service.convert('HOUSE', { ...TEN_DOLLARS, ...given }, date), refusal(code))
  const money = (value: number, currencyCode: string) => ({ money: { amount: value, currencyCode } })
  await refused(money(0, 'USD'), 'ATTRIBUTE_VALUE_INVALID')
  await refused(money(-1, 'USD'), 'ATTRIBUTE_VALUE_INVALID')
  await refused({}, 'ATTRIBUTE_VALUE_INVALID', '2026-13-01')
  await refused(money(1, 'XXX'), 'CURRENCY_NOT_SUPPORTED')
  await refused({ targetCurrencyCode: 'XXX' }, 'CURRENCY_NOT_SUPPORTED')
  await refused({ money: { amount: { text: '1.005' }, currencyCode: 'USD' } }, 'AMOUNT_PRECISION_INVALID')
  await refused({ targetCurrencyCode: 'JPY' }, 'RATE_NOT_AVAILABLE')
  await refused({}, 'RATE_NOT_AVAILABLE', '2026-11-01')
  await assert.rejects(service.convert('NONE', TEN_DOLLARS, undefined), refusal('ENTITY_NOT_FOUND'))
  await assert.rejects(service.convert('NONE', TEN_DOLLARS, '2026-11-20'), refusal('ENTITY_NOT_FOUND'))
})

test('who moves money by a date is told that the sheet of the date was stale', async (t) => {
  const { service } = await filledRig(t)
  const request = {
    listCode: 'HOUSE',
    money: { amount: amount('10'), currencyCode: 'USD' },
    targetCurrencyCode: 'EUR',
    side: 'SELL',
    minorUnits: 2,
    staleSheet: 'REFUSE',
  } as const
  const fresh = await service.convertAt({ ...request, atMs: Date.UTC(2026, 10, 21, 13) })
  assert(fresh.ok && fresh.conversion.converted.amount === '9.2')
  const stale = await service.convertAt({ ...request, atMs: Date.UTC(2026, 11, 21) })
  assert(!stale.ok && stale.problem.code === 'RATE_NOT_AVAILABLE')
})

test('the sandbox has one list of invented rates, which stays as an operator left it', async (t) => {
  const rig = await openRig(t)
  await seedSandboxRates(rig.db)
  rig.clock.advance(Date.now() + 400 * DAY_MS - rig.clock.nowMs())
  const before = await rig.service.find('SANDBOX', {})
  assert.deepEqual([...before.sheet.rates.keys()], ['BRL', 'CZK', 'INR', 'JPY', 'KWD', 'USD'])
  assert.equal(before.age.isStale, false)
  await rig.rates.setRate('SANDBOX', { currencyCode: 'USD', mid: '0.5' })
  await seedSandboxRates(rig.db)
  assert.deepEqual(
    (await rig.service.list()).map(({ current }) => current?.sheet.version),
    [2],
  )
})
