import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { Refusal } from '../../../platform/refusal.ts'
import { callerOf, codesOf, refusalOf } from '../../../test/support/shop.ts'
import { bodyOf, openRig } from './rig.ts'

test('a payin is stored as it was asked for, and answered with what the customer needs', async (t) => {
  const rig = await openRig(t)
  const accepted = await rig.payins.create(
    rig.caller,
    'ORD-1',
    bodyOf({ amount: { text: '149.90' }, segmentCode: 'VIP', returnUrl: 'https://shop.example/thanks' }),
  )
  const payment = await rig.payins.read(rig.caller, 'ORD-1')
  assert.deepEqual(payment.money, { amount: '149.9', currencyCode: 'EUR' })
  assert.deepEqual(
    [payment.methodCode, payment.segmentCode, payment.callbackUrl, payment.returnUrl],
    ['BANK_TRANSFER', 'VIP', 'https://shop.example/callbacks', 'https://shop.example/thanks'],
  )
  assert.deepEqual([payment.status, payment.processorStatus], ['CREATED', 'AWAITING_CUSTOMER'])
  assert.deepEqual([payment.createdAt, payment.expireAt], [accepted.acceptedAt, accepted.expireAt])
  assert.equal(payment.reference, accepted.payment.reference)
  assert.match(payment.reference, /^[0-9A-HJKMNP-TV-Z]{12}$/)
  assert(payment.isTest)
  assert.equal(rig.wakes(), 0)
})

test('an id is taken: the repeat hears whether it is the same request, however it is spelled', async (t) => {
  const rig = await openRig(t)
  const { acceptedAt } = await rig.payins.create(rig.caller, 'ORD-1', bodyOf({ amount: { text: '100.00' } }))
  const told = async (body = bodyOf()) => {
    const { code, details } = await refusalOf(rig.payins.create(rig.caller, 'ORD-1', body))
    return { code, ...details.extra }
  }
  const identical = {
    code: 'ENTITY_DUPLICATED',
    duplicate: 'IDENTICAL',
    acceptedAt: acceptedAt.toISOString(),
  }
  assert.deepEqual(await told(), identical)
  assert.deepEqual(await told(bodyOf({ amount: { text: '1e2' } })), identical)
  assert.deepEqual(await told(bodyOf({ callbackUrl: 'https://SHOP.example:443/callbacks' })), identical)
  for (const body of [bodyOf({ amount: 101 }), bodyOf({ callbackUrl: 'https://shop.example/other' })])
    assert.deepEqual(await told(body), { ...identical, duplicate: 'DIFFERENT' })
})

test('taken goes before what business says: limits, methods, URLs and caps', async (t) => {
  const rig = await openRig(t, {
    prepare: ({ settings, merchantId }) =>
      settings.setLimit({
        merchantId,
        direction: 'PAYIN',
        methodCode: 'BANK_TRANSFER',
        currencyCode: 'EUR',
        dailyCountMax: 1,
      }),
  })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf())
  for (const body of [
    bodyOf(),
    bodyOf({ amount: 100_000_000 }),
    bodyOf({ method: { paymentMethodCode: 'NONE' } }),
    bodyOf({ currencyCode: 'XXX' }),
    bodyOf({ callbackUrl: 'https://127.0.0.1/' }),
  ])
    assert.deepEqual(await codesOf(rig.payins.create(rig.caller, 'ORD-1', body)), ['ENTITY_DUPLICATED'])
  assert.deepEqual(await codesOf(rig.payins.create(rig.caller, 'ORD-2', bodyOf())), ['CHANNEL_LIMIT'])
})

test('50 at once under a cap of 10: exactly 10 are accepted, the others hear of the limit', async (t) => {
  const rig = await openRig(t, {
    prepare: ({ settings, merchantId }) =>
      settings.setLimit({
        merchantId,
        direction: 'PAYIN',
        methodCode: 'BANK_TRANSFER',
        currencyCode: 'EUR',
        dailyCountMax: 10,
      }),
  })
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      rig.payins.create(rig.caller, `ORD-${index}`, bodyOf()).then(
        () => 'accepted',
        (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
      ),
    ),
  )
  const counts = Map.groupBy(outcomes, (outcome) => outcome)
  assert.equal(counts.get('accepted')?.length, 10)
  assert.equal(counts.get('CHANNEL_LIMIT')?.length, 40)
})

