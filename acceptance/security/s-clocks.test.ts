import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { ALL_OPERATIONS, addMerchant } from '../support/merchant.ts'
import { operatorsOf } from '../support/operators.ts'
import { createPayin, newId } from '../support/payins.ts'

// Clocks of the sandbox: who moves them, how far, and that neither real money nor what was noted is ever touched.

const gateway = await startGateway({ after })
const { get, post } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  support: ['susi', 'SUPPORT'],
  finance: ['fred', 'FINANCE'],
  admin: ['adam', 'ADMIN'],
})
const advance = (
  code: string,
  seconds: unknown,
  name: 'support' | 'auditor' | 'finance' | 'admin' = 'support',
) => post(name, `clocks/${code}/!advance`, { seconds })
const sql = (text: string) => runSql(gateway.databaseUrl ?? '', text)

test('S118 POST /operator/clocks/{merchantCode}/!advance → 200, POST /operator/clocks/{merchantCode}/!advance → 400, POST /operator/clocks/{merchantCode}/!advance → 410, GET /operator/clocks/{merchantCode} → 400, GET /operator/clocks/{merchantCode} → 410: by SUPPORT alone, forwards alone, and in the record', async () => {
  for (const name of ['auditor', 'finance', 'admin'] as const)
    expectError(await advance('DEMO', 60, name), 403, 'OPERATION_NOT_PERMITTED')
  for (const seconds of [0, -60, 34_560_001])
    expectError(await advance('DEMO', seconds), 400, 'ATTRIBUTE_VALUE_INVALID')
  for (const seconds of [1.5, '60', null])
    expectError(await advance('DEMO', seconds), 400, 'ATTRIBUTE_INVALID')
  expectError(await advance('NOBODY', 60), 410, 'ENTITY_NOT_FOUND')
  expectError(await get('auditor', 'clocks/NOBODY'), 410, 'ENTITY_NOT_FOUND')
  expectError(await get('auditor', 'clocks/a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
  assert.equal(at(expectSuccess(await get('auditor', 'clocks/DEMO'), 200), 'advancedSeconds'), 0)
  expectSuccess(await advance('DEMO', 34_560_000), 200)
  const requests = listAt(expectSuccess(await get('auditor', 'requests?limit=20'), 200), 'data')
  assert.ok(
    requests.some(
      (each) => textAt(each, 'operation') === 'advanceClock' && textAt(each, 'operatorCode') === 'susi',
    ),
  )
})

test('S119 POST /operator/clocks/{merchantCode}/!advance → 406: never of a merchant with real money, and the database refuses it as well', async () => {
  const merchant = await addMerchant(gateway, 'REAL')
  await gateway.cli('merchants', 'enable-method', 'REAL', 'all')
  const id = newId()
  await createPayin(gateway, await merchant.token(...ALL_OPERATIONS), { id })
  // As if it was accepted when this installation was live.
  await sql(`update payments set is_test = false where id_payment = '${id}'`)
  expectError(await advance('REAL', 60), 406, 'CLOCK_NOT_MOVABLE')
  assert.equal(at(expectSuccess(await get('auditor', 'clocks/REAL'), 200), 'advancedSeconds'), 0)
  await assert.rejects(
    sql(`insert into clock_advances (merchant_id, advance_no, seconds, total_seconds, advanced_by)
      select merchant_id, 1, 60, 60, 'susi' from merchants where merchant_code = 'REAL'`),
    /real time/,
  )
})

test('S120 what was advanced stays noted: it is neither changed nor removed', async () => {
  expectSuccess(await advance('DEMO', 60), 200)
  for (const text of [
    'delete from clock_advances',
    'update clock_advances set seconds = 1',
    'truncate clock_advances',
  ])
    await assert.rejects(sql(text), /never set back/)
})
