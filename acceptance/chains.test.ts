import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase, transaction, waitUntil } from '@tollgate/testkit'
import {
  CHAIN_ID,
  CONFIRMATIONS,
  startChain,
  USDC,
  writeChain,
  writeCoinCatalogue,
} from './support/chains.ts'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { createPayin, newId, payinWithStatus, readPayin } from './support/payins.ts'

// A chain with two nodes, and a gateway whose customers pay there with tokens.

const TIMEOUT_MS = 60_000
/** Of the same account as the settings' xpub: everybody has it. */
const DEVELOPMENT_XPRV =
  'xprv9zz7v8QuW9DB5aPK3A4sGm1Nd3gNbg3NznE3Gu3TUPDFCEvZwALBrjY5d5h8eyKywqqFkKXDaxAKsmL4qVMzN3wBGaC2h3WoJT74EVuGwZi'
const TREASURY = `0x${'7e'.repeat(20)}`
const own = temporaryFolder()
after(() => rmSync(own, { recursive: true, force: true }))
const { chain, nodes, rpc } = await startChain({ after })
chain.funds.token = 0n
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const settings = {
  TOLLGATE_CHAINS_FILE: writeChain(own, rpc, {
    treasury: [TREASURY],
    coin: { currencyCode: 'ETH', decimals: 18 },
  }),
}
const gateway = await startGateway({ after }, { databaseUrl: door.url, settings })
const ada = gateway.operatorKey('ada')
const keyFile = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
const catalogueKey = join(own, 'cato.key')
writeFileSync(catalogueKey, await addOperator('cato', 'CATALOGUE'), { mode: 0o600 })
await gateway.cli('catalogue', 'apply', writeCoinCatalogue(own), '--operator-key-file', catalogueKey)
await gateway.cli('merchants', 'enable-method', 'DEMO', 'USDC_LOCAL', '--operator-key-file', catalogueKey)
const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*', 'GET /balances')
const auditor = await addOperator('olga', 'AUDITOR')
const outsider = readFileSync(catalogueKey, 'utf8')
const support = await addOperator('susi', 'SUPPORT')
const hasty = await addOperator('otto', 'FINANCE')

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const CHAIN = '/operator/chains/LOCAL'
const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const get = (key: string | undefined, path: string): RawRequest => ({ method: 'GET', path, token: key })
const post = (key: string | undefined, path: string): RawRequest => ({
  method: 'POST',
  path,
  token: key,
  body: {},
})
const give = (key: string | undefined, transactions: readonly string[], code = 'LOCAL'): RawRequest => ({
  method: 'POST',
  path: `/operator/chains/${code}/sweeps`,
  token: key,
  body: { transactions },
})
const until = (what: string, isSo: () => Promise<boolean>) => waitUntil(isSo, { timeoutMs: TIMEOUT_MS, what })
const read = async (path: string): Promise<unknown> => expectSuccess(await send(get(auditor, path)), 200)

/** A payin of some USDC, and the address that its customer is told. */
async function accept(amount: string) {
  const id = newId()
  const created = await createPayin(gateway, token, {
    id,
    amount,
    currencyCode: 'USDC',
    method: 'USDC_LOCAL',
  })
  const response = at(created.body, 'paymentMethodResponse')
  return { id, response, address: textAt(response, 'wallet', 'address') }
}

const pay = (address: string, units: bigint) => transaction({ token: USDC, to: address, units })

test('a customer pays USDC to an address of its own, sees it on its way, and it is paid', async () => {
  const { id, response, address } = await accept('25.5')
  assert.deepEqual(
    [at(response, 'wallet', 'network'), at(response, 'wallet', 'chainId'), at(response, 'wallet', 'token')],
    ['Local chain', String(CHAIN_ID), USDC],
  )
  const link = `ethereum:${USDC}@${CHAIN_ID}/transfer?address=${address}&uint256=25500000`
  assert.deepEqual(at(response, 'qr'), { format: 'EIP-681', content: link })
  assert.deepEqual(at(response, 'deepLinks'), [link])
  await until(
    'the chain to be read',
    async () => at(await read('/operator/chains'), 'data', 0, 'state') === 'WORKS',
  )
  chain.mine([pay(address, 25_500_000n)])
  await until('it to be seen', async () => {
    const detail = await readPayin(gateway, token, id)
    return at(detail, 'process', 'processorStatus') === 'DETECTED'
  })
  chain.mine([], CONFIRMATIONS)
  const paid = await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  assert.equal(String(at(paid, 'paymentReceived', 'money', 'amount')), '25.5')
  await gateway.cli('ledger', 'check')
})

