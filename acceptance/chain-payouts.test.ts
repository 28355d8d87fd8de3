import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { enableCoins, paidByWallet, startSigner, topUpOnChain, WALLET } from './support/chain-payouts.ts'
import { CONFIRMATIONS, startChain, writeChain, writeCoinCatalogue } from './support/chains.ts'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutRequest, payoutWithStatus } from './support/payouts.ts'

// A chain with two nodes, a signer, and a gateway whose merchants pay out tokens.

const TIMEOUT_MS = 90_000
const PAYEE = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const own = temporaryFolder()
after(() => rmSync(own, { recursive: true, force: true }))
const { chain, rpc } = await startChain({ after })
const signer = await startSigner({ after }, own)
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const settings = {
  TOLLGATE_CHAINS_FILE: writeChain(own, rpc, { payouts: signer.payouts }),
}
const gateway = await startGateway({ after }, { databaseUrl: door.url, settings })
const catalogueKey = join(own, 'cato.key')
const ada = gateway.operatorKey('ada')
const keyFile = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

writeFileSync(catalogueKey, await addOperator('cato', 'CATALOGUE'), { mode: 0o600 })
const catalogue = writeCoinCatalogue(own, { isPayingOut: true })
await gateway.cli('catalogue', 'apply', catalogue, '--operator-key-file', catalogueKey)
await enableCoins(gateway, catalogueKey)
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const hasty = await addOperator('otto', 'FINANCE')
await topUpOnChain(gateway, token, { chain, amount: 5_000 })

const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const PATH = '/operator/chains/LOCAL/payouts'
const get = (key: string | undefined, path = PATH): RawRequest => ({ method: 'GET', path, token: key })
const read = async (path: string): Promise<unknown> => expectSuccess(await send(get(ada, path)), 200)
const until = (what: string, isSo: () => Promise<boolean>) => waitUntil(isSo, { timeoutMs: TIMEOUT_MS, what })
const wanted = (amount: string, accountNumber = PAYEE) => ({
  amount,
  currencyCode: 'USDC',
  method: 'USDC_LOCAL',
  account: { accountNumber },
})

async function pay(amount: string, payee?: string): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, ...wanted(amount, payee) })
  return id
}

/** Waits until the nodes have so many transactions that are in no block, and makes blocks that count. */
async function mine(count: number): Promise<void> {
  await until('nodes to have it', async () => chain.mempool.waiting().length >= count)
  chain.minePending(CONFIRMATIONS)
}

test('a merchant pays USDC out: signed by the signer, sent, and SUCCESS when its block counts', async () => {
  const id = await pay('25.5')
  await mine(1)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  assert.deepEqual([...paidByWallet(chain)], [[PAYEE.toLowerCase(), 25_500_000n]])
  assert.equal(signer.record().length, 1)
  await gateway.cli('ledger', 'check')
})

test('GET /operator/chains/{chainCode}/payouts → 200: what leaves, also by the command line, and from which wallet', async () => {
  const [payout] = listAt(await read(`${PATH}?limit=1`), 'data')
  assert.deepEqual(
    ['kind', 'state', 'nonce'].map((name) => at(payout, name)),
    ['PAYOUT', 'PAID', '0'],
  )
  assert.match(textAt(payout, 'networkFee'), /^0\.000\d+$/)
  const wallet = at(await read('/operator/chains'), 'data', 0, 'wallet')
  assert.deepEqual(wallet, { address: WALLET, queuedPayouts: 0, sentPayouts: 0, stuckPayouts: 0 })
  const { stdout } = await gateway.cli('chains', 'payouts', 'local', ...keyFile)
  assert.match(stdout, /25\.5 USDC +PAYOUT \S+ +PAID +0 +\d+ +0\.000\d+ +0x[0-9a-f]{64}/)
})

