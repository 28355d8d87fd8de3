import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess, rejectionItem, violatedFields } from '../support/expectations.ts'
import { startGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { ALL_OPERATIONS } from '../support/merchant.ts'
import { statusReport } from '../support/pain002.ts'
import { createPayin, newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutRequest, payoutWithStatus } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// One payee under several names, and several payees under one: block-lists, the rule for new beneficiaries, and files.

const CHANGE_TIMEOUT_MS = 60_000
const END_TIMEOUT_MS = 60_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'

const gateway = await startGateway({ after })
const token = await gateway
  .demo()
  .token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS, 'POST /customers/.*', 'PATCH /customers/.*')
const ada = gateway.operatorKey('ada')
const folder = temporaryFolder()
after(() => rmSync(folder, { recursive: true, force: true }))
for (const currencyCode of ['EUR', 'CZK', 'INR', 'USD'])
  await fundBalance(gateway, token, { id: newId(), amount: '2000', currencyCode, method: 'BANK_TRANSFER' })

type Account = Readonly<Record<string, string>>

interface Payee {
  readonly currencyCode: string
  readonly account: Account
  readonly method?: string
  readonly operator?: string
}

const inCzk = (account: Account): Payee => ({
  currencyCode: 'CZK',
  account: { accountName: 'Jana', ...account },
})
const byUpi = (accountNumber: string): Payee => ({
  currencyCode: 'INR',
  method: 'UPI',
  account: { accountName: 'Jana', accountNumber },
})

const send = (payee: Payee, email?: string): Promise<RawResponse> =>
  gateway.send(
    payoutRequest(token, newId(), { amount: '30', ...payee, ...(email !== undefined && { email }) }),
  )

async function blockList(action: 'block' | 'unblock', line: string): Promise<void> {
  const file = join(folder, 'accounts.txt')
  writeFileSync(file, `${line}\n`)
  const key = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
  await gateway.cli('payouts', action, 'DEMO', file, ...key)
}

const isRefused = async (payee: Payee): Promise<boolean> => {
  const answer = await send(payee)
  if (answer.status === 201) return false
  expectError(answer, 406, 'BENEFICIARY_BLOCKED')
  return true
}

/** Blocks what the line says, waits until it is known, and takes it off again afterwards. */
async function whileBlocked(line: string, known: Payee, work: () => Promise<void>): Promise<void> {
  await blockList('block', line)
  await waitUntil(() => isRefused(known), { timeoutMs: CHANGE_TIMEOUT_MS, what: `${line} to be blocked` })
  await work()
  await blockList('unblock', line)
  await waitUntil(async () => !(await isRefused(known)), {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: `${line} to be free`,
  })
}

test('D15 a blocked IBAN is blocked in its domestic form, and a blocked domestic account as IBAN', async () => {
  const iban = inCzk({ accountNumber: 'CZ65 0800 0000 1920 0014 5399' })
  const domestic = [
    inCzk({ accountNumber: '19-2000145399/0800' }),
    inCzk({ accountNumber: '19-2000145399', bankCode: '0800' }),
    inCzk({ accountNumber: '000019 - 2000145399', bankCode: '0800' }),
    inCzk({ accountNumber: '0000192000145399', bankCode: '0800' }),
  ]
  await whileBlocked('CZ6508000000192000145399', iban, async () => {
    for (const payee of domestic) assert.ok(await isRefused(payee), JSON.stringify(payee.account))
    assert.ok(
      !(await isRefused(inCzk({ accountNumber: '19-2000145399/0100' }))),
      'the number at another bank',
    )
  })
  await whileBlocked('19-2000145399/0800', iban, async () => {
    for (const payee of domestic) assert.ok(await isRefused(payee), JSON.stringify(payee.account))
  })
})

test('D15 a file names a domestic account by the IBAN that block-lists know', async () => {
  const id = newId()
  const account = { accountName: 'Jana', accountNumber: '19-2000145399', bankCode: '0800' }
  await createPayout(gateway, token, { id, currencyCode: 'CZK', amount: '30', account, email: BY_FILE })
  const path = '/operator/payout-files'
  const run = await gateway.sendToOperators({
    method: 'POST',
    path,
    token: ada,
    body: { currencyCode: 'CZK' },
  })
  const fileId = textAt(expectSuccess(run, 200), 'files', 0, 'fileId')
  const content = await gateway.sendToOperators({
    method: 'GET',
    path: `${path}/${fileId}/content`,
    token: ada,
  })
  const xml = Buffer.from(textAt(content.body, 'contentBase64'), 'base64').toString('utf8')
  assert.match(xml, /<CdtrAcct><Id><IBAN>CZ6508000000192000145399<\/IBAN><\/Id><\/CdtrAcct>/)
})

