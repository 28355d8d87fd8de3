import assert from 'node:assert/strict'
import { createHash, createPublicKey } from 'node:crypto'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { createMerchant, newKeyPair } from '../support/merchant.ts'
import { operatorsOf } from '../support/operators.ts'
import { newDevice, openedBy, passkeysAt } from '../support/passkeys.ts'
import { createPayin, newId, payinWithStatus } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// A merchant's money does not leave by the word of one person of the house, who may make credentials and loosen rules.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl, settings: { TOLLGATE_SECOND_PERSON: 'on' } })
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  eve: ['eve', 'ADMIN'],
  vera: ['vera', 'APPROVER'],
  vida: ['vida', 'APPROVER'],
  fina: ['fina', 'FINANCE'],
  olga: ['olga', 'AUDITOR'],
})
const people = passkeysAt(gateway)
const OPERATIONS = [
  ...PAYOUT_OPERATIONS,
  'POST /payins/.*',
  'GET /payins/.*',
  'POST /settlements/.*',
  'GET /settlements/.*',
]
const MINE = { accountName: 'Adam Himself', accountNumber: 'DE75512108001245126199' }
const demoToken = await gateway.demo().token(...OPERATIONS)
await fundBalance(gateway, demoToken, { id: newId(), amount: '5000' })

const setRule = (rule: object): Promise<RawResponse> =>
  operators.put('adam', 'payout-rules/DEMO/EUR', { newBeneficiary: false, ...rule })

/** A pair of keys, and what `openssl pkey -pubin -outform DER | sha256sum` says of the public one. */
function newPair() {
  const pair = newKeyPair()
  const der = createPublicKey(pair.publicKey).export({ type: 'spki', format: 'der' })
  return { ...pair, fingerprint: createHash('sha256').update(der).digest('hex') }
}

async function addKey(publicKey: string): Promise<string> {
  const added = expectSuccess(await operators.post('adam', 'merchants/DEMO/keys', { publicKey }), 201)
  assert.equal(at(added, 'isHalf'), true)
  return textAt(added, 'keyId')
}

const confirm = (name: 'adam' | 'eve' | 'fina', keyId: string, fingerprint: string): Promise<RawResponse> =>
  operators.post(name, `merchants/DEMO/keys/${keyId}/!confirm`, { fingerprint })
const removeKey = async (keyId: string): Promise<unknown> =>
  expectSuccess(await operators.remove('adam', `merchants/DEMO/keys/${keyId}`), 200)

/** A new credential is known everywhere within moments. */
async function tokenFor(request: RawRequest): Promise<string> {
  let issued: RawResponse | undefined
  const isIssued = async (): Promise<boolean> => {
    issued = await gateway.send(request)
    return issued.status === 200
  }
  await waitUntil(isIssued, { timeoutMs: 10_000, what: 'the gateway to know the credential' })
  return textAt(issued?.body, 'token')
}

/** A payout, or a settlement, that waits, as the people read it who approve. */
async function waitingOf(id: string, kind: string): Promise<unknown> {
  const list = await operators.get('olga', `payouts?merchantCode=DEMO&kind=${kind}&status=AWAITING_APPROVAL`)
  return listAt(expectSuccess(list, 200), 'data').find((each) => at(each, 'idPayout') === id)
}

const reasonsOf = async (id: string, kind = 'PAYOUT'): Promise<unknown> =>
  at(await waitingOf(id, kind), 'waitsBecause')

async function payoutBy(token: string): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, account: MINE })
  return id
}

async function expectWaiting(token: string): Promise<string> {
  const id = await payoutBy(token)
  await payoutWithStatus(gateway, token, { id, status: 'AWAITING_APPROVAL' })
  assert.deepEqual(await reasonsOf(id), ['HALF_CREDENTIAL'])
  return id
}