test('while the signer is away, payouts wait, and operators read why; then they leave', async () => {
  await signer.kill()
  const id = await pay('10')
  await until('the problem', async () =>
    /signer does not answer/.test(JSON.stringify(await read('/operator/chains'))),
  )
  const examined = await gateway.tryCli(['doctor'], TIMEOUT_MS)
  assert.match(examined.stdout, /FAIL {2}signer +LOCAL: The signer does not answer at .*Is it running\?/)
  const attention = JSON.stringify(await read('/operator/attention'))
  assert.match(attention, /"kind":"CHAINS".*payouts on LOCAL do not leave: The signer does not answer/)
  assert.match(
    (await gateway.cli('chains', 'list', ...keyFile)).stderr,
    /LOCAL, payouts do not leave since .*: The signer/,
  )
  await signer.start()
  const mended = await gateway.tryCli(['doctor'], TIMEOUT_MS)
  assert.match(mended.stdout, /ok {4}signer +LOCAL: it answers, and signs for 0x/)
  await mine(1)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
})

test('above what the signer lets out in one transfer, a payout fails, and its money is free again', async () => {
  // The catalogue allows 100,000, the signer 10,000; the merchant has less, so the catalogue's bound is not met first.
  await topUpOnChain(gateway, token, { chain, amount: 20_000 })
  const id = await pay('10000.5')
  const detail = await payoutWithStatus(gateway, token, { id, status: 'FAILED', timeoutMs: TIMEOUT_MS })
  assert.match(
    JSON.stringify(at(detail, 'process', 'failureReasons')),
    /REJECTED.*wallet's rules do not allow it/,
  )
  const next = await pay('1')
  await mine(1)
  await payoutWithStatus(gateway, token, { id: next, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  assert.deepEqual(
    signer.record().map(({ nonce }) => nonce),
    ['0', '1', '2'],
  )
})

for (const [what, account, says] of [
  ['with a wrong letter', PAYEE.replace('0x71C7', '0x71c7'), /EIP-55/],
  ['of another form', 'DE89370400440532013000', /0x and 40 hexadecimal digits/],
  ['of nobody', `0x${'0'.repeat(40)}`, /address of nobody/],
  ['of the token itself', `0x${'a0'.repeat(20)}`, /contract of a token itself/],
  ['of the wallet itself', WALLET, /wallet that payouts leave from/],
] as const)
  test(`a payee’s address ${what} is refused with a sentence that says why`, async () => {
    const response = await gateway.send(payoutRequest(token, newId(), wanted('1', account)))
    assert.equal(response.status, 406, response.text)
    assert.match(response.text, says)
  })

test('the signer says what it would sign, and a second one with its record does not start', async () => {
  const checked = await gateway.tryCli(['signer', 'check', signer.settingsFile], TIMEOUT_MS)
  assert.equal(checked.code, 2)
  assert.match(checked.stderr, /Another signer has .*record\.jsonl/)
  const second = await gateway.tryCli(['signer', 'run', signer.settingsFile], TIMEOUT_MS)
  assert.deepEqual([second.code, /Another signer has/.test(second.stderr)], [2, true])
  const key = join(own, 'new.key')
  const made = await gateway.tryCli(['signer', 'new-key', key], TIMEOUT_MS)
  assert.match(made.stdout, /^0x[0-9A-Fa-f]{40}\nThis is the wallet's address/)
  const again = await gateway.tryCli(['signer', 'new-key', key], TIMEOUT_MS)
  assert.deepEqual([again.code, /never overwritten/.test(again.stderr)], [2, true])
})

// What every operation answers

test('GET /operator/chains/{chainCode}/payouts → 400, GET /operator/chains/{chainCode}/payouts → 410: what cannot be asked', async () => {
  expectError(await send(get(ada, `${PATH}?cursor=x`)), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await send(get(ada, '/operator/chains/OTHER/payouts')), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/chains/{chainCode}/payouts → 401, GET /operator/chains/{chainCode}/payouts → 403: who may not', async () => {
  const { token: _, ...bare } = get(undefined)
  expectError(await send(bare), 401, 'TOKEN_MISSING')
  expectError(await send(get(await addOperator('cleo', 'CATALOGUE'))), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/chains/{chainCode}/payouts → 429, GET /operator/chains/{chainCode}/payouts → 500: too fast, and without its database', async () => {
  expectOneLimited(await Promise.all(Array.from({ length: 60 }, () => send(get(hasty)))))
  await door.shut()
  expectError(await send(get(ada)), 500, 'SYSTEM')
})