test('D15 a domestic account that is none, and a bank abroad that has IBANs, are refused: they have no second name', async () => {
  const refused = [
    inCzk({ accountNumber: '19-2000145398', bankCode: '0800' }),
    inCzk({ accountNumber: '192000145399', bankCode: '0800' }),
    inCzk({ accountNumber: '19-2000145399', bankCode: 'GIBACZPX' }),
    inCzk({ accountNumber: '532013000', bankCode: 'COBADEFF' }),
  ]
  for (const payee of refused) {
    const answer = await send(payee, BY_FILE)
    expectError(answer, 406, 'ACCOUNT_INVALID')
    assert.match(textAt(rejectionItem(answer, 'ACCOUNT_INVALID'), 'message'), /give (?:an|the) IBAN/)
  }
})

test('D16 dots and hyphens tell UPI addresses apart, capitals do not', async () => {
  const blocked = byUpi('jananova.k@okbank')
  await whileBlocked('jananova.k@okbank', blocked, async () => {
    assert.ok(await isRefused(byUpi('JanaNova.K@OKBANK')))
    for (const other of ['j-ananova.k@okbank', 'jananovak@okbank', 'jananova.k@okbanks'])
      assert.ok(!(await isRefused(byUpi(other))), other)
  })
})

test('D16 a line that names an account without its bank or payment operator is refused with its number', async () => {
  const file = join(folder, 'accounts.txt')
  writeFileSync(file, 'CZ6508000000192000145399\n12345\n')
  const key = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
  await assert.rejects(gateway.cli('payouts', 'block', 'DEMO', file, ...key), /Line 2 names no account/)
  assert.ok(!(await isRefused(inCzk({ accountNumber: 'CZ6508000000192000145399' }))), 'nothing was half done')
})

test('D17 only the very account that was paid is a known beneficiary', async () => {
  const options = await gateway.send({
    method: 'POST',
    path: '/payouts/!availablePaymentOptions',
    token,
    body: { money: { amount: '10', currencyCode: 'USD' } },
  })
  const wallet = listAt(options.body, 'data').find((each) => at(each, 'paymentMethodCode') === 'WALLET')
  const [first, second] = listAt(wallet, 'paymentOperators').map((each) => textAt(each, 'code'))
  const inWallet = (operator: string | undefined, accountNumber: string): Payee => ({
    currencyCode: 'USD',
    method: 'WALLET',
    account: { accountName: 'Jana', accountNumber },
    ...(operator !== undefined && { operator }),
  })
  const atBank = (accountNumber: string, bankCode: string): Payee => ({
    currencyCode: 'USD',
    account: { accountName: 'Jana', accountNumber, bankCode },
  })
  assert.ok(first !== undefined && second !== undefined, 'two wallets to compare')
  const paid = [byUpi('e-vanova.k@okbank'), inWallet(first, 'jana'), atBank('12345', '021000021')]
  for (const payee of paid) {
    const id = newId()
    await createPayout(gateway, token, { id, ...payee })
    await payoutWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: END_TIMEOUT_MS })
  }
  for (const currency of ['USD', 'INR'])
    await gateway.cli('merchants', 'set-payout-rule', 'DEMO', '--currency', currency, '--new-beneficiary')
  const waits = async (payee: Payee): Promise<boolean> => {
    const id = newId()
    await createPayout(gateway, token, { id, ...payee })
    const { body } = await gateway.send({ method: 'GET', path: `/payouts/${id}`, token })
    return at(body, 'process', 'processorStatus') === 'AWAITING_APPROVAL'
  }
  for (const stranger of [byUpi('nobody.yet@okbank'), inWallet(first, 'nobody-yet')])
    await waitUntil(() => waits(stranger), { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the rule to be known' })
  for (const payee of [...paid, byUpi('E-Vanova.K@okbank'), atBank('12-345', '021000021')])
    assert.ok(!(await waits(payee)), `${JSON.stringify(payee)} was paid`)
  for (const payee of [
    byUpi('evanova.k@okbank'),
    byUpi('e-vanovak@okbank'),
    inWallet(second, 'jana'),
    inWallet(first, 'Jana'),
    atBank('12345', '026009593'),
  ])
    assert.ok(await waits(payee), `${JSON.stringify(payee)} was never paid`)
})