async function settle(token: string): Promise<string> {
  const id = newId()
  const body = { money: { amount: '10', currencyCode: 'EUR' } }
  expectSuccess(await gateway.send({ method: 'POST', path: `/settlements/${id}`, token, body }), 201)
  return id
}

const setAccount = async (accountNumber: string): Promise<unknown> =>
  expectSuccess(
    await operators.put('adam', 'settlement-terms/DEMO/accounts/EUR', {
      paymentMethodCode: 'BANK_TRANSFER',
      account: { ...MINE, accountNumber },
    }),
    200,
  )

async function expectSettled(id: string): Promise<void> {
  const isPaid = async (): Promise<boolean> => {
    const detail = await gateway.send({ method: 'GET', path: `/settlements/${id}`, token: demoToken })
    return at(detail.body, 'process', 'status') === 'SUCCESS'
  }
  await waitUntil(isPaid, { timeoutMs: 10_000, what: `the settlement ${id} to be paid` })
}

async function expectSettlementWaiting(): Promise<string> {
  const id = await settle(demoToken)
  assert.deepEqual(await reasonsOf(id, 'SETTLEMENT'), ['NEW_SETTLEMENT_ACCOUNT'])
  return id
}

const credentialOf = async (id: string): Promise<unknown> => {
  const shown = expectSuccess(await operators.get('olga', 'merchants/DEMO'), 200)
  return listAt(shown, 'credentials').find((each) => at(each, 'id') === id)
}

test('S163 one ADMIN loosens the rule, makes a secret, and pays out: it waits, as do refunds and settlements by it', async () => {
  expectSuccess(await setRule({ amountFrom: '5', newBeneficiary: true }), 200)
  expectSuccess(await setRule({}), 200)
  // Nothing is left in the merchant's rules that would make it wait.
  await payoutWithStatus(gateway, demoToken, { id: await payoutBy(demoToken), status: 'SUCCESS' })

  // The sandbox's merchant has a secret, and may have two.
  const made = expectSuccess(await operators.post('adam', 'merchants/DEMO/secrets'), 201)
  assert.equal(at(made, 'isHalf'), true)
  const body = { merchantCode: 'DEMO', secret: textAt(made, 'secret'), operations: OPERATIONS }
  const token = await tokenFor({ method: 'POST', path: '/auth-tokens', body })
  await expectWaiting(token)

  const idPayin = newId()
  await createPayin(gateway, token, { id: idPayin, amount: '100', email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id: idPayin, status: 'SUCCESS' })
  const refundRequested = { money: { amount: '40', currencyCode: 'EUR' } }
  const path = `/payins/${idPayin}/refunds/R-1`
  const refund = { method: 'POST', path, token, body: { refundRequested } } as const
  expectSuccess(await gateway.send(refund), 201)
  const refunds = await operators.get('olga', 'payouts?merchantCode=DEMO&status=AWAITING_APPROVAL')
  const waiting = listAt(expectSuccess(refunds, 200), 'data').find((each) => at(each, 'refundOf') === idPayin)
  assert.deepEqual(at(waiting, 'waitsBecause'), ['HALF_CREDENTIAL'])

  const idSettlement = await settle(token)
  assert.deepEqual(await reasonsOf(idSettlement, 'SETTLEMENT'), ['HALF_CREDENTIAL'])

  // Nobody confirms what its maker has seen, and who removes it takes its tokens along.
  const secretId = textAt(made, 'secretId')
  assert.equal(at(await credentialOf(secretId), 'isHalf'), true)
  expectError(await confirm('eve', secretId, '0'.repeat(64)), 410, 'ENTITY_NOT_FOUND')
  expectSuccess(await operators.remove('adam', `merchants/DEMO/secrets/${secretId}`), 200)
})

