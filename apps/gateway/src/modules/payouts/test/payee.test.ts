import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { codesOf } from '../../../test/support/shop.ts'
import { formerDigestOf } from '../../payments/index.ts'
import { ACCOUNT, approveAs, OTHER_ACCOUNT, openRig, phaseOf, type Rig } from './rig.ts'

// Rows from before payees had an identity: docs/decisions/0028-payee-identity.md.

const NUMBER = {
  method: { account: { accountName: 'Ada', accountNumber: '12345', bankCode: '1000' } },
} as const
const REFUSAL = ['BENEFICIARY_BLOCKED paymentMethod.account.accountNumber']

async function openFunded(...given: Parameters<typeof openRig>): Promise<Rig> {
  const rig = await openRig(...given)
  await rig.fund('10000', 'EUR')
  return rig
}

test('D17 what was blocked before payees had an identity stays blocked, until it is taken off', async (t) => {
  const rig = await openFunded(t)
  await rig.sql(
    `insert into blocked_beneficiaries (merchant_id, beneficiary_digest, created_by) values (0, $1, 'ada')`,
    [formerDigestOf(rig.secrets, ACCOUNT)],
  )
  await waitUntil(async () => (await rig.policies.of(rig.merchantId)).blocksAny, {
    timeoutMs: 5_000,
    what: 'the block to be known',
  })
  assert.deepEqual(await codesOf(rig.create('P-1')), REFUSAL)
  const setting = { merchantId: undefined, accountNumbers: [ACCOUNT] }
  assert.equal(await rig.payoutSettings.unblock(setting), 1)
  await waitUntil(async () => !(await rig.policies.of(rig.merchantId)).blocksAny, {
    timeoutMs: 5_000,
    what: 'the account to be free',
  })
  await rig.create('P-1')
})

test('D17 a new block stops a payment from before at its approval, and is listed once', async (t) => {
  const rig = await openFunded(t)
  await rig.create('P-1', { method: { emailAddress: 'approval@sandbox.test' } })
  await rig.sql(`update payments set beneficiary_digest = $1`, [formerDigestOf(rig.secrets, ACCOUNT)])
  await rig.payoutSettings.block({ merchantId: undefined, accountNumbers: [ACCOUNT], by: 'ada' })
  assert.deepEqual(await codesOf(approveAs(rig, 'P-1', 'ada')), ['BENEFICIARY_BLOCKED'])
  assert.equal((await rig.payoutSettings.listBlocked(undefined, 10)).length, 1)
})

test('D17 an IBAN that was paid before payees had an identity is known, another account is not', async (t) => {
  const rig = await openFunded(t)
  await rig.create('P-1')
  await rig.create('P-2', NUMBER)
  for (const [id, account] of [
    ['P-1', ACCOUNT],
    ['P-2', '12345'],
  ] as const)
    await rig.sql(
      `update payments set beneficiary_digest = $2, status = 'SUCCESS', processor_status = 'SUCCESS' where id_payment = $1`,
      [id, formerDigestOf(rig.secrets, account)],
    )
  await rig.payoutSettings.setRule({ merchantId: rig.merchantId, currencyCode: 'EUR', newBeneficiary: true })
  await waitUntil(
    async () => (await rig.policies.of(rig.merchantId)).rules.get('EUR')?.newBeneficiary === true,
    { timeoutMs: 5_000, what: 'the rule to be known' },
  )
  await rig.create('P-3')
  await rig.create('P-4', NUMBER)
  await rig.create('P-5', { accountNumber: OTHER_ACCOUNT })
  assert.deepEqual(
    [await phaseOf(rig, 'P-3'), await phaseOf(rig, 'P-4'), await phaseOf(rig, 'P-5')],
    ['QUEUED', 'AWAITING_APPROVAL', 'AWAITING_APPROVAL'],
  )
})
