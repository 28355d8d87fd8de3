import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SettingInvalid } from '../errors.ts'
import type { Direction } from '../model.ts'
import { seedSandboxCatalogue } from '../seed.ts'
import { createCatalogueSettings } from '../settings.ts'
import { findCatalogue, findTerms } from '../store.ts'
import { insertMerchant, openTestDatabase } from './database.ts'

const METHOD = { methodCode: 'BANK_TRANSFER', direction: 'PAYIN' } as const
const IN_EURO = { ...METHOD, currencyCode: 'EUR' } as const

async function openShop(t: TestContext) {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const merchantId = await insertMerchant(db)
  return {
    db,
    merchantId,
    settings: createCatalogueSettings({ db }),
    terms: () => findTerms(db, merchantId),
    catalogue: () => findCatalogue(db),
  }
}

function refusal(pattern: RegExp) {
  return (error: unknown) => {
    assert(error instanceof SettingInvalid, String(error))
    assert.match(error.message, pattern)
    return true
  }
}

test('a method is enabled and disabled for one merchant and direction', async (t) => {
  const { settings, merchantId, terms } = await openShop(t)
  const setting = { merchantId, ...METHOD }
  await settings.enableMethod(setting)
  await settings.enableMethod(setting)
  assert.deepEqual([...((await terms()).methods.get('PAYIN') ?? [])], ['BANK_TRANSFER'])
  assert.deepEqual([...((await terms()).methods.get('PAYOUT') ?? [])], [])
  await settings.disableMethod(setting)
  assert.deepEqual([...((await terms()).methods.get('PAYIN') ?? [])], [])
  await assert.rejects(settings.disableMethod(setting), refusal(/has no method BANK_TRANSFER for PAYIN/))
})

test('all methods are enabled in every direction they have', async (t) => {
  const { settings, merchantId, terms, catalogue } = await openShop(t)
  const added = await settings.enableAllMethods(merchantId)
  const { methods } = await terms()
  const expected = [...(await catalogue()).methods.values()].reduce((sum, { sides }) => sum + sides.size, 0)
  assert.equal(added, expected)
  assert.equal(methods.get('PAYIN')?.size, 7)
  assert.equal(methods.get('PAYOUT')?.has('ONLINE_BANKING'), false)
  assert.equal(await settings.enableAllMethods(merchantId), 0)
})

test('a method whose rail is not there, or has not its direction, is enabled for nobody', async (t) => {
  const { db, merchantId, terms } = await openShop(t)
  const settingsWith = (rails: ReadonlyMap<string, readonly Direction[]>) =>
    createCatalogueSettings({ db, rails })
  const none = settingsWith(new Map([['bank', ['PAYIN']]]))
  const missing = refusal(
    /^BANK_TRANSFER goes by the rail sandbox, which is not there: .* There are: bank\. Add sandbox to TOLLGATE_OPEN_RAILS_FILE, or change/,
  )
  await assert.rejects(none.enableMethod({ merchantId, ...METHOD }), missing)
  await assert.rejects(none.enableAllMethods(merchantId), missing)
  const payins = settingsWith(new Map([['sandbox', ['PAYIN']]]))
  await payins.enableMethod({ merchantId, ...METHOD })
  await assert.rejects(
    payins.enableMethod({ merchantId, ...METHOD, direction: 'PAYOUT' }),
    refusal(/^BANK_TRANSFER goes by the rail sandbox, which has no PAYOUT\./),
  )
  await assert.rejects(payins.enableAllMethods(merchantId), refusal(/which has no /))
  assert.deepEqual([...((await terms()).methods.get('PAYIN') ?? [])], ['BANK_TRANSFER'])
})

test('a limit replaces the one before, bound by bound', async (t) => {
  const { settings, merchantId, terms } = await openShop(t)
  const key = 'PAYIN BANK_TRANSFER EUR'
  await settings.setLimit({ merchantId, ...IN_EURO, min: '5.00', max: '250', dailyCountMax: 9 })
  assert.deepEqual((await terms()).limits.get(key), { min: '5', max: '250', dailyCap: { countMax: 9 } })
  await settings.setLimit({ merchantId, ...IN_EURO, dailyAmountMax: '1000.5' })
  assert.deepEqual((await terms()).limits.get(key), { dailyCap: { amountMax: '1000.5' } })
})