test('first what is not valid, then what the token does not permit, then what business says', async (t) => {
  const rig = await openRig(t)
  const caller = callerOf(rig.caller.merchantId, { amount: '100', currencyCode: 'EUR' })
  const create = (body: ReturnType<typeof bodyOf>) => codesOf(rig.payins.create(caller, 'ORD-1', body))
  const wrongEverywhere = {
    amount: { text: '0' },
    callbackUrl: 'ftp://x',
    method: { paymentMethodCode: 'NONE' },
  }
  assert.deepEqual(await create(bodyOf(wrongEverywhere)), ['ATTRIBUTE_VALUE_INVALID'])
  assert.deepEqual(await create(bodyOf({ ...wrongEverywhere, amount: 7 })), ['ATTRIBUTE_VALUE_INVALID'])
  assert.deepEqual(await create(bodyOf({ amount: 7, method: { paymentMethodCode: 'NONE' } })), [
    'MONEY_NOT_PERMITTED',
  ])
  assert.deepEqual(await create(bodyOf({ method: { paymentMethodCode: 'NONE' } })), [
    'PAYMENT_METHOD_NOT_AVAILABLE paymentMethod.paymentMethodCode',
  ])
  await rig.payins.create(caller, 'ORD-1', bodyOf({ amount: { text: '100.0' } }))
  assert.deepEqual(await rig.sql('select count(*)::int as n from payments'), [{ n: 1 }])
})

test('options obey the token’s money and say why nothing is left', async (t) => {
  const rig = await openRig(t)
  const options = await rig.payins.listOptions(rig.caller, { money: { amount: 100, currencyCode: 'EUR' } })
  assert(options.some((option) => option.paymentMethodCode === 'BANK_TRANSFER'))
  const caller = callerOf(rig.caller.merchantId, { amount: '100', currencyCode: 'EUR' })
  const ask = (amount: number, currencyCode: string) =>
    codesOf(rig.payins.listOptions(caller, { money: { amount, currencyCode } }))
  assert.deepEqual(await ask(99, 'EUR'), ['MONEY_NOT_PERMITTED'])
  const { details } = await refusalOf(
    rig.payins.listOptions(rig.caller, { money: { amount: 1_000_000_000, currencyCode: 'EUR' } }),
  )
  assert.equal(details.items?.[0]?.code, 'NO_OPTION_AVAILABLE')
})

test('every reason comes at once', async (t) => {
  const rig = await openRig(t, {
    isLive: true,
    returnPolicy: { httpsOnly: true, portsAllowed: 'any', allowPrivate: false },
  })
  const body = bodyOf({
    amount: { text: '1.005' },
    callbackUrl: 'http://10.0.0.1/',
    returnUrl: 'http://shop.example/',
    method: { emailAddress: 'SUCCESS@sandbox.test' },
  })
  assert.deepEqual(await codesOf(rig.payins.create(rig.caller, 'ORD-1', body)), [
    'AMOUNT_PRECISION_INVALID paymentRequested.money.amount',
    'CALLBACK_URL_NOT_ALLOWED callbackUrl',
    'RETURN_URL_NOT_ALLOWED returnUrl',
    'SANDBOX_ADDRESS_NOT_ALLOWED paymentMethod.emailAddress',
  ])
})

test('a merchant’s own origins bind both of its URLs', async (t) => {
  const rig = await openRig(t, {
    prepare: ({ sql }) => sql(`update merchants set allowed_origins = '{https://shop.example}'`),
  })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf({ returnUrl: 'https://shop.example/thanks' }))
  const body = bodyOf({ callbackUrl: 'https://other.example/', returnUrl: 'https://other.example/' })
  assert.deepEqual(await codesOf(rig.payins.create(rig.caller, 'ORD-2', body)), [
    'CALLBACK_URL_NOT_ALLOWED callbackUrl',
    'RETURN_URL_NOT_ALLOWED returnUrl',
  ])
})

test('what is not there is not found, and nobody sees what is another’s', async (t) => {
  const rig = await openRig(t)
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf())
  const stranger = callerOf('999')
  for (const work of [
    () => rig.payins.read(stranger, 'ORD-1'),
    () => rig.payins.read(rig.caller, 'ord-1'),
    () => rig.payins.listAccounts(stranger, 'ORD-1'),
    () => rig.payins.setExternalReference(stranger, 'ORD-1', { externalReference: 'R' }),
  ])
    assert.deepEqual(await codesOf(work()), ['ENTITY_NOT_FOUND'])
})

