import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { codesOf } from '../../../test/support/shop.ts'
import { ACCOUNT, approveAs, keyOf, OTHER_ACCOUNT, openRig, phaseOf, type Rig, reaches } from './rig.ts'

async function openFunded(...given: Parameters<typeof openRig>): Promise<Rig> {
  const rig = await openRig(...given)
  await rig.fund('10000', 'EUR')
  return rig
}

/** Sets a rule for payouts in EUR, and waits until this process knows of it. */
async function setRule(
  rig: Rig,
  rule: Omit<Parameters<Rig['payoutSettings']['setRule']>[0], 'merchantId' | 'currencyCode'>,
): Promise<void> {
  await rig.payoutSettings.setRule({ merchantId: rig.merchantId, currencyCode: 'EUR', ...rule })
  await waitUntil(
    async () => {
      const { amountFrom, newBeneficiary, dailySumFrom } = (await rig.policies.of(rig.merchantId)).rules.get(
        'EUR',
      ) ?? { amountFrom: undefined, newBeneficiary: false, dailySumFrom: undefined }
      return (
        amountFrom === rule.amountFrom &&
        newBeneficiary === (rule.newBeneficiary ?? false) &&
        dailySumFrom === rule.dailySumFrom
      )
    },
    { timeoutMs: 5_000, what: 'the rule to be known' },
  )
}

const storedRequests = (rig: Rig) =>
  rig.sql('select id_payment, reasons from payout_approval_requests order by id_payment')

test('a payout holds its amount and its fee, is handed over, and is paid', async (t) => {
  const rig = await openFunded(t)
  await rig.create('P-1')
  assert.deepEqual(await rig.holdings(), ['9899.5', '100.5'])
  assert.equal(await phaseOf(rig, 'P-1'), 'QUEUED')
  rig.startWorker()
  await reaches(rig, 'P-1', 'SUCCESS')
  assert.deepEqual(await rig.holdings(), ['9899.5', '0'])
  assert.deepEqual(await rig.booksFindings(), [])
})

test('a repeat is a duplicate when nothing is left, and when its method is gone', async (t) => {
  const rig = await openRig(t)
  await rig.fund('100.5', 'EUR')
  await rig.create('P-1')
  assert.deepEqual(await codesOf(rig.create('P-2')), ['BALANCE_INSUFFICIENT'])
  assert.deepEqual(await codesOf(rig.create('P-1')), ['ENTITY_DUPLICATED'])
  await rig.settings.disableMethod({
    merchantId: rig.merchantId,
    methodCode: 'BANK_TRANSFER',
    direction: 'PAYOUT',
  })
  await waitUntil(
    async () => (await codesOf(rig.create('P-3')))[0]?.startsWith('PAYMENT_METHOD_NOT') === true,
    {
      timeoutMs: 5_000,
      what: 'the method to be gone',
    },
  )
  assert.deepEqual(await codesOf(rig.create('P-1')), ['ENTITY_DUPLICATED'])
  assert.deepEqual(await codesOf(rig.create('P-1', { amount: 99 })), ['ENTITY_DUPLICATED'])
})

test('an amount from the threshold on waits, in the shared round trip and without a row of its own', async (t) => {
  const rig = await openFunded(t)
  await setRule(rig, { amountFrom: '100' })
  await rig.create('BELOW', { amount: { text: '99.99' } })
  await rig.create('AT', { amount: 100 })
  await rig.create('MAGIC', { amount: 1, method: { emailAddress: 'approval@sandbox.test' } })
  assert.deepEqual(
    [await phaseOf(rig, 'BELOW'), await phaseOf(rig, 'AT'), await phaseOf(rig, 'MAGIC')],
    ['QUEUED', 'AWAITING_APPROVAL', 'AWAITING_APPROVAL'],
  )
  assert.deepEqual(await storedRequests(rig), [])
  assert.deepEqual((await rig.view('AT')).waitsBecause, ['AMOUNT'])
  assert.deepEqual((await rig.view('MAGIC')).waitsBecause, ['OTHER'])
  assert.deepEqual((await rig.view('BELOW')).waitsBecause, [])
  rig.startWorker()
  await reaches(rig, 'BELOW', 'SUCCESS')
  assert.equal(await phaseOf(rig, 'AT'), 'AWAITING_APPROVAL')
})

test('a rule of one currency, and one that was taken away, makes nothing wait', async (t) => {
  const rig = await openFunded(t)
  await rig.fund('1000', 'USD')
  await setRule(rig, { amountFrom: '1' })
  await rig.create('DOLLARS', { currencyCode: 'USD' })
  assert.equal(await phaseOf(rig, 'DOLLARS'), 'QUEUED')
  await setRule(rig, {})
  await rig.create('FREE')
  assert.equal(await phaseOf(rig, 'FREE'), 'QUEUED')
  assert.deepEqual(await rig.sql('select 1 from payout_rules'), [])
})