test('a fee is the house’s or one merchant’s', async (t) => {
  const { settings, merchantId, terms, catalogue } = await openShop(t)
  await settings.setFee({ ...IN_EURO, fixed: '0.30', percentage: '1.25', minimum: '0.5', maximum: '20' })
  const house = { fixed: '0.3', percentage: '1.25', minimum: '0.5', maximum: '20' }
  assert.deepEqual((await catalogue()).fees.get('PAYIN BANK_TRANSFER * * EUR'), house)
  assert.equal((await terms()).fees.size, 0)
  await settings.setFee({
    merchantId,
    direction: 'PAYIN',
    methodCode: 'ONLINE_BANKING',
    operatorCode: 'BANKA_VLTAVA',
    segmentCode: 'VIP',
    currencyCode: 'CZK',
    percentage: '0.1',
  })
  const { fees } = await terms()
  assert.deepEqual([...fees.keys()], ['PAYIN ONLINE_BANKING BANKA_VLTAVA VIP CZK'])
  assert.deepEqual([...fees.values()], [{ fixed: '0', percentage: '0.1' }])
  await settings.setFee({ merchantId, ...IN_EURO })
  assert.deepEqual((await terms()).fees.get('PAYIN BANK_TRANSFER * * EUR'), { fixed: '0', percentage: '0' })
})

test('a name that does not exist is refused with the names that do', async (t) => {
  const { settings, merchantId } = await openShop(t)
  const fee = { ...IN_EURO, merchantId }
  const cases: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
    [() => settings.enableMethod({ merchantId: '424242', ...METHOD }), /no merchant with the id 424242/],
    [() => settings.enableAllMethods('DEMO'), /no merchant with the id DEMO/],
    [
      () => settings.enableMethod({ merchantId, ...METHOD, methodCode: 'BARTER' }),
      /no payment method BARTER.*UPI/,
    ],
    [
      () => settings.enableMethod({ merchantId, methodCode: 'OFFLINE_TRANSFER', direction: 'PAYOUT' }),
      /does not exist for PAYOUT.*PAYIN/,
    ],
    [() => settings.setFee({ ...fee, currencyCode: 'XYZ' }), /no currency XYZ.*EUR/],
    [() => settings.setLimit({ ...fee, currencyCode: 'BTC' }), /BANK_TRANSFER does not take BTC.*EUR/],
    [() => settings.setFee({ ...fee, segmentCode: 'NOPE' }), /no segment NOPE.*NEW, TRUSTED, VIP/],
    [
      () => settings.setFee({ ...fee, operatorCode: 'BANKA_VLTAVA' }),
      /not an operator of BANK_TRANSFER.*none/,
    ],
  ]
  for (const [set, pattern] of cases) await assert.rejects(set, refusal(pattern))
})

test('an amount that cannot be right is refused', async (t) => {
  const { settings, merchantId, terms } = await openShop(t)
  const limit = (bounds: { min?: string; max?: string; dailyAmountMax?: string; dailyCountMax?: number }) =>
    settings.setLimit({ merchantId, ...IN_EURO, ...bounds })
  const fee = (parts: { fixed?: string; percentage?: string; minimum?: string; maximum?: string }) =>
    settings.setFee({ merchantId, ...IN_EURO, ...parts })
  const cases: readonly (readonly [() => Promise<void>, RegExp])[] = [
    [() => limit({ min: 'ten' }), /minimum is not a number/],
    [() => limit({ max: '0' }), /maximum must be more than zero/],
    [() => limit({ min: '1.001' }), /too many decimals: EUR has 2/],
    [() => limit({ min: '20', max: '10' }), /minimum 20 is more than the maximum 10/],
    [() => limit({ min: '100001' }), /1 to 100000/],
    [() => limit({ dailyAmountMax: '-5' }), /daily amount must be more than zero/],
    [() => limit({ dailyCountMax: 1.5 }), /daily count must be a whole number/],
    [() => fee({ fixed: '-1' }), /fixed part must not be less than zero/],
    [() => fee({ percentage: '101' }), /percentage must be between 0 and 100/],
    [() => fee({ percentage: '-1' }), /percentage must be between 0 and 100/],
    [() => fee({ minimum: '2', maximum: '1' }), /minimum 2 is more than the maximum 1/],
  ]
  for (const [set, pattern] of cases) await assert.rejects(set, refusal(pattern))
  const { limits, fees } = await terms()
  assert.deepEqual([limits.size, fees.size], [0, 0])
})
