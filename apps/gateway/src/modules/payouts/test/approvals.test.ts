import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import { codesOf } from '../../../test/support/shop.ts'
import { readRequest } from '../../payments/index.ts'
import { requestApproval } from '../index.ts'
import { ACCOUNT, bodyOf, decisionOn, keyOf, openRig, phaseOf, type Rig, reaches } from './rig.ts'

const WAITS = { method: { emailAddress: 'approval@sandbox.test' } }

/** A payout that waits for two operators. */
async function openWaiting(t: TestLife): Promise<Rig> {
  const rig = await openRig(t)
  await rig.fund('1000', 'EUR')
  await rig.create('P-1', WAITS)
  return rig
}

const approve = async (rig: Rig, operator: string) =>
  rig.approvals.approve({ ...(await decisionOn(rig, 'P-1', operator)), reason: undefined })

test('two different operators send a payout off, and it is handed over once', async (t) => {
  const rig = await openWaiting(t)
  rig.startWorker()
  const first = await approve(rig, 'ada')
  assert.equal(first.payment.processorStatus, 'AWAITING_APPROVAL')
  assert.deepEqual(
    first.approvals.map(({ operatorCode }) => operatorCode),
    ['ada'],
  )
  assert.deepEqual(await codesOf(approve(rig, 'ada')), ['APPROVAL_REPEATED'])
  await approve(rig, 'grace')
  await reaches(rig, 'P-1', 'SUCCESS')
  assert.deepEqual(await codesOf(approve(rig, 'edsger')), ['APPROVAL_NOT_OPEN'])
  const timeline = await rig.payments.listTimeline(keyOf(rig, 'P-1'))
  assert.deepEqual(
    timeline.map(({ processorStatus, actor, reason }) => [processorStatus, actor, reason]),
    [
      ['AWAITING_APPROVAL', 'merchant', undefined],
      ['AWAITING_APPROVAL', 'operator:ada', 'approved, 1 of 2'],
      ['QUEUED', 'operator:grace', 'approved by ada and grace'],
      ['SUBMITTED', 'worker', undefined],
      ['CONFIRMED', 'rail:sandbox', undefined],
    ],
  )
  assert.deepEqual(await rig.booksFindings(), [])
})

test('of many operators at once two count, the others hear that it is over, and one cannot count twice', async (t) => {
  const rig = await openWaiting(t)
  const decision = await decisionOn(rig, 'P-1', '')
  const operators = ['ada', 'ada', 'ada', 'grace', 'grace', 'edsger', 'barbara']
  const outcomes = await Promise.all(
    operators.map((operatorCode) =>
      rig.approvals.approve({ ...decision, operatorCode, reason: undefined }).then(
        () => 'APPROVED',
        (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'FAULT'),
      ),
    ),
  )
  assert.equal(outcomes.filter((outcome) => outcome === 'APPROVED').length, 2)
  assert.ok(outcomes.every((outcome) => outcome !== 'FAULT'))
  const approvers = await rig.sql('select distinct operator_code from payout_approvals')
  assert.equal(approvers.length, 2)
  assert.equal((await rig.sql(`select 1 from payment_tasks where task = 'RAIL'`)).length, 1)
})

const CHANGES = {
  amount: 'update payments set amount = 999',
  currency: `update payments set currency_code = 'USD'`,
  fee: 'update payments set fee_amount = 0',
  method: `update payments set method_code = 'WALLET'`,
  operator: `update payments set operator_code = 'OTTER_WALLET'`,
  rail: `update payments set rail = 'other'`,
  reference: `update payments set reference = 'OTHER'`,
  request: `update payments set request_digest = '\\x01'`,
  beneficiary: `update payments set beneficiary_digest = '\\x01'`,
  'data of the person': `update payment_personal_data set sealed = '\\x01'`,
  'key to the data of the person': `update payment_personal_data set data_key = '\\x01'`,
  'data of the person that is gone': 'update payment_personal_data set sealed = null, data_key = null',
} as const

