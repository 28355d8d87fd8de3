import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FileProblem } from '../errors.ts'
import { readStatementFile } from '../recognise.ts'
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

/** Makes the accounts of the file ours; those that banks call by no number get one, and are named beside the file. */
async function registerAccounts(rig: Rig, bytes: Buffer): Promise<string | undefined> {
  let named: string | undefined
  const known = new Set<string>()
  for (const { account, currencyCode } of readStatementFile(bytes).statements) {
    const name = `${account.text} ${currencyCode}`
    if (known.has(name)) continue
    known.add(name)
    const { iban } = account
    const accountNumber = account.accountNumber?.replace(/[. ]/g, '')
    if (iban === undefined && !/^[A-Z0-9-]+$/.test(accountNumber ?? '')) named = `OWN_${known.size}`
    await rig.sql(
      `insert into currencies (currency_code, name, type, minor_units) values ($1, $1, 'FIAT', 2) on conflict do nothing`,
      [currencyCode],
    )
    await rig.sql(
      `insert into bank_accounts (account_code, currency_code, holder, bank_name, iban, account_number, bank_code, is_default)
       values ($1, $2, 'Us', 'Bank', $3, $4, $5, false)`,
      [
        `OWN_${known.size}`,
        currencyCode,
        iban ?? null,
        iban === undefined ? (named === undefined ? accountNumber : '1') : null,
        iban === undefined ? (account.bankCode ?? 'BANK') : null,
      ],
    )
  }
  return named
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
