import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { expectError, rejectionItem } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, createRequest, newId } from './support/payins.ts'
import { PAYOUT_OPERATIONS, payoutRequest } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// Bank transfers: where customers pay to, under which reference, and what happens without an account.

const CHANGE_TIMEOUT_MS = 60_000
const gateway = await startGateway({ after })
const token = await gateway.demo().token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS)

async function responseIn(currencyCode: string): Promise<unknown> {
  const { body } = await createPayin(gateway, token, {
    id: newId(),
    currencyCode,
    amount: '100',
    method: 'BANK_TRANSFER',
  })
  return at(body, 'paymentMethodResponse')
}

test('a payin in EUR names an IBAN, a creditor reference and a code that says both', async () => {
  const response = await responseIn('EUR')
  assert.equal(textAt(response, 'account', 'accountNumber'), 'DE93999999990000000001')
  const reference = textAt(response, 'reference')
  assert.match(reference, /^RF\d\d[0-9A-Z]{12}$/)
  assert.equal(textAt(response, 'qr', 'format'), 'EPC069-12')
  const lines = textAt(response, 'qr', 'content').split('\n')
  assert.deepEqual([lines[6], lines[7], lines[9]], ['DE93999999990000000001', 'EUR100', reference])
})

test('a payin in CZK names a variable symbol, and the detail says the same', async () => {
  const id = newId()
  const wanted = { id, currencyCode: 'CZK', amount: '100', method: 'BANK_TRANSFER' }
  const { body } = await createPayin(gateway, token, wanted)
  const response = at(body, 'paymentMethodResponse')
  assert.match(textAt(response, 'reference'), /^[1-9]\d{9}$/)
  assert.match(textAt(response, 'qr', 'content'), new RegExp(`[*]X-VS:${textAt(response, 'reference')}[*]`))
  const detail = await gateway.send({ method: 'GET', path: `/payins/${id}`, token })
  assert.deepEqual(at(detail.body, 'paymentMethodResponse'), response)
})

test('accounts are added, made the default, listed and retired by the command line, and the gateway follows', async () => {
  const add = ['accounts', 'add', 'house_usd', '--currency', 'USD', '--holder', 'Shop', '--bank-name', 'Bank']
  const numbers = ['--account-number', '4711', '--bank-code', '021000021', '--bic', 'ABCDUS33']
  const added = await gateway.cli(...add, ...numbers, '--default', '--payout-format', 'pain.001.001.03')
  assert.match(added.stdout, /Added HOUSE_USD as the default USD account/)
  await waitUntil(async () => textAt(await responseIn('USD'), 'account', 'accountNumber') === '4711', {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the new account',
  })
  const { stdout } = await gateway.cli('accounts', 'list', '--json')
  const accounts: unknown = JSON.parse(stdout)
  const ours = listAt(accounts, 'data').find((each) => at(each, 'code') === 'HOUSE_USD')
  assert.deepEqual([at(ours, 'isDefault'), at(ours, 'payoutFormat')], [true, 'pain.001.001.03'])
  await gateway.cli('accounts', 'set', 'HOUSE_USD', '--payout-format', 'none')
  await gateway.cli('accounts', 'retire', 'SANDBOX_USD')
  assert.match((await gateway.cli('accounts', 'list', '--all')).stdout, /SANDBOX_USD .* retired/)
})

test('without an account for its currency a bank transfer is neither offered nor taken, and the answer says why', async () => {
  await gateway.cli('accounts', 'retire', 'SANDBOX_JPY')
  const request = createRequest(token, newId(), {
    currencyCode: 'JPY',
    amount: '1000',
    method: 'BANK_TRANSFER',
  })
  const isGone = async (): Promise<boolean> =>
    (await gateway.send({ ...request, path: `/payins/${newId()}` })).status === 406
  await waitUntil(isGone, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the account to be gone' })
  const refused = await gateway.send(request)
  expectError(refused, 406, 'CHANNEL_UNAVAILABLE')
  const item = rejectionItem(refused, 'CHANNEL_UNAVAILABLE')
  assert.match(textAt(item, 'message'), /JPY now: the gateway has no bank account/)
  assert.equal(at(item, 'paymentMethodCode'), 'BANK_TRANSFER')
  const options = await gateway.send({
    method: 'POST',
    path: '/payins/!availablePaymentOptions',
    token,
    body: { money: { amount: 1000, currencyCode: 'JPY' } },
  })
  const offered = listAt(options.body, 'data').map((option) => textAt(option, 'paymentMethodCode'))
  assert.ok(offered.length > 0 && !offered.includes('BANK_TRANSFER'), offered.join(' '))
})

test('a payout by file goes to an account that a file can name, or is refused at once', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '100' })
  const account = { accountName: 'Ada Lovelace', accountNumber: '123456', bankCode: '0800' }
  const refused = await gateway.send(payoutRequest(token, newId(), { account, email: 'file@sandbox.test' }))
  expectError(refused, 406, 'ACCOUNT_INVALID')
  assert.equal(at(rejectionItem(refused, 'ACCOUNT_INVALID'), 'field'), 'paymentMethod.account.accountNumber')
})
