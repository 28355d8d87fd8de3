import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { addMerchant } from '../support/merchant.ts'
import { mt940 } from '../support/mt940.ts'
import { operatorsOf } from '../support/operators.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// What merchants have, for operators: by whom it is read, and that the parts are those of the merchants and of the whole.

const gateway = await startGateway({ after })
const { get } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  catalogue: ['carl', 'CATALOGUE'],
})
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const merchant = await addMerchant(gateway, 'OTHER')
await gateway.cli('merchants', 'enable-method', 'OTHER', 'all')
const other = await merchant.token(...PAYOUT_OPERATIONS)

const rowsOf = async (path: string): Promise<readonly unknown[]> =>
  listAt(expectSuccess(await get('auditor', path), 200), 'data')
const namesOf = (rows: readonly unknown[]): readonly string[] =>
  rows.map((row) => `${textAt(row, 'merchantCode')} ${textAt(row, 'currencyCode')}`)

test('S116 GET /operator/balances → 200, GET /operator/balances → 400, GET /operator/balances → 410, GET /operator/balances/totals → 200: as merchants read them, page by page, and together with what is nobody’s; for readers of the books alone', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '100' })
  await fundBalance(gateway, other, { id: newId(), amount: '50.25' })
  await createPayout(gateway, token, { id: newId(), amount: '30', email: 'approval@sandbox.test' })

  const [demo] = await rowsOf('balances?merchantCode=DEMO&currencyCode=EUR')
  const own = await gateway.send({ method: 'GET', path: '/balances?currencyCodes=EUR', token })
  const [read] = listAt(expectSuccess(own, 200), 'data')
  for (const part of ['balance', 'available', 'notSettled', 'reserved'] as const)
    assert.equal(String(at(demo, part)), String(at(read, part, 'amount')), part)

  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const page = expectSuccess(await get('auditor', `balances?limit=1${cursor}`), 200)
    seen.push(...namesOf(listAt(page, 'data')))
    const next = at(page, 'nextCursor')
    if (typeof next !== 'string') break
    cursor = `&cursor=${next}`
  }
  assert.deepEqual(seen, namesOf(await rowsOf('balances?limit=100')))
  assert.ok(seen.includes('DEMO EUR') && seen.includes('OTHER EUR'))

  const totalOf = async (): Promise<unknown> =>
    (await rowsOf('balances/totals')).find((row) => at(row, 'currencyCode') === 'EUR')
  const total = await totalOf()
  for (const part of ['available', 'notSettled', 'reserved', 'receivable'] as const) {
    const parts = (await rowsOf('balances?currencyCode=EUR')).map((row) => Number(at(row, part)))
    const sum = parts.reduce((before, amount) => before + amount, 0)
    assert.equal(Number(at(total, part)).toFixed(2), sum.toFixed(2), part)
  }
  assert.equal(Number(at(total, 'suspense')), 0)
  const file = join(gateway.dataDir, 'stranger.sta')
  writeFileSync(file, mt940([['77.70', 'a gift']]))
  const key = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
  await gateway.cli('statements', 'import', file, ...key)
  assert.equal(Number(at(await totalOf(), 'suspense')), 77.7)
  assert.match((await gateway.cli('balances', 'totals')).stdout, /^EUR +2 .* 77\.7$/m)
  assert.match((await gateway.cli('balances', 'list', '--merchant', 'OTHER')).stdout, /^OTHER +EUR +/m)

  for (const path of ['balances', 'balances/totals'])
    expectError(await get('catalogue', path), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await get('auditor', 'balances?merchantCode=NOBODY'), 410, 'ENTITY_NOT_FOUND')
  for (const query of ['currencyCode=eur', 'limit=0', `cursor=${Buffer.from("1 EU'").toString('base64url')}`])
    expectError(await get('auditor', `balances?${query}`), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('money in suspense is in the journal and in its export, without a merchant', async () => {
  const period = { from: '2026-01-01', to: new Date().toISOString() }
  const path = `journal/export?from=${period.from}&to=${period.to}&columns=M%3DmerchantCode,A%3Daccount,B%3Damount`
  await waitUntil(async () => (await get('auditor', path)).status !== 400, {
    timeoutMs: 60_000,
    what: 'the period to be over and all of it to be in the journal',
  })
  const csv = await get('auditor', path)
  assert.equal(csv.status, 200)
  assert.match(csv.text, /\r\n,CLEARING,-77\.7\r\n,SUSPENSE,77\.7\r\n/)
  const lines = await get('auditor', `${path}&format=jsonl`)
  assert.match(lines.text, /^\{"M":"","A":"SUSPENSE","B":"77\.7"\}$/m)

  const entry = (await rowsOf('journal?limit=100')).find((row) => at(row, 'event') === 'SUSPENSE_RECEIVED')
  assert.equal(at(entry, 'merchantCode'), undefined)
  const key = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
  const options = ['--from', period.from, '--to', period.to, ...key]
  assert.match(
    (await gateway.cli('ledger', 'export', ...options)).stdout,
    /,,[^,]+,[^,]+,SUSPENSE,EUR,,77\.7,/,
  )
  assert.match((await gateway.cli('ledger', 'journal', ...key)).stdout, /Z? +SUSPENSE_RECEIVED /)
})