test('GET /operator/chains/{chainCode}/transfers → 200, POST /operator/chains/{chainCode}/!look → 200: what came, also by the command line', async () => {
  const { id, address } = await accept('10')
  chain.mine([pay(address, 4_000_000n)], CONFIRMATIONS)
  assert.equal(textAt(expectSuccess(await send(post(ada, `${CHAIN}/!look`)), 200), 'code'), 'LOCAL')
  await until('it to be booked', async () => {
    const transfers = listAt(await read(`${CHAIN}/transfers?limit=1`), 'data')
    return at(transfers[0], 'idPayment') === id && at(transfers[0], 'state') === 'BOOKED'
  })
  const [transfer] = listAt(await read(`${CHAIN}/transfers`), 'data')
  assert.deepEqual(
    ['kind', 'address', 'isElsewhere', 'confirmations'].map((name) => at(transfer, name)),
    ['PAYIN', address, false, CONFIRMATIONS],
  )
  const detail = await readPayin(gateway, token, id)
  assert.equal(at(detail, 'process', 'processorStatus'), 'CONFIRMED_DIFFERENT_AMOUNT')
  const { stdout } = await gateway.cli('chains', 'transfers', 'local', ...keyFile)
  assert.match(stdout, /4 USDC +PAYIN \S+ +BOOKED/)
  const path = await gateway.cli('chains', 'path', textAt(transfer, 'reference'))
  assert.match(path.stdout, /^m\/\d+\/\d+$/m)
  await assert.rejects(
    gateway.cli('chains', 'path', 'ORD-1'),
    /A payment's reference looks like 7MZKQ2VTN4CX/,
  )
  await assert.rejects(
    gateway.cli('chains', 'transfers', 'no chain', ...keyFile),
    /A chain's code looks like BASE/,
  )
})

test('GET /operator/chains/{chainCode}/holdings → 200: what is there beside what came and left, also by ledger check, and who took some', async () => {
  const counted = async (): Promise<unknown> => {
    const before = at(await read(`${CHAIN}/holdings`), 'countedAt')
    await send(post(ada, `${CHAIN}/!look`))
    await until('a count', async () => at(await read(`${CHAIN}/holdings`), 'countedAt') !== before)
    return read(`${CHAIN}/holdings`)
  }
  const holdings = await counted()
  const asset = listAt(holdings, 'assets').find((each) => at(each, 'currencyCode') === 'USDC')
  assert.deepEqual(
    ['booked', 'addressCount', 'atAddresses', 'swept', 'inTreasury'].map((name) => at(asset, name)),
    [29.5, 2, 29.5, 0, 0],
  )
  assert.deepEqual(at(holdings, 'findings'), [])
  assert.match((await gateway.cli('ledger', 'check', '--chain')).stdout, /The books agree/)
  const shown = await gateway.cli('chains', 'holdings', 'local', ...keyFile)
  assert.match(shown.stdout, /USDC +29\.5 +0 +2 +29\.5 +0 +0/)
  assert.match(shown.stderr, /At block \d+, counted /)

  const [taken] = listAt(await read(`${CHAIN}/transfers?limit=1`), 'data')
  const theft = { token: USDC, from: textAt(taken, 'address'), to: `0x${'5e'.repeat(20)}`, units: 1_000_000n }
  chain.mine([transaction(theft)])
  await until('the finding', async () => listAt(await read(`${CHAIN}/holdings`), 'findings').length === 1)
  const attention = JSON.stringify(await read('/operator/attention'))
  assert.match(attention, /"kind":"CHAINS".*LOCAL does not have what it should have: 1 USDC left the address/)
  const checked = await gateway.tryCli(['ledger', 'check', '--chain'], TIMEOUT_MS)
  assert.match(checked.stdout, /chain_LOCAL_has_what_came: 1 USDC left the address of the payment/)
  assert.equal((await gateway.tryCli(['ledger', 'check'], TIMEOUT_MS)).code, 0)
})

