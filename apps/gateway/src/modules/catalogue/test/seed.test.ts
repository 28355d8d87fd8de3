import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CURRENCIES_ISO_4217 } from '@tollgate/money'
import { judgePayment } from '../judge.ts'
import { type Catalogue, DIRECTIONS, type Direction, type Field, type MerchantTerms } from '../model.ts'
import { listOptions, type PaymentOption } from '../options.ts'
import { seedSandboxCatalogue } from '../seed.ts'
import { createCatalogueSettings } from '../settings.ts'
import { findCatalogue, findTerms } from '../store.ts'
import { insertMerchant, openTestDatabase, run } from './database.ts'
import { amount, codesOf } from './fixtures.ts'

/** A sensible value for each required field that the sandbox knows. */
const VALUES = { accountName: 'Eve Example', accountNumber: 'NL69TEST0000000001', bankCode: 'TESTCZPP' }
/** By method, and of chains by currency: an account that is right by its scheme. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  UPI: 'eve@test',
  PIX: 'eve@test.example',
  BTC: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ETH: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
}

function accountFor(fields: readonly { readonly name: string; readonly required: boolean }[], name: string) {
  const accountNumber = ACCOUNTS[name] ?? VALUES.accountNumber
  const required = new Set(fields.filter((field) => field.required).map(({ name }) => name))
  return {
    ...(required.has('accountName') ? { accountName: VALUES.accountName } : {}),
    ...(required.has('accountNumber') ? { accountNumber } : {}),
  }
}

function optionsFor(all: Catalogue, own: MerchantTerms, direction: Direction): PaymentOption[] {
  return [...all.currencies.keys()].flatMap((currencyCode) => {
    const text = currencyCode === 'BTC' || currencyCode === 'ETH' ? '0.5' : '150'
    const judged = listOptions(all, own, { direction, money: { amount: amount(text), currencyCode } })
    assert(judged.ok, `${direction} ${currencyCode}`)
    for (const option of judged.options) {
      for (const operatorCode of [undefined, ...option.paymentOperators.map(({ code }) => code)]) {
        if (operatorCode === undefined && option.paymentOperators.length > 1) continue
        const payment = judgePayment(all, own, {
          direction,
          money: { amount: amount(text), currencyCode },
          methodCode: option.paymentMethodCode,
          operatorCode,
          account: accountFor(
            option.fields,
            option.paymentMethodCode === 'CRYPTO' ? currencyCode : option.paymentMethodCode,
          ),
          emailAddress: 'success@sandbox.test',
        })
        assert.deepEqual(codesOf(payment), [], `${direction} ${currencyCode} ${option.paymentMethodCode}`)
      }
    }
    return [...judged.options]
  })
}

test('every seeded method takes a payment of a merchant that has them all, without a segment', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const merchantId = await insertMerchant(db)
  await createCatalogueSettings({ db }).enableAllMethods(merchantId)
  const all = await findCatalogue(db)
  const own = await findTerms(db, merchantId)
  assert.deepEqual(all.faults, [])
  for (const direction of DIRECTIONS) {
    const offered = new Set(optionsFor(all, own, direction).map((option) => option.paymentMethodCode))
    const existing = [...all.methods.values()].filter(({ sides }) => sides.has(direction))
    assert.deepEqual([...offered].sort(), existing.map(({ code }) => code).sort())
  }
  assert.equal(all.methods.size, 7)
})

test('the smallest part of a crypto currency can be paid, and new customers are not offered crypto', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const merchantId = await insertMerchant(db)
  await createCatalogueSettings({ db }).enableAllMethods(merchantId)
  const all = await findCatalogue(db)
  const own = await findTerms(db, merchantId)
  const pay = (text: string, currencyCode: string, segmentCode?: string) =>
    codesOf(
      judgePayment(all, own, {
        direction: 'PAYIN',
        money: { amount: amount(text), currencyCode },
        methodCode: 'CRYPTO',
        segmentCode,
      }),
    )
  assert.deepEqual(pay('0.000000000000000001', 'ETH'), [])
  assert.deepEqual(pay('0.00000001', 'BTC'), [])
  assert.deepEqual(pay('0.000000001', 'BTC'), ['AMOUNT_PRECISION_INVALID', 'AMOUNT_BELOW_MINIMUM'])
  assert.deepEqual(pay('0.5', 'BTC', 'TRUSTED'), [])
  assert.deepEqual(pay('20', 'BTC', 'TRUSTED'), ['AMOUNT_ABOVE_MAXIMUM'])
  assert.deepEqual(pay('20', 'BTC', 'VIP'), [])
  assert.deepEqual(pay('0.5', 'BTC', 'NEW'), ['SEGMENT_NOT_SUPPORTED'])
})

test('the seeded currencies have the decimals of the standard', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const all = await findCatalogue(db)
  const decimals = Object.fromEntries(
    [...all.currencies.values()].map((each) => [each.code, each.minorUnits]),
  )
  const { BTC, ETH, ...fiat } = decimals
  assert.deepEqual({ BTC, ETH }, { BTC: 8, ETH: 18 })
  for (const [code, minorUnits] of Object.entries(fiat)) {
    assert.equal(CURRENCIES_ISO_4217.get(code)?.minorUnits, minorUnits, code)
  }
  assert.deepEqual(Object.keys(fiat).sort(), ['BRL', 'CZK', 'EUR', 'INR', 'JPY', 'KWD', 'USD'])
})

test('every method has a fee and takes an e-mail address, and browsers read every pattern', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const all = await findCatalogue(db)
  let patterns = 0
  for (const method of all.methods.values()) {
    for (const [direction, side] of method.sides) {
      const email = side.fields.find(({ name }) => name === 'emailAddress')
      assert.equal(email?.required, false, `${method.code} ${direction}`)
      for (const currencyCode of side.limits.keys()) {
        const key = `${direction} ${method.code} * * ${currencyCode}`
        assert(all.fees.has(key), key)
      }
      patterns += side.fields.filter((field: Field) => {
        if (field.pattern === undefined) return false
        // What a browser does with the attribute `pattern`.
        assert.doesNotThrow(() => new RegExp(`^(?:${field.pattern ?? ''})$`, 'v'), field.pattern)
        return true
      }).length
    }
  }
  assert(patterns > 5)
})

test('running the seed again changes nothing, nor what an operator has changed or removed', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  await run(db, `update currencies set enabled = false where currency_code = 'KWD'`)
  await run(db, `update payment_methods set name = 'Bank', enabled = false where method_code = 'PIX'`)
  await run(
    db,
    `update payment_operators set payin_availability = 'CLOSED' where operator_code = 'BANKA_VLTAVA'`,
  )
  await run(db, `delete from payment_method_excluded_segments where method_code = 'CRYPTO'`)
  await run(db, `delete from payment_method_limits where method_code = 'WALLET' and currency_code = 'JPY'`)
  await run(db, `delete from fees where method_code = 'UPI'`)
  await run(db, `update payment_method_fields set required = true where method_code = 'UPI'`)
  const before = await findCatalogue(db)
  await seedSandboxCatalogue(db)
  const after = await findCatalogue(db)
  assert.equal(catalogueText(after), catalogueText(before))
  assert.equal(after.methods.has('PIX'), false)
  assert.equal(after.methods.get('WALLET')?.sides.get('PAYIN')?.limits.has('JPY'), false)
})

/** The whole snapshot as text, maps and sets included. */
function catalogueText(catalogue: Catalogue): string {
  return JSON.stringify(catalogue, (_, value: unknown) => {
    if (value instanceof Map) return [...value.entries()].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    return value instanceof Set ? [...value].sort() : value
  })
}