test('an account waits until the merchant has paid it, however it is spelled; money that came back does not count', async (t) => {
  const rig = await openFunded(t)
  await setRule(rig, { newBeneficiary: true })
  await rig.create('FIRST')
  await rig.create('SECOND')
  assert.deepEqual(await storedRequests(rig), [
    { id_payment: 'FIRST', reasons: ['NEW_BENEFICIARY'] },
    { id_payment: 'SECOND', reasons: ['NEW_BENEFICIARY'] },
  ])
  assert.equal(await phaseOf(rig, 'SECOND'), 'AWAITING_APPROVAL')
  const key = keyOf(rig, 'FIRST')
  const received = { amount: (await rig.view('FIRST')).payment.money.amount, currencyCode: 'EUR' }
  await rig.payments.propose(key, {
    status: 'SUCCESS',
    actor: 'rail:test',
    evidence: { class: 'RAIL' },
    received,
  })
  await rig.create('KNOWN', { accountNumber: 'de89 3704-0044 0532 0130 00' })
  await rig.create('OTHER', { accountNumber: OTHER_ACCOUNT })
  assert.equal(await phaseOf(rig, 'KNOWN'), 'QUEUED')
  assert.equal(await phaseOf(rig, 'OTHER'), 'AWAITING_APPROVAL')
  await rig.payments.propose(key, { status: 'REVERSED', actor: 'rail:test', evidence: { class: 'RAIL' } })
  await rig.create('AGAIN')
  assert.equal(await phaseOf(rig, 'AGAIN'), 'AWAITING_APPROVAL')
})

test('an account that two operators approved is known, also before the money is there', async (t) => {
  const rig = await openFunded(t)
  await setRule(rig, { newBeneficiary: true })
  await rig.create('FIRST')
  await approveAs(rig, 'FIRST', 'ada')
  await rig.create('SECOND')
  assert.equal(await phaseOf(rig, 'SECOND'), 'AWAITING_APPROVAL')
  await approveAs(rig, 'FIRST', 'grace')
  await rig.create('THIRD')
  assert.equal(await phaseOf(rig, 'THIRD'), 'QUEUED')
})

test('of many at once exactly those wait that reach the sum of the day', async (t) => {
  const rig = await openFunded(t)
  await setRule(rig, { dailySumFrom: '500' })
  const ids = Array.from({ length: 20 }, (_, index) => `P-${index}`)
  await Promise.all(ids.map((id) => rig.create(id)))
  const phases = await Promise.all(ids.map((id) => phaseOf(rig, id)))
  assert.equal(phases.filter((phase) => phase === 'QUEUED').length, 4)
  assert.equal(phases.filter((phase) => phase === 'AWAITING_APPROVAL').length, 16)
  const [sum] = await rig.sql('select amount::float8 from payout_daily_sums')
  assert.equal(sum?.['amount'], 2000)
  assert.equal((await storedRequests(rig)).length, 16)
})

test('the sum of the day knows what was accepted before there was a rule', async (t) => {
  const rig = await openFunded(t)
  await rig.create('EARLIER', { amount: 450 })
  await rig.create('DOLLARS', { currencyCode: 'USD' }).catch(() => undefined)
  await setRule(rig, { dailySumFrom: '500' })
  await rig.create('SMALL', { amount: 49 })
  await rig.create('LAST', { amount: 1 })
  assert.equal(await phaseOf(rig, 'SMALL'), 'QUEUED')
  assert.equal(await phaseOf(rig, 'LAST'), 'AWAITING_APPROVAL')
  assert.deepEqual((await rig.view('LAST')).waitsBecause, ['DAILY_SUM'])
})

test('all reasons are kept, and an amount that waits is counted as well', async (t) => {
  const rig = await openFunded(t)
  await setRule(rig, { amountFrom: '100', newBeneficiary: true, dailySumFrom: '100' })
  await rig.create('P-1')
  assert.deepEqual((await rig.view('P-1')).waitsBecause, ['AMOUNT', 'NEW_BENEFICIARY', 'DAILY_SUM'])
})

test('what is refused, or was accepted before, counts nothing and stores no request', async (t) => {
  const rig = await openRig(t)
  await rig.fund('201', 'EUR')
  await setRule(rig, { newBeneficiary: true, dailySumFrom: '150' })
  await rig.create('P-1')
  const refused = [
    rig.create('P-1'),
    rig.create('P-1', { amount: 50 }),
    rig.create('TOO-MUCH', { amount: 150 }),
    rig.create('BAD', { accountNumber: 'DE89370400440532013001' }),
  ]
  assert.deepEqual(await Promise.all(refused.map(codesOf)), [
    ['ENTITY_DUPLICATED'],
    ['ENTITY_DUPLICATED'],
    ['BALANCE_INSUFFICIENT'],
    ['ACCOUNT_INVALID paymentMethod.account.accountNumber'],
  ])
  const [sum] = await rig.sql('select amount::float8 from payout_daily_sums')
  assert.equal(sum?.['amount'], 100)
  assert.deepEqual(await storedRequests(rig), [{ id_payment: 'P-1', reasons: ['NEW_BENEFICIARY'] }])
})