for (const [what, change] of Object.entries(CHANGES)) {
  test(`an approval of other content does not count: ${what}`, async (t) => {
    const rig = await openWaiting(t)
    const seen = await decisionOn(rig, 'P-1', 'grace')
    await approve(rig, 'ada')
    await rig.sql(change)
    const stale = rig.approvals.approve({ ...seen, reason: undefined })
    assert.deepEqual(await codesOf(stale), ['APPROVAL_CONTENT_CHANGED'])
    const rejection = rig.approvals.reject({ ...seen, reason: 'no' })
    assert.deepEqual(await codesOf(rejection), ['APPROVAL_CONTENT_CHANGED'])
    const view = await approve(rig, 'grace')
    assert.equal(view.payment.processorStatus, 'AWAITING_APPROVAL')
    assert.deepEqual(
      view.approvals.map(({ operatorCode }) => operatorCode),
      ['grace'],
    )
    assert.equal((await approve(rig, 'ada')).payment.processorStatus, 'QUEUED')
  })
}

test('twelve digits of the hash are enough, and wrong ones are refused', async (t) => {
  const rig = await openWaiting(t)
  const decision = await decisionOn(rig, 'P-1', 'ada')
  const wrong = { ...decision, contentHash: '0'.repeat(64), reason: undefined }
  assert.deepEqual(await codesOf(rig.approvals.approve(wrong)), ['APPROVAL_CONTENT_CHANGED'])
  const contentHash = decision.contentHash.slice(0, 12)
  assert.equal(
    (await rig.approvals.approve({ ...decision, contentHash, reason: 'checked' })).approvals.length,
    1,
  )
})

test('one rejection ends it: cancelled with the reason, called back, and its money is free', async (t) => {
  const rig = await openWaiting(t)
  assert.deepEqual(await rig.holdings(), ['899.5', '100.5'])
  await approve(rig, 'ada')
  const view = await rig.approvals.reject({
    ...(await decisionOn(rig, 'P-1', 'ada')),
    reason: 'The account is not theirs.',
  })
  const { status, failure } = view.payment
  assert.deepEqual(
    [status, failure?.code, failure?.message],
    ['CANCELLED', 'APPROVAL_REJECTED', 'The account is not theirs.'],
  )
  assert.deepEqual(await rig.holdings(), ['1000', '0'])
  assert.equal((await rig.sql('select 1 from callback_events')).length, 1)
  assert.deepEqual(await rig.sql('select 1 from payment_tasks'), [])
  assert.deepEqual(await codesOf(approve(rig, 'grace')), ['APPROVAL_NOT_OPEN'])
  assert.deepEqual(await rig.booksFindings(), [])
})

test('what nobody approves in time expires, its money is free, and until a worker comes nobody approves it', async (t) => {
  const rig = await openWaiting(t)
  await approve(rig, 'ada')
  await rig.sql(`update payments set expire_at = clock_timestamp() - interval '1 s'`)
  await rig.sql(`update payment_tasks set due_at = clock_timestamp()`)
  assert.deepEqual(await codesOf(approve(rig, 'grace')), ['APPROVAL_NOT_OPEN'])
  rig.startWorker()
  await reaches(rig, 'P-1', 'EXPIRED')
  assert.deepEqual(await rig.holdings(), ['1000', '0'])
  assert.deepEqual(await rig.booksFindings(), [])
})

test('an account that is blocked meanwhile is not approved', async (t) => {
  const rig = await openWaiting(t)
  await approve(rig, 'ada')
  await rig.payoutSettings.block({ merchantId: undefined, accountNumbers: [ACCOUNT], by: 'ada' })
  assert.deepEqual(await codesOf(approve(rig, 'grace')), ['BENEFICIARY_BLOCKED'])
  assert.equal(await phaseOf(rig, 'P-1'), 'AWAITING_APPROVAL')
  await rig.approvals.reject({ ...(await decisionOn(rig, 'P-1', 'grace')), reason: 'blocked' })
})