test('D19 an IBAN must have the length and the structure of its country', async () => {
  const wrong = {
    CZ650800000019200014539: 'IBAN has the wrong length for CZ: 24 characters expected, 23 found.',
    CZ6608000000192000145399: 'IBAN has wrong check digits: at least one character is wrong.',
    GB8212345698765432WEST:
      'IBAN has the wrong structure for GB: letters and digits are not where its banks put them.',
  }
  for (const [accountNumber, message] of Object.entries(wrong)) {
    const answer = await send({ currencyCode: 'EUR', account: { accountName: 'Jana', accountNumber } })
    expectError(answer, 406, 'ACCOUNT_INVALID')
    const item = rejectionItem(answer, 'ACCOUNT_INVALID')
    assert.equal(at(item, 'field'), 'paymentMethod.account.accountNumber')
    assert.equal(at(item, 'message'), message)
  }
})

test('D46 a payee that is wrong by its scheme is refused, and says what would be right', async () => {
  const wrong: readonly (readonly [string, string, string, RegExp])[] = [
    ['UPI', 'INR', 'a@okbank', /no UPI address: write it as name@handle/],
    ['PIX', 'BRL', '52998224724', /as a CPF its check digits are wrong/],
    ['PIX', 'BRL', '11222333000182', /as a CNPJ its check digits are wrong/],
    ['PIX', 'BRL', '+4915112345678', /a phone number is written as \+55/],
    ['PIX', 'BRL', 'ada@', /an e-mail address has the form/],
    ['PIX', 'BRL', 'ada', /give a CPF of 11 digits/],
    ['CRYPTO', 'ETH', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /wrong checksum \(EIP-55\)/],
    ['CRYPTO', 'ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', /0x and 40 hexadecimal digits/],
    ['CRYPTO', 'BTC', 'bc1qar9srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', /no Bitcoin address/],
  ]
  for (const [method, currencyCode, accountNumber, told] of wrong) {
    const answer = await send({ method, currencyCode, account: { accountName: 'Jana', accountNumber } })
    expectError(answer, 406, 'ACCOUNT_INVALID')
    const item = rejectionItem(answer, 'ACCOUNT_INVALID')
    assert.equal(at(item, 'field'), 'paymentMethod.account.accountNumber')
    assert.match(textAt(item, 'message'), told)
  }
  const right: readonly (readonly [string, string, string])[] = [
    ['UPI', 'INR', 'jana.k-1@okbank'],
    ['PIX', 'BRL', '52998224725'],
    ['PIX', 'BRL', '11222333000181'],
    ['PIX', 'BRL', '+5511987654321'],
    ['PIX', 'BRL', 'ada@exemplo.com.br'],
    ['PIX', 'BRL', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'],
    ['CRYPTO', 'ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['CRYPTO', 'ETH', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['CRYPTO', 'BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ]
  for (const [method, currencyCode, accountNumber] of right) {
    const answer = await send({ method, currencyCode, account: { accountName: 'Jana', accountNumber } })
    assert.doesNotMatch(answer.text, /ACCOUNT_INVALID/, accountNumber)
  }
})

test('D20 a payout in EUR to an account outside SEPA is refused, and says why', async () => {
  const account = { accountName: 'Jana', accountNumber: 'TR330006100519786457841326' }
  const answer = await send({ currencyCode: 'EUR', account }, BY_FILE)
  expectError(answer, 406, 'ACCOUNT_INVALID')
  const item = rejectionItem(answer, 'ACCOUNT_INVALID')
  assert.equal(at(item, 'field'), 'paymentMethod.account.accountNumber')
  assert.equal(at(item, 'message'), 'A payout in EUR goes to an account in SEPA, and TR is outside.')
})

test('D19 the country of a customer is one of ISO 3166', async () => {
  const path = `/customers/${newId()}`
  for (const countryCode of ['ZZ', 'UK', 'XX']) {
    const answer = await gateway.send({ method: 'POST', path, token, body: { name: 'Jana', countryCode } })
    expectError(answer, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert.deepEqual(violatedFields(answer), ['countryCode'])
  }
  expectSuccess(
    await gateway.send({ method: 'POST', path, token, body: { name: 'Jana', countryCode: 'GB' } }),
    201,
  )
  const changed = await gateway.send({ method: 'PATCH', path, token, body: { countryCode: 'UK' } })
  expectError(changed, 400, 'ATTRIBUTE_VALUE_INVALID')
})

/** The file that the waiting payouts of a currency go into. */
async function makeFile(currencyCode: string): Promise<unknown> {
  const path = '/operator/payout-files'
  const run = await gateway.sendToOperators({ method: 'POST', path, token: ada, body: { currencyCode } })
  return listAt(expectSuccess(run, 200), 'files')[0]
}

test('D21 D23 a file of euros, on whatever day it is made, asks for a day on which TARGET works, and writes addresses part by part', async () => {
  const alan = readFileSync(join(gateway.dataDir, 'demo', 'operator-alan.key'), 'utf8').trim()
  const address = {
    street: 'Main Street',
    buildingNumber: '14b',
    postalCode: '10115',
    town: 'Berlin',
    countryCode: 'DE',
  }
  const names = { holder: 'Shop GmbH', bankName: 'Bank of Example', bic: 'TGSBDE99' }
  const account = { code: 'AT_HOME', currencyCode: 'EUR', iban: 'DE89370400440532013000', ...names, address }
  const ask = (path: string, body: unknown) =>
    gateway.sendToOperators({ method: 'POST', path: `/operator/bank-accounts${path}`, token: alan, body })
  expectSuccess(await ask('', { ...account, isDefault: true }), 201)
  await createPayout(gateway, token, { id: newId(), email: BY_FILE })
  const file = await makeFile('EUR')
  expectSuccess(await ask('/SANDBOX_EUR/!change', { isDefault: true }), 200)
  const day = new Date(textAt(file, 'executionOn'))
  assert.ok(![0, 6].includes(day.getUTCDay()), textAt(file, 'executionOn'))
  const path = `/operator/payout-files/${textAt(file, 'fileId')}/content`
  const content = await gateway.sendToOperators({ method: 'GET', path, token: ada })
  const xml = Buffer.from(textAt(content.body, 'contentBase64'), 'base64').toString('utf8')
  assert.match(xml, /<IBAN>DE89370400440532013000<\/IBAN>/)
  assert.match(
    xml,
    /<StrtNm>Main Street<\/StrtNm><BldgNb>14b<\/BldgNb><PstCd>10115<\/PstCd><TwnNm>Berlin<\/TwnNm>/,
  )
  assert.doesNotMatch(xml, /<AdrLine\b/)
})

test('D22 a verification of payee is kept and shown, and decides nothing', async () => {
  const ids = [newId(), newId(), newId()]
  const references: string[] = []
  for (const id of ids) {
    const { body } = await createPayout(gateway, token, { id, email: BY_FILE })
    references.push(textAt(body, 'paymentMethodResponse', 'reference'))
  }
  const file = await makeFile('EUR')
  const codes = ['RCVC', 'RVNM', 'RVMC']
  const lines = references.map((reference, index) => [reference, codes[index] ?? 'RVNA'] as const)
  const content = statusReport(textAt(file, 'fileId'), lines)
  const report = await gateway.sendToOperators({
    method: 'POST',
    path: '/operator/payout-reports?fileName=vop.xml',
    token: ada,
    rawBody: content,
    headers: { 'content-type': 'application/xml' },
  })
  const entries = listAt(expectSuccess(report, 200), 'entries')
  assert.deepEqual(
    entries.map((entry) => [at(entry, 'says'), at(entry, 'payeeVerification'), at(entry, 'outcome')]),
    ['MATCH', 'NO_MATCH', 'CLOSE_MATCH'].map((said) => ['UNDECIDED', said, 'NO_OUTCOME']),
  )
  for (const id of ids) await payoutWithStatus(gateway, token, { id, status: 'SUBMITTED' })
})

test('D24 a PIX code says the amount with two decimals', async () => {
  for (const [amount, member] of [
    ['10', '540510.00'],
    ['12.5', '540512.50'],
  ] as const) {
    const wanted = { id: newId(), currencyCode: 'BRL', amount, method: 'BANK_TRANSFER' }
    const { body } = await createPayin(gateway, token, wanted)
    const content = textAt(body, 'paymentMethodResponse', 'qr', 'content')
    assert.ok(content.includes(`5303986${member}5802BR`), content)
  }
})
