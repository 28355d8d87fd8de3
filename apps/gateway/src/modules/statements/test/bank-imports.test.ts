import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FileProblem } from '../errors.ts'
import type { NamedAccount } from '../formats/parsed.ts'
import { readStatementFile } from '../formats/recognise.ts'
import { bankFile, SKIPPED_WITHOUT_DATA } from './bank-files.ts'
import { faultsOf, openRig, type Rig } from './rig.ts'

const FILES = [
  'camt/camt053.v2.five.decimals.xml',
  'camt/camt053.v2.minimal.xml',
  'camt/camt053.v2.multi.statement.xml',
  'camt/camt053.v4.xml',
  'camt/camt054.v2.xml',
  'camt/camt054.v8.xml',
  'mt940/betterplace-sepa_mt9401.sta',
  'mt940/cmxl-mt940.sta',
  'mt940/jejik-abnamro.sta',
  'mt940/jejik-generic.sta',
  'mt940/jejik-rabobank.sta',
  'mt940/self-provided-multiline.sta',
] as const

const REGISTER = `insert into bank_accounts (account_code, currency_code, holder, bank_name, iban, account_number, bank_code, is_default)
  values ($1, $2, 'Us', 'Bank', $3, $4, $5, false)`

/** By what an account can be ours: its IBAN, its number, or, where the bank calls it by neither, a number of our own. */
function namesOf({ iban, accountNumber, bankCode = 'BANK' }: NamedAccount): readonly (string | null)[] {
  if (iban !== undefined) return [iban, null, null]
  const number = accountNumber?.replace(/[. ]/g, '') ?? ''
  return [null, isNumber(number) ? number : OWN_NUMBER, bankCode]
}

const OWN_NUMBER = '1'
const isNumber = (text: string): boolean => /^[A-Z0-9-]+$/.test(text)

/** Makes the accounts of the file ours. The code of one that has to be named beside the file. */
async function registerAccounts(rig: Rig, bytes: Buffer): Promise<string | undefined> {
  const known = new Map<string, { readonly code: string; readonly isNamed: boolean }>()
  for (const { account, currencyCode } of readStatementFile(bytes).statements) {
    const name = `${account.text} ${currencyCode}`
    if (known.has(name)) continue
    const code = `OWN_${known.size}`
    const names = namesOf(account)
    known.set(name, { code, isNamed: names.includes(OWN_NUMBER) })
    await rig.sql(
      `insert into currencies (currency_code, name, type, minor_units) values ($1, $1, 'FIAT', 2) on conflict do nothing`,
      [currencyCode],
    )
    await rig.sql(REGISTER, [code, currencyCode, ...names])
  }
  return [...known.values()].find(({ isNamed }) => isNamed)?.code
}

for (const name of FILES) {
  test(`${name} is imported, line by line, once`, { skip: SKIPPED_WITHOUT_DATA }, async (t) => {
    const rig = await openRig(t)
    const bytes = bankFile(name)
    const accountCode = await registerAccounts(rig, bytes)
    const order = { fileName: name, bytes, actor: 'operator:ada', accountCode }
    const taken = await rig.statements.take(order)
    const read = readStatementFile(bytes).statements.flatMap(({ entries }) =>
      entries.flatMap(({ parts }) => parts.map(({ amount }) => amount)),
    )
    const stored = await rig.sql(
      'select trim_scale(amount)::text as amount from statement_lines order by line_id',
    )
    assert.equal(taken.kind, 'TAKEN')
    assert.equal(
      stored.length + taken.statements.reduce((sum, { knownCount }) => sum + knownCount, 0),
      read.length,
    )
    for (const { amount } of stored) assert.ok(read.some((each) => each === String(amount)))
    assert.equal((await rig.statements.take(order)).kind, 'KNOWN')
    assert.deepEqual(await faultsOf(rig), [])
  })
}

test('the one that is wrong is refused, and nothing of it is stored', {
  skip: SKIPPED_WITHOUT_DATA,
}, async (t) => {
  const rig = await openRig(t)
  const wrong = { fileName: 'wrong.xml', bytes: bankFile('camt/camt053.v2.wrong.xml'), actor: 'operator:ada' }
  await assert.rejects(rig.statements.take(wrong), FileProblem)
  const [left] = await rig.sql(
    'select (select count(*) from statement_files) + (select count(*) from statement_lines) as count',
  )
  assert.equal(Number(left?.['count']), 0)
})