test('S164 POST /operator/merchants/{merchantCode}/keys/{keyId}/!confirm → 200, POST /operator/merchants/{merchantCode}/keys/{keyId}/!confirm → 400, POST /operator/merchants/{merchantCode}/keys/{keyId}/!confirm → 409, POST /operator/merchants/{merchantCode}/keys/{keyId}/!confirm → 410: payouts by a key wait until another ADMIN has its fingerprint from the merchant', async () => {
  const pair = newPair()
  const keyId = await addKey(pair.publicKey)
  const token = await tokenFor(
    createMerchant(gateway, { code: 'DEMO', ...pair }).tokenRequest({ operations: OPERATIONS }),
  )
  const first = await expectWaiting(token)

  // No list shows the fingerprint, so that the second one has to ask.
  const half = await credentialOf(keyId)
  assert.deepEqual(
    [at(half, 'isHalf'), at(half, 'madeBy'), at(half, 'fingerprint')],
    [true, 'adam', undefined],
  )
  expectError(await confirm('adam', keyId, pair.fingerprint), 409, 'STATE_CONFLICT')
  expectError(await confirm('fina', keyId, pair.fingerprint), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await confirm('eve', keyId, newPair().fingerprint), 409, 'STATE_CONFLICT')
  expectError(await confirm('eve', keyId, pair.fingerprint.slice(0, 12)), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await confirm('eve', 'key_NONE', pair.fingerprint), 410, 'ENTITY_NOT_FOUND')
  await expectWaiting(token)

  const confirmed = expectSuccess(await confirm('eve', keyId, pair.fingerprint), 200)
  assert.deepEqual(confirmed, { keyId, confirmedBy: 'eve' })
  const whole = await credentialOf(keyId)
  assert.deepEqual(
    [at(whole, 'isHalf'), at(whole, 'confirmedBy'), at(whole, 'fingerprint')],
    [false, 'eve', pair.fingerprint],
  )
  expectError(await confirm('eve', keyId, pair.fingerprint), 409, 'STATE_CONFLICT')
  const isPaid = async (): Promise<boolean> => {
    const detail = await gateway.send({ method: 'GET', path: `/payouts/${await payoutBy(token)}`, token })
    return at(detail.body, 'process', 'processorStatus') !== 'AWAITING_APPROVAL'
  }
  await waitUntil(isPaid, { timeoutMs: 10_000, what: 'the confirmation to be known everywhere' })
  // What was asked for before it waits for people all the same.
  assert.deepEqual(await reasonsOf(first), ['HALF_CREDENTIAL'])
  await removeKey(keyId)
})

