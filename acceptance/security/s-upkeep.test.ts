import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'

// Upkeep: who may, what a repeat does, and who sees it afterwards.

const gateway = await startGateway({ after })
const { get, post } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  support: ['susi', 'SUPPORT'],
  finance: ['fred', 'FINANCE'],
  approver: ['anna', 'APPROVER'],
  catalogue: ['carl', 'CATALOGUE'],
  admin: ['adam', 'ADMIN'],
})

/** What the audit log shows of it, the newest first. */
const acts = async (query: string): Promise<readonly unknown[]> =>
  listAt(expectSuccess(await get('auditor', `audit?limit=100&${query}`), 200), 'data')

test('D78 POST /operator/operators/{operatorCode}/!disable → 403: an operator is disabled in the name of another ADMIN, or at the machine; both are in the audit log', async () => {
  await gateway.cli('operators', 'create', 'otto', '--role', 'SUPPORT')
  for (const name of ['auditor', 'support', 'finance', 'approver', 'catalogue'] as const)
    expectError(await post(name, 'operators/otto/!disable'), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await post('admin', 'operators/adam/!disable'), 403, 'OPERATION_NOT_PERMITTED')
  assert.match((await gateway.cli('operators', 'disable', 'otto')).stdout, /^Status +DISABLED$/m)
  // Twice changes nothing, here or there.
  await gateway.cli('operators', 'disable', 'otto')
  await gateway.cli('operators', 'disable', 'otto', '--local')
  await gateway.cli('operators', 'enable', 'otto')
  await gateway.cli('operators', 'disable', 'otto', '--local')
  const of = ['kind', 'operatorCode', 'act', 'program', 'changeCount'] as const
  const noted = (await acts('subject=otto')).map((act) => of.map((name) => at(act, name)))
  assert.deepEqual(noted.slice(0, 4), [
    ['LOCAL', undefined, undefined, 'tollgate command', 1],
    ['ACT', 'alan', 'enableOperator', undefined, 1],
    ['ACT', 'alan', 'disableOperator', undefined, 0],
    ['ACT', 'alan', 'disableOperator', undefined, 1],
  ])
})
