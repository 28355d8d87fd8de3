import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql } from '@tollgate/testkit'
import { examineRails } from '../doctor/rails.ts'
import { ownEnvironment, run } from './support.ts'

test('doctor names the methods whose rail is not there, or does not carry their direction', () => {
  const rails = new Map([['bank', ['PAYIN'] as const]])
  const pix = { methodCode: 'PIX', rail: 'bank' }
  assert.deepEqual(examineRails([{ ...pix, direction: 'PAYIN' }], rails), {
    name: 'rails',
    status: 'OK',
    message: 'bank; every method has a rail.',
  })
  const finding = examineRails(
    [
      { ...pix, direction: 'PAYIN' },
      { ...pix, direction: 'PAYOUT' },
      { methodCode: 'UPI', rail: 'gone', direction: 'PAYIN' },
    ],
    rails,
  )
  assert.equal(finding.status, 'FAIL')
  assert.match(finding.message, /: PIX PAYOUT \(bank\), UPI PAYIN \(gone\)\.$/)
})

test('doctor asks the catalogue: a rail that was named by hand and is not there is found', async (t) => {
  const environment = await ownEnvironment(t)
  const url = environment['TOLLGATE_DATABASE_URL'] ?? ''
  await runSql(
    url,
    `insert into payment_methods (method_code, name, flow, rail, expires_after_seconds) values ('OWN', 'Own', 'REDIRECT', 'nobody', 60);
    insert into merchants (merchant_code, channel_name) values ('SHOP', 'Shop');
    insert into merchant_methods (merchant_id, method_code, direction) select merchant_id, 'OWN', 'PAYIN' from merchants`,
  )
  const { stdout } = await run(['doctor'], environment)
  assert.match(
    stdout,
    /FAIL {2}rails .*: OWN PAYIN \(nobody\)\.\n +-> Add the rail to TOLLGATE_OPEN_RAILS_FILE/,
  )
  await runSql(url, `delete from merchant_methods where method_code = 'OWN'`)
  assert.match((await run(['doctor'], environment)).stdout, /ok {4}rails .*every method has a rail/)
})
