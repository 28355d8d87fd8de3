import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { type TestLife, testDatabase, waitUntil } from '@tollgate/testkit'
import { watchConfiguration } from '../../../platform/configuration-changes.ts'
import { type Database, openDatabase } from '../../../platform/database.ts'
import { readDraft } from '../demands.ts'
import {
  type BankAccountDraft,
  BankAccountProblem,
  createBankAccountAdministration,
  createBankAccountDirectory,
  findBankAccount,
  listBankAccounts,
  seedSandboxBankAccounts,
} from '../index.ts'

const log = createLog({ level: 'silent' })

async function open(t: TestLife): Promise<Database> {
  const { url } = await testDatabase(t)
  const db = openDatabase({ url, poolMax: 4, log, applicationName: 'bank accounts test' })
  t.after(() => db.close())
  await seedCurrencies(db)
  return db
}

/** The currencies of the sandbox. */
async function seedCurrencies(db: Database): Promise<void> {
  const text = `insert into currencies (currency_code, name, type, minor_units)
    select code, code, 'FIAT', 2 from unnest($1::text[]) as c(code)`
  await db.rows({ name: 'test_currencies', text }, [['EUR', 'CZK', 'USD', 'JPY', 'KWD', 'INR', 'BRL', 'BTC']])
}

const EUR: BankAccountDraft = {
  code: 'house_eur',
  currencyCode: 'eur',
  holder: ' Shop GmbH ',
  bankName: 'Bank',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'cobadeffxxx',
  address: {},
}

const problem = (kind: BankAccountProblem['kind'], says: RegExp) => (error: unknown) => {
  assert.ok(error instanceof BankAccountProblem, String(error))
  assert.match(error.message, says)
  assert.equal(error.kind, kind)
  return true
}