test('S165 one ADMIN invites themselves as a person of the merchant: no keys and no people, until another ADMIN confirms the passkey', async () => {
  const body = { person: 'lea', name: 'Lea', role: 'ADMIN' }
  const made = expectSuccess(await operators.post('adam', 'merchants/DEMO/people', body), 201)
  const device = newDevice()
  const registered = expectSuccess(await people.register(textAt(made, 'secret'), device), 201)
  assert.equal(at(registered, 'isHalf'), true)
  const { secret: session } = openedBy(await people.signIn(device))
  const touched = async (path: string, wish: unknown): Promise<RawResponse> => {
    const step = await people.stepUp(session, device, { method: 'POST', path: `/operator/${path}` })
    const headers = { 'X-Step-Up': textAt(expectSuccess(step, 201), 'secret') }
    return people.ask(session, { method: 'POST', path, headers, body: wish })
  }
  const pair = newPair()
  const keys = 'merchants/DEMO/keys'
  expectError(await touched(keys, { publicKey: pair.publicKey }), 403, 'OPERATION_NOT_PERMITTED')
  const friend = { person: 'leo', name: 'Leo', role: 'ADMIN' }
  expectError(await touched('merchants/DEMO/people', friend), 403, 'OPERATION_NOT_PERMITTED')
  const me = expectSuccess(await people.ask(session, { method: 'GET', path: 'me' }), 200)
  assert.equal(at(me, 'memberRole'), 'STAFF')

  const list = expectSuccess(await operators.get('eve', 'merchants/DEMO/people'), 200)
  const lea = listAt(list, 'data').find((each) => at(each, 'operatorCode') === 'lea@DEMO')
  assert.deepEqual(at(lea, 'halfPasskeys'), [textAt(registered, 'passkeyId')])

  const word = { fingerprint: textAt(registered, 'fingerprint') }
  const path = `passkeys/${textAt(registered, 'passkeyId')}/!confirm`
  expectError(await operators.post('adam', path, word), 409, 'STATE_CONFLICT')
  expectSuccess(await operators.post('eve', path, word), 200)
  const added = expectSuccess(await touched(keys, { publicKey: pair.publicKey }), 201)
  assert.equal(at(added, 'isHalf'), false)
  const token = await tokenFor(
    createMerchant(gateway, { code: 'DEMO', ...pair }).tokenRequest({ operations: OPERATIONS }),
  )
  await payoutWithStatus(gateway, token, { id: await payoutBy(token), status: 'SUCCESS' })

  // A whole ADMIN of the merchant answers for their colleagues, who learn nothing of who of the house had a part in a key.
  const colleague = expectSuccess(await touched('merchants/DEMO/people', friend), 201)
  const other = expectSuccess(await people.register(textAt(colleague, 'secret'), newDevice()), 201)
  assert.equal(at(other, 'isHalf'), false)
  const keyId = await addKey(newPair().publicKey)
  const shown = expectSuccess(await people.ask(session, { method: 'GET', path: 'merchants/DEMO' }), 200)
  const seen = listAt(shown, 'credentials').find((each) => at(each, 'id') === keyId)
  assert.deepEqual([at(seen, 'isHalf'), at(seen, 'madeBy')], [true, undefined])
  await removeKey(keyId)
  await setAccount(MINE.accountNumber)
  const read = await people.ask(session, { method: 'GET', path: 'settlement-terms/DEMO' })
  const accounts = listAt(expectSuccess(read, 200), 'accounts')
  assert.ok(accounts.length > 0 && accounts.every((each) => at(each, 'setBy') === undefined))
})

test('S167 one ADMIN sets their own account for a merchant’s settlements and loosens the rule: they wait until APPROVERs approved one to it', async () => {
  expectSuccess(await setRule({}), 200)
  const set = await setAccount(MINE.accountNumber)
  assert.equal(at(set, 'setBy'), 'adam')
  const terms = expectSuccess(await operators.get('olga', 'settlement-terms/DEMO'), 200)
  // The accounts of the sandbox were set by nobody at the operator API.
  const shown = listAt(terms, 'accounts').map((each) => [at(each, 'currencyCode'), at(each, 'setBy')])
  assert.deepEqual(
    shown.filter(([currencyCode]) => currencyCode === 'EUR' || currencyCode === 'CZK'),
    [
      ['CZK', undefined],
      ['EUR', 'adam'],
    ],
  )

  const first = await expectSettlementWaiting()
  const second = await expectSettlementWaiting()
  const contentHash = textAt(await waitingOf(first, 'SETTLEMENT'), 'contentHash')
  const word = { contentHash, reason: 'as the merchant says' }
  const approve = (name: 'adam' | 'vera' | 'vida'): Promise<RawResponse> =>
    operators.post(name, `payouts/DEMO/${first}/!approve?kind=SETTLEMENT`, word)
  expectError(await approve('adam'), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await approve('vera'), 200)
  // One approval is not enough.
  await expectSettlementWaiting()
  expectSuccess(await approve('vida'), 200)
  await expectSettled(first)
  await expectSettled(await settle(demoToken))
  // What was asked for before it waits for people all the same.
  assert.deepEqual(await reasonsOf(second, 'SETTLEMENT'), ['NEW_SETTLEMENT_ACCOUNT'])

  await setAccount('GB82WEST12345698765432')
  await expectSettlementWaiting()
  // The approved one is known again.
  await setAccount(MINE.accountNumber)
  await expectSettled(await settle(demoToken))
})