test('only methods that ask for a reference take one, also after the catalogue has changed', async (t) => {
  const rig = await openRig(t)
  const offline = { paymentMethodCode: 'OFFLINE_TRANSFER' }
  await rig.payins.create(rig.caller, 'OFFLINE', bodyOf({ method: offline }))
  await rig.payins.create(rig.caller, 'PLAIN', bodyOf())
  assert.equal((await rig.payins.read(rig.caller, 'OFFLINE')).processorStatus, 'AWAITING_REFERENCE')
  await rig.sql(
    `update payment_methods set external_reference = case external_reference when 'NONE' then 'REQUIRED' else 'NONE' end`,
  )
  await rig.payins.setExternalReference(rig.caller, 'OFFLINE', { reference: 'OTHER-NAME-1' })
  await rig.payins.setExternalReference(rig.caller, 'OFFLINE', {
    externalReference: 'R-1',
    reference: 'R-1',
  })
  assert.deepEqual(
    await codesOf(
      rig.payins.setExternalReference(rig.caller, 'OFFLINE', { externalReference: 'R-2', reference: 'R-3' }),
    ),
    ['ATTRIBUTE_VALUE_INVALID'],
  )
  assert.equal((await rig.payins.read(rig.caller, 'OFFLINE')).externalReference, 'R-1')
  assert.equal(rig.wakes(), 2)
  assert.deepEqual(
    await codesOf(rig.payins.setExternalReference(rig.caller, 'PLAIN', { externalReference: 'R-1' })),
    ['INVALID_REF_NUM'],
  )
  assert.deepEqual(await codesOf(rig.payins.setExternalReference(rig.caller, 'OFFLINE', {})), [
    'ATTRIBUTE_REQUIRED',
  ])
})

test('the sandbox’s address for references makes any method take one', async (t) => {
  const rig = await openRig(t)
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf({ method: { emailAddress: 'reference@sandbox.test' } }))
  assert.equal((await rig.payins.read(rig.caller, 'ORD-1')).processorStatus, 'AWAITING_REFERENCE')
  await rig.payins.setExternalReference(rig.caller, 'ORD-1', { externalReference: 'R-1' })
  assert.equal((await rig.payins.read(rig.caller, 'ORD-1')).processorStatus, 'REFERENCE_SUBMITTED')
})

test('accounts: none collected, then the request’s, then the payer’s', async (t) => {
  const rig = await openRig(t)
  const bare = { paymentMethodCode: 'CRYPTO', account: undefined }
  const { account: _account, ...crypto } = { ...bodyOf().paymentMethod, ...bare }
  await rig.payins.create(rig.caller, 'NONE', {
    ...bodyOf({ amount: { text: '0.5' }, currencyCode: 'ETH' }),
    paymentMethod: crypto,
  })
  assert.deepEqual(await codesOf(rig.payins.listAccounts(rig.caller, 'NONE')), ['ACCOUNT_DATA_NOT_AVAILABLE'])
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf())
  const key = { merchantId: rig.caller.merchantId, kind: 'PAYIN', idPayment: 'ORD-1' } as const
  await rig.payments.propose(key, {
    status: 'SUCCESS',
    actor: 'rail:test',
    evidence: { class: 'RAIL' },
    received: { amount: parsePlainAmount('100'), currencyCode: 'EUR' },
    payer: { accountName: 'A. L.', accountNumber: '7' },
  })
  const { collected } = await rig.payins.listAccounts(rig.caller, 'ORD-1')
  assert.deepEqual(
    collected.map(({ source, data }) => ({ source, ...data })),
    [
      { source: 'REQUEST', accountName: 'Ada' },
      { source: 'PROCESS', accountName: 'A. L.', accountNumber: '7' },
    ],
  )
})

test('the rail’s plan decides when it starts and how long there is to pay', async (t) => {
  const rig = await openRig(t)
  const create = (id: string, emailAddress: string) =>
    rig.payins.create(rig.caller, id, bodyOf({ method: { emailAddress } }))
  const short = await create('SHORT', 'expires@sandbox.test')
  assert.equal(short.expireAt.getTime() - short.acceptedAt.getTime(), 15_000)
  const paid = await create('PAID', 'success@sandbox.test')
  assert.equal(paid.expireAt.getTime() - paid.acceptedAt.getTime(), 259_200_000)
  assert.equal(rig.wakes(), 1)
  assert.deepEqual(await rig.sql(`select id_payment from payment_tasks where task = 'RAIL'`), [
    { id_payment: 'PAID' },
  ])
})