test('the first account of a currency is its default, and a later one takes its place when that is asked for', async (t) => {
  const db = await open(t)
  const accounts = createBankAccountAdministration({ db })
  const first = await accounts.add(EUR, false)
  assert.deepEqual(
    [first.code, first.holder, first.iban, first.bic, first.accountNumber, first.bankCode, first.isDefault],
    ['HOUSE_EUR', 'Shop GmbH', 'DE89370400440532013000', 'COBADEFFXXX', '0532013000', '37040044', true],
  )
  assert.equal(first.payoutFormat, 'PAIN_001_001_09')
  const other = { ...EUR, code: 'SECOND', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' }
  assert.equal((await accounts.add(other, false)).isDefault, false)
  assert.equal((await accounts.set('SECOND', { isDefault: true, payoutFormat: 'NONE' })).isDefault, true)
  const all = await accounts.list()
  assert.deepEqual(
    all.map(({ code, isDefault, payoutFormat }) => [code, isDefault, payoutFormat]),
    [
      ['SECOND', true, undefined],
      ['HOUSE_EUR', false, 'PAIN_001_001_09'],
    ],
  )
  await assert.rejects(accounts.retire('SECOND'), problem('CONFLICT', /make another account the default/))
  assert.equal((await accounts.retire('HOUSE_EUR')).status, 'RETIRED')
  assert.equal((await accounts.retire('SECOND')).isDefault, false)
  await assert.rejects(accounts.set('SECOND', { isDefault: true }), problem('CONFLICT', /is retired/))
})

const euros = parsePlainAmount

test('an account whose bank takes instant transfers says up to how much, and without files it says nothing', async (t) => {
  const accounts = createBankAccountAdministration({ db: await open(t) })
  assert.equal((await accounts.add({ ...EUR, instantMax: euros('100000.5') }, false)).instantMax, '100000.5')
  assert.equal((await accounts.set('HOUSE_EUR', { isDefault: true })).instantMax, '100000.5')
  assert.equal((await accounts.set('HOUSE_EUR', { instantMax: euros('0') })).instantMax, undefined)
  assert.equal((await accounts.set('HOUSE_EUR', { instantMax: euros('20') })).instantMax, '20')
  await assert.rejects(
    accounts.set('HOUSE_EUR', { payoutFormat: 'NONE', instantMax: euros('5') }),
    problem('INVALID', /set their format first/),
  )
  const without = await accounts.set('HOUSE_EUR', { payoutFormat: 'NONE' })
  assert.deepEqual([without.payoutFormat, without.instantMax], [undefined, undefined])
})

test('what cannot be an account is refused with the sentence that says why', async (t) => {
  const accounts = createBankAccountAdministration({ db: await open(t) })
  const { iban: _, bic: __, ...bare } = EUR
  const cases: readonly (readonly [BankAccountDraft, RegExp])[] = [
    [{ ...EUR, iban: 'DE89370400440532013001' }, /wrong check digits/],
    [{ ...EUR, bic: 'COBA' }, /is no BIC/],
    [{ ...EUR, holder: 'a\nb' }, /holder is one line/],
    [{ ...EUR, iban: 'FR1420041010050500013M02606', bic: undefined }, /goes with the BIC/],
    [bare, /Say where money goes/],
    [{ ...bare, accountNumber: '1234' }, /code of its bank/],
    [{ ...EUR, upiAddress: 'a@bank' }, /for INR/],
    [{ ...bare, currencyCode: 'INR', upiAddress: 'nobody' }, /no UPI address/],
    [{ ...bare, currencyCode: 'BRL', pixKey: '12', address: { town: 'Recife' } }, /no PIX key/],
    [{ ...bare, currencyCode: 'BRL', pixKey: '111.444.777-36', address: { town: 'Recife' } }, /check digits/],
    [{ ...bare, currencyCode: 'INR', upiAddress: 'house' }, /no UPI address/],
    [{ ...bare, currencyCode: 'BRL', pixKey: 'a@b.example' }, /needs a town/],
    [{ ...bare, currencyCode: 'BTC', accountNumber: '1', bankCode: '1' }, /BTC needs one/],
    [{ ...bare, currencyCode: 'BTC', bitcoinAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb' }, /checksum/],
    [{ ...bare, currencyCode: 'INR', upiAddress: 'shop@bank', payoutFormat: 'PAIN_001_001_03' }, /Files/],
    [{ ...EUR, payoutFormat: 'NONE', instantMax: euros('5') }, /set their format first/],
    [{ ...EUR, instantMax: euros('0.001') }, /an amount in EUR/],
    [{ ...EUR, instantMax: euros('-1') }, /an amount in EUR/],
    [{ ...EUR, currencyCode: 'CHF', instantMax: euros('5') }, /are in EUR/],
  ]
  for (const [draft, says] of cases)
    await assert.rejects(accounts.add(draft, false), problem('INVALID', says))
  await assert.rejects(accounts.add({ ...EUR, currencyCode: 'XXX' }, false), problem('NOT_FOUND', /XXX/))
  await assert.rejects(accounts.set('NONE', {}), problem('NOT_FOUND', /no account NONE/))
  await accounts.add(EUR, false)
  await assert.rejects(accounts.add(EUR, false), problem('CONFLICT', /there already/))
  assert.equal((await accounts.list()).length, 1)
})

test('a statement finds the account in whatever way it names it, also when it is retired', async (t) => {
  const db = await open(t)
  const accounts = createBankAccountAdministration({ db })
  await accounts.add(EUR, false)
  await accounts.add(
    { ...EUR, code: 'CZ', currencyCode: 'CZK', iban: 'CZ6508000000192000145399', bic: 'GIBACZPX' },
    false,
  )
  await accounts.retire('CZ')
  const codeOf = async (name: Parameters<typeof findBankAccount>[1]): Promise<string | undefined> =>
    (await findBankAccount(db, name))?.code
  assert.equal(await codeOf({ iban: 'de89 3704 0044 0532 0130 00' }), 'HOUSE_EUR')
  assert.equal(await codeOf({ accountNumber: '532013000', bankCode: '37040044' }), 'HOUSE_EUR')
  assert.equal(await codeOf({ accountNumber: '532013000', bankCode: 'COBADEFF' }), 'HOUSE_EUR')
  assert.equal(await codeOf({ accountNumber: '19-2000145399', bankCode: '0800' }), 'CZ')
  assert.equal(await codeOf({ accountNumber: '532013000', bankCode: '10000000' }), undefined)
  assert.equal(await codeOf({ iban: 'DE89370400440532013000', currencyCode: 'USD' }), undefined)
  await accounts.add({ ...EUR, code: 'USD', currencyCode: 'USD' }, false)
  assert.equal(await codeOf({ iban: 'DE89370400440532013000' }), undefined)
  assert.equal(await codeOf({ iban: 'DE89370400440532013000', currencyCode: 'USD' }), 'USD')
})

test('the database keeps what names an account, and no account is deleted', async (t) => {
  const db = await open(t)
  await createBankAccountAdministration({ db }).add(EUR, false)
  const refused = /never changed or deleted/
  const text = "update bank_accounts set iban = 'NL91ABNA0417164300'"
  await assert.rejects(db.rows({ name: 'test_rename', text }, []), refused)
  await assert.rejects(db.rows({ name: 'test_delete', text: 'delete from bank_accounts' }, []), refused)
})

test('a running process learns of a new default account', async (t) => {
  const db = await open(t)
  const accounts = createBankAccountAdministration({ db })
  const changes = watchConfiguration({ db, clock: systemClock, log })
  const directory = createBankAccountDirectory({ db, changes, log })
  assert.throws(() => directory.defaultOf('EUR'), /before it was started/)
  await directory.start()
  await changes.start()
  t.after(() => changes.stop())
  assert.equal(directory.defaultOf('EUR'), undefined)
  await accounts.add(EUR, false)
  await waitUntil(() => directory.defaultOf('EUR')?.code === 'HOUSE_EUR', {
    timeoutMs: 10_000,
    what: 'the new account',
  })
})

test('the sandbox gets an account for every currency it can pay in, and a retired one stays retired', async (t) => {
  const db = await open(t)
  await seedSandboxBankAccounts(db)
  const accounts = createBankAccountAdministration({ db })
  const seeded = await listBankAccounts(db)
  assert.deepEqual(
    seeded.map(({ currencyCode }) => currencyCode),
    ['BRL', 'BTC', 'CZK', 'EUR', 'INR', 'JPY', 'KWD', 'USD'],
  )
  for (const { isDefault, createdAt: _, status: __, ...account } of seeded) {
    assert.ok(isDefault)
    // What is seeded passes what an operator's own would.
    assert.deepEqual(readDraft({ ...account, payoutFormat: account.payoutFormat ?? 'NONE' }), account)
    await accounts.retire(account.code)
  }
  await seedSandboxBankAccounts(db)
  assert.ok((await listBankAccounts(db)).every(({ status }) => status === 'RETIRED'))
})