test('POST /operator/chains/{chainCode}/sweeps → 200, GET /operator/chains/{chainCode}/sweeps → 200: coins are brought home, by commands alone', async () => {
  // A sweep takes what no reorganisation takes back, and this chain counts three blocks.
  chain.mine([], 10)
  await until('the blocks to be final', async () => {
    await send(post(ada, `${CHAIN}/!look`))
    return Number(textAt(await read('/operator/chains'), 'data', 0, 'scannedBlock')) === chain.head()
  })
  const file = (name: string): string => join(own, name)
  writeFileSync(file('xprv'), DEVELOPMENT_XPRV, { mode: 0o600 })
  const rules = { chainId: CHAIN_ID, treasury: TREASURY, maxFeePerGasGwei: '100', tokens: [USDC] }
  writeFileSync(file('sweeper.json'), JSON.stringify({ keyFile: 'xprv', chains: [rules] }))
  const planned = await gateway.cli('chains', 'sweep', 'local', 'usdc', file('plan.json'), '--min', '20')
  assert.match(planned.stdout, /plan\.json: 25\.5 USDC from 1 address to 0x7e\w+, for at most 0\.000\d+ ETH/i)
  assert.match(planned.stderr, /0x\w{40} pays for it: it has 1000 ETH, and gives 0 ETH\./)
  await gateway.cli('signer', 'sweep', file('sweeper.json'), file('plan.json'), file('signed.json'))
  const given = await gateway.cli('chains', 'send', 'local', file('signed.json'), ...keyFile)
  assert.match(given.stdout, /1 transaction taken, 1 new/)
  await until('nodes to have it', async () => chain.mempool.waiting().length === 1)
  chain.minePending(10)
  await until('it to be at home', async () => {
    const [sweep] = listAt(await read(`${CHAIN}/sweeps`), 'data')
    return textAt(sweep, 'state') === 'DONE'
  })
  const listed = await gateway.cli('chains', 'sweeps', 'local', ...keyFile)
  assert.match(listed.stdout, /operator:ada +MOVE +\w{12} +DONE +\d+ +0\.000\d+ +0x[0-9a-f]{64}/)
  await gateway.cli('ledger', 'check')
  await assert.rejects(
    gateway.cli('chains', 'send', 'local', file('plan.json'), ...keyFile),
    /is no file that `tollgate signer sweep` wrote/,
  )
  await assert.rejects(
    gateway.cli('chains', 'sweep', 'local', 'usdc', file('plan.json')),
    /is there already; it is not overwritten/,
  )
})

test('GET /operator/chains → 200 says what is wrong, the command line names it, and the home page of operators too', async () => {
  nodes[1].moods.chainId = 1
  nodes[1].moods.isDown = true
  await until('the fault', async () => at(await read('/operator/chains'), 'data', 0, 'state') === 'FAILS')
  const body = await read('/operator/chains')
  assert.equal(at(body, 'data', 0, 'fault', 'kind'), 'REFUSED')
  assert.doesNotMatch(JSON.stringify(body), /a-key-of-ours/)
  const { stdout, stderr } = await gateway.cli('chains', 'list', ...keyFile)
  assert.match(stdout, /LOCAL +127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+ +FAILS/)
  assert.match(stderr, /LOCAL, REFUSED since .*: 127\.0\.0\.1:\d+ answered \w+ with status 503/)
  const attention = JSON.stringify(await read('/operator/attention'))
  assert.match(attention, /"kind":"CHAINS".*LOCAL fails: 127/)
  nodes[1].moods.chainId = CHAIN_ID
  nodes[1].moods.isDown = false
  assert.match((await gateway.cli('chains', 'look', 'local', ...keyFile)).stdout, /is read within seconds/)
  await until('it to work', async () => at(await read('/operator/chains'), 'data', 0, 'state') === 'WORKS')
})

test('an amount finer than the token is refused, and so is a currency that the chain does not have', async () => {
  const request = (amount: string, currencyCode: string): Promise<RawResponse> =>
    gateway.send({
      method: 'POST',
      path: `/payins/${newId()}`,
      token,
      body: {
        paymentRequested: { money: { amount, currencyCode } },
        paymentMethod: { paymentMethodCode: 'USDC_LOCAL' },
        callbackUrl: 'http://127.0.0.1:9/',
      },
    })
  expectError(await request('1.0000001', 'USDC'), 406, 'AMOUNT_PRECISION_INVALID')
  expectError(await request('1', 'EUR'), 406, 'CURRENCY_NOT_SUPPORTED')
})