test('the caps of a day hold for payouts: by amount, by count, and what is refused counts nothing', async (t) => {
  const rig = await openRig(t, {
    prepare: async ({ settings, merchantId }) => {
      const limit = {
        merchantId,
        methodCode: 'BANK_TRANSFER',
        direction: 'PAYOUT',
        currencyCode: 'EUR',
      } as const
      await settings.setLimit({ ...limit, dailyAmountMax: '250', dailyCountMax: 2 })
    },
  })
  await rig.fund('10000', 'EUR')
  await setRule(rig, { dailySumFrom: '100000' })
  await rig.create('P-1')
  assert.deepEqual(await codesOf(rig.create('OVER', { amount: { text: '150.01' } })), ['CHANNEL_LIMIT'])
  await rig.create('P-2', { amount: 150 })
  assert.deepEqual(await codesOf(rig.create('P-3', { amount: 1 })), ['CHANNEL_LIMIT'])
  assert.deepEqual(await codesOf(rig.create('P-1')), ['ENTITY_DUPLICATED'])
  const [usage] = await rig.sql('select amount::float8, payments from payment_daily_usage')
  assert.deepEqual(usage, { amount: 250, payments: 2 })
  const [sum] = await rig.sql('select amount::float8 from payout_daily_sums')
  assert.equal(sum?.['amount'], 250)
  assert.deepEqual(await rig.holdings(), ['9749', '251'])
})

test('a blocked account is refused with its field, in every spelling, and a duplicate still goes first', async (t) => {
  const rig = await openFunded(t)
  const { payoutSettings, merchantId } = rig
  await rig.create('BEFORE')
  const blocked = { merchantId, accountNumbers: [ACCOUNT], by: 'ada' }
  assert.equal(await payoutSettings.block({ ...blocked, note: 'fraud' }), 1)
  assert.equal(await payoutSettings.block(blocked), 0)
  const refusal = ['BENEFICIARY_BLOCKED paymentMethod.account.accountNumber']
  const isKnown = async (digest: Buffer): Promise<boolean> =>
    (await rig.policies.of(merchantId)).blocks(digest)
  const [listed] = await payoutSettings.listBlocked(merchantId, 10)
  assert(listed)
  assert.deepEqual([listed.note, listed.createdBy], ['fraud', 'ada'])
  await waitUntil(() => isKnown(listed.digest), { timeoutMs: 5_000, what: 'the block to be known' })
  assert.deepEqual(await codesOf(rig.create('P-1')), refusal)
  assert.deepEqual(
    await codesOf(rig.create('P-1', { accountNumber: 'de89 3704 0044 0532 0130 00' })),
    refusal,
  )
  assert.deepEqual(await codesOf(rig.create('BEFORE')), ['ENTITY_DUPLICATED'])
  await rig.create('OTHER', { accountNumber: OTHER_ACCOUNT })
  assert.equal(await payoutSettings.unblock(blocked), 1)
  await waitUntil(async () => !(await isKnown(listed.digest)), {
    timeoutMs: 5_000,
    what: 'the account to be free',
  })
  await rig.create('P-1')
})

test('an account that the house blocks is blocked for every merchant', async (t) => {
  const rig = await openFunded(t)
  await rig.create('BEFORE')
  await rig.payoutSettings.block({ merchantId: undefined, accountNumbers: [ACCOUNT], by: 'ada' })
  await waitUntil(async () => (await rig.policies.of(rig.merchantId)).blocksAny, {
    timeoutMs: 5_000,
    what: 'the block to be known',
  })
  assert.deepEqual(await codesOf(rig.create('P-1')), [
    'BENEFICIARY_BLOCKED paymentMethod.account.accountNumber',
  ])
})

test('settings that cannot be right are refused with a sentence', async (t) => {
  const rig = await openRig(t)
  const { payoutSettings, merchantId } = rig
  const wrong = [
    [payoutSettings.setRule({ merchantId, currencyCode: 'XXX', amountFrom: '1' }), /no currency/],
    [payoutSettings.setRule({ merchantId, currencyCode: 'EUR', amountFrom: '0' }), /more than zero/],
    [payoutSettings.setRule({ merchantId, currencyCode: 'EUR', amountFrom: 'x' }), /not a number/],
    [payoutSettings.setRule({ merchantId, currencyCode: 'JPY', dailySumFrom: '1.5' }), /decimals/],
    [payoutSettings.block({ merchantId, accountNumbers: [], by: 'ada' }), /No account/],
    [payoutSettings.block({ merchantId, accountNumbers: ['--'], by: 'ada' }), /Line 1 names no account/],
    [payoutSettings.block({ merchantId, accountNumbers: ['A1'], by: 'ada', note: 'x'.repeat(251) }), /note/],
  ] as const
  for (const [work, says] of wrong) await assert.rejects(work, says)
})