test('who asked for a payment of the gateway does not approve it, but may call it off', async (t) => {
  const rig = await openRig(t)
  await rig.fund('1000', 'EUR')
  await rig.intake.create({
    caller: rig.caller,
    key: { ...keyOf(rig, 'S-1'), kind: 'SETTLEMENT' },
    direction: 'PAYOUT',
    request: readRequest(rig.caller, {
      ...bodyOf(),
      callbackUrl: undefined,
      requested: bodyOf().paymentRequested,
      requestedField: 'money',
    }),
    prepare: (tx, payment) => requestApproval(tx, payment, { reasons: ['SETTLEMENT'], requestedBy: 'grace' }),
  })
  const order = {
    kind: 'SETTLEMENT',
    merchantCode: undefined,
    waiting: 'AWAITING_APPROVAL',
    after: undefined,
    limit: 5,
  } as const
  const [view] = (await rig.approvals.list(order)).items
  assert(view)
  assert.deepEqual([view.waitsBecause, view.requestedBy], [['SETTLEMENT'], 'grace'])
  const decision = {
    kind: 'SETTLEMENT' as const,
    merchantCode: view.merchantCode,
    idPayment: 'S-1',
    contentHash: view.contentHash,
  }
  const own = rig.approvals.approve({ ...decision, operatorCode: 'grace', reason: undefined })
  assert.deepEqual(await codesOf(own), ['APPROVAL_OWN_REQUEST'])
  await rig.approvals.approve({ ...decision, operatorCode: 'ada', reason: undefined })
  const end = await rig.approvals.reject({ ...decision, operatorCode: 'grace', reason: 'a mistake' })
  assert.equal(end.payment.status, 'CANCELLED')
  assert.deepEqual(await rig.holdings(), ['1000', '0'])
})

test('what does not exist, or does not wait, cannot be decided about', async (t) => {
  const rig = await openWaiting(t)
  await rig.create('P-2')
  const decision = { ...(await decisionOn(rig, 'P-2', 'ada')), reason: 'x' }
  assert.deepEqual(await codesOf(rig.approvals.approve(decision)), ['APPROVAL_NOT_OPEN'])
  assert.deepEqual(await codesOf(rig.approvals.reject(decision)), ['APPROVAL_NOT_OPEN'])
  for (const missing of [{ idPayment: 'NONE' }, { merchantCode: 'NOBODY' }, { kind: 'SETTLEMENT' as const }])
    assert.deepEqual(await codesOf(rig.approvals.approve({ ...decision, ...missing })), ['ENTITY_NOT_FOUND'])
})

test('the list comes in pages, shows the end of an account only, and only what waits where that is asked', async (t) => {
  const rig = await openRig(t)
  await rig.fund('10000', 'EUR')
  for (let index = 0; index < 7; index += 1) await rig.create(`P-${index}`, index % 2 === 0 ? WAITS : {})
  const page = { kind: 'PAYOUT', merchantCode: undefined, limit: 3, after: undefined } as const
  const idsOf = async (isAwaiting: boolean): Promise<readonly string[]> => {
    const ids: string[] = []
    let after: Awaited<ReturnType<Rig['approvals']['list']>>['next']
    do {
      const { items, next } = await rig.approvals.list({
        ...page,
        waiting: isAwaiting ? 'AWAITING_APPROVAL' : undefined,
        after,
      })
      ids.push(...items.map(({ payment }) => payment.idPayment))
      after = next
    } while (after !== undefined)
    return ids
  }
  assert.deepEqual(await idsOf(false), ['P-6', 'P-5', 'P-4', 'P-3', 'P-2', 'P-1', 'P-0'])
  assert.deepEqual(await idsOf(true), ['P-6', 'P-4', 'P-2', 'P-0'])
  assert.deepEqual((await rig.view('P-1')).account, { accountNumber: '…3000' })
})

test('decisions cannot be changed or removed', async (t) => {
  const rig = await openWaiting(t)
  await approve(rig, 'ada')
  for (const change of [
    `update payout_approvals set operator_code = 'grace'`,
    'delete from payout_approvals',
    'truncate payout_approvals',
  ])
    await assert.rejects(rig.sql(change), /append-only/)
})