// What every operation answers

const LOOK = (key: string | undefined): RawRequest => post(key, `${CHAIN}/!look`)
const REQUESTS: readonly ((key: string | undefined) => RawRequest)[] = [
  (key) => get(key, '/operator/chains'),
  (key) => get(key, `${CHAIN}/transfers`),
  (key) => get(key, `${CHAIN}/holdings`),
  (key) => get(key, `${CHAIN}/sweeps`),
  (key) => give(key, ['0x02']),
  LOOK,
]

test('GET /operator/chains/{chainCode}/transfers → 400, GET /operator/chains/{chainCode}/holdings → 400, GET /operator/chains/{chainCode}/sweeps → 400, POST /operator/chains/{chainCode}/sweeps → 400, POST /operator/chains/{chainCode}/!look → 400: what cannot be asked', async () => {
  for (const request of [
    get(ada, '/operator/chains/no-chain/transfers'),
    get(ada, '/operator/chains/no-chain/holdings'),
    get(ada, `${CHAIN}/sweeps?cursor=x`),
    give(ada, ['no transaction']),
    give(ada, ['0x02']),
    get(ada, `${CHAIN}/transfers?cursor=x`),
    post(ada, '/operator/chains/no-chain/!look'),
  ])
    expectError(await send(request), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /operator/chains/{chainCode}/transfers → 410, GET /operator/chains/{chainCode}/holdings → 410, GET /operator/chains/{chainCode}/sweeps → 410, POST /operator/chains/{chainCode}/sweeps → 410, POST /operator/chains/{chainCode}/!look → 410: there is no such chain', async () => {
  for (const request of [
    get(ada, '/operator/chains/OTHER/transfers'),
    get(ada, '/operator/chains/OTHER/holdings'),
    get(ada, '/operator/chains/OTHER/sweeps'),
    give(ada, ['0x02'], 'OTHER'),
    post(ada, '/operator/chains/OTHER/!look'),
  ])
    expectError(await send(request), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/chains → 401, GET /operator/chains/{chainCode}/transfers → 401, GET /operator/chains/{chainCode}/holdings → 401, GET /operator/chains/{chainCode}/sweeps → 401, POST /operator/chains/{chainCode}/sweeps → 401, POST /operator/chains/{chainCode}/!look → 401: without an operator’s key', async () => {
  for (const requestOf of REQUESTS) {
    const { token: _, ...bare } = requestOf(undefined)
    expectError(await send(bare), 401, 'TOKEN_MISSING')
    expectError(await send(requestOf(token)), 401, 'TOKEN_INVALID')
  }
})

test('GET /operator/chains → 403, GET /operator/chains/{chainCode}/transfers → 403, GET /operator/chains/{chainCode}/holdings → 403, GET /operator/chains/{chainCode}/sweeps → 403, POST /operator/chains/{chainCode}/sweeps → 403, POST /operator/chains/{chainCode}/!look → 403: no role permits it', async () => {
  for (const requestOf of REQUESTS)
    expectError(await send(requestOf(requestOf === LOOK ? hasty : outsider)), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/chains → 429, GET /operator/chains/{chainCode}/transfers → 429, GET /operator/chains/{chainCode}/holdings → 429, GET /operator/chains/{chainCode}/sweeps → 429, POST /operator/chains/{chainCode}/sweeps → 429, POST /operator/chains/{chainCode}/!look → 429: an operator who asks faster than a person can', async () => {
  for (const requestOf of REQUESTS)
    expectOneLimited(
      await Promise.all(
        Array.from({ length: 60 }, () => send(requestOf(requestOf === LOOK ? support : hasty))),
      ),
    )
})

test('GET /operator/chains → 500, GET /operator/chains/{chainCode}/transfers → 500, GET /operator/chains/{chainCode}/holdings → 500, GET /operator/chains/{chainCode}/sweeps → 500, POST /operator/chains/{chainCode}/sweeps → 500, POST /operator/chains/{chainCode}/!look → 500: the database is away', async () => {
  await door.shut()
  for (const requestOf of REQUESTS) expectError(await send(requestOf(ada)), 500, 'SYSTEM')
})
