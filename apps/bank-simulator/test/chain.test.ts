import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferCall } from '@tollgate/signer-protocol'
import { waitUntil } from '@tollgate/testkit'
import { addr, Transaction } from 'micro-eth-signer'
import { openBank, type Rig, temporaryFolder } from './support.ts'

// The sandbox's chain: what its node answers, and the wallet that pays.

const TOKEN = `0x${'a0'.repeat(20)}`
const ADDRESS = `0x${'1b'.repeat(20)}`
const LINK = `ethereum:${TOKEN}@7357/transfer?address=${ADDRESS}&uint256=25000000`

async function ask(
  bank: Rig,
  method: string,
  ...params: readonly unknown[]
): Promise<Record<string, unknown>> {
  const response = await fetch(`${bank.url}/chain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: unknown = await response.json()
  assert.ok(typeof answer === 'object' && answer !== null)
  return { ...answer }
}

const resultOf = async (bank: Rig, method: string, ...params: readonly unknown[]): Promise<unknown> =>
  (await ask(bank, method, ...params))['result']

async function pay(bank: Rig, choice: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams({ link: LINK, currency: 'USDC', choice })
  return fetch(`${bank.url}/wallet`, { method: 'POST', body, headers, redirect: 'manual' })
}

/** Waits until the block that the next payment goes into is there, and gives what the chain has by then. */
async function transfersOf(
  bank: Rig,
  since: number,
  count: number,
): Promise<readonly Record<string, unknown>[]> {
  let logs: readonly Record<string, unknown>[] = []
  await waitUntil(
    async () => {
      const found = await resultOf(bank, 'eth_getLogs', { ...rangeFrom(since), address: [TOKEN] })
      if (Array.isArray(found)) logs = found
      return logs.length >= count
    },
    { timeoutMs: 60_000, what: `${count} transfers` },
  )
  return logs
}

const rangeFrom = (since: number) => ({
  fromBlock: `0x${since.toString(16)}`,
  toBlock: `0x${(since + 1_000).toString(16)}`,
})

const headOf = async (bank: Rig): Promise<number> => Number(await resultOf(bank, 'eth_blockNumber'))

test('the wallet pays what the link asks for into the next block, and what was paid outlasts a restart', async (t) => {
  const dataDir = temporaryFolder(t)
  const bank = await openBank(t, { dataDir })
  const since = await headOf(bank)
  const shown = await (
    await fetch(`${bank.url}/wallet?${new URLSearchParams({ link: LINK, currency: 'USDC' })}`)
  ).text()
  assert.match(
    shown,
    /Send 25 USDC\?[\s\S]*0x1b1b[\s\S]*Send half: 12\.5 USDC[\s\S]*Send too much: 37\.5 USDC/,
  )
  const sent = await pay(bank, 'exact')
  assert.equal(sent.status, 303)
  assert.match(
    await (await fetch(`${bank.url}${sent.headers.get('location') ?? ''}`)).text(),
    /<h1>Sent<\/h1>/,
  )
  const [log, ...others] = await transfersOf(bank, since, 1)
  assert.ok(log !== undefined && others.length === 0)
  assert.deepEqual(
    [log['address'], log['data'], log['removed']],
    [TOKEN, `0x${(25_000_000).toString(16).padStart(64, '0')}`, false],
  )
  assert.match(JSON.stringify(log['topics']), new RegExp(`"0x0{24}${ADDRESS.slice(2)}"\\]$`))
  const block = await resultOf(bank, 'eth_getBlockByNumber', log['blockNumber'], false)
  assert.equal(Reflect.get(Object(block), 'hash'), log['blockHash'])
  await bank.stop()
  const again = await openBank(t, { dataDir })
  assert.deepEqual(await transfersOf(again, since, 1), [log])
})

test('half, too much and twice are what they say', async (t) => {
  const bank = await openBank(t)
  const since = await headOf(bank)
  for (const choice of ['less', 'more', 'twice']) assert.equal((await pay(bank, choice)).status, 303)
  const logs = await transfersOf(bank, since, 4)
  assert.deepEqual(
    logs.map((log) => Number(log['data'])),
    [12_500_000, 37_500_000, 25_000_000, 25_000_000],
  )
  assert.equal(new Set(logs.map((log) => log['transactionHash'])).size, 4)
})

test('what is no link of the test chain, no choice, or sent from elsewhere pays nothing', async (t) => {
  const bank = await openBank(t)
  const since = await headOf(bank)
  for (const link of ['', 'ethereum:0x12@7357', LINK.replace('7357', '1'), `${LINK}&more=1`]) {
    const page = await fetch(`${bank.url}/wallet?${new URLSearchParams({ link })}`)
    assert.equal(page.status, 404, link)
  }
  assert.equal((await pay(bank, 'everything')).status, 400)
  assert.equal((await pay(bank, 'exact', { 'sec-fetch-site': 'cross-site' })).status, 403)
  const logs = await resultOf(bank, 'eth_getLogs', {
    ...rangeFrom(since),
    address: [TOKEN],
  })
  assert.deepEqual(logs, [])
})

test('its node answers what a reader asks, has no block of the future, and knows nothing else', async (t) => {
  const bank = await openBank(t)
  assert.equal(await resultOf(bank, 'eth_chainId'), '0x1cbd')
  assert.equal(Number(await resultOf(bank, 'eth_call', { to: TOKEN, data: '0x313ce567' }, 'latest')), 6)
  assert.equal(await resultOf(bank, 'eth_getBlockByNumber', '0xffffffffff', false), null)
  for (const number of ['', 'x', '-1', undefined])
    assert.equal(await resultOf(bank, 'eth_getBlockByNumber', number), null)
  assert.match(JSON.stringify((await ask(bank, 'eth_mine'))['error']), /does not know/)
  assert.match(
    JSON.stringify(
      (await ask(bank, 'eth_getLogs', { fromBlock: '0x0', toBlock: '0xffff', address: [] }))['error'],
    ),
    /-32005/,
  )
})

test('who got coins before sending any has what came and left, block by block; everybody else has coins without end', async (t) => {
  const bank = await openBank(t)
  const since = await headOf(bank)
  const balanceAt = async (address: string, block: string): Promise<bigint> => {
    const data = `0x70a08231${address.slice(2).padStart(64, '0')}`
    return BigInt(String(await resultOf(bank, 'eth_call', { to: TOKEN, data }, block)))
  }
  assert.ok((await balanceAt(ADDRESS, 'latest')) > 10n ** 20n)
  assert.equal((await pay(bank, 'exact')).status, 303)
  await transfersOf(bank, since, 1)
  assert.equal(await balanceAt(ADDRESS, 'latest'), 25_000_000n)
  assert.equal(await balanceAt(ADDRESS, `0x${since.toString(16)}`), 0n)
  assert.equal((await pay(bank, 'less')).status, 303)
  await transfersOf(bank, since, 2)
  assert.equal(await balanceAt(ADDRESS, 'latest'), 37_500_000n)
  assert.ok((await balanceAt(`0x${'2c'.repeat(20)}`, 'latest')) > 10n ** 20n)
})

test('questions that come at once are answered each under its own id', async (t) => {
  const bank = await openBank(t)
  const questions = ['eth_chainId', 'eth_mine', 'eth_estimateGas'].map((method, index) => ({
    jsonrpc: '2.0',
    id: index + 7,
    method,
    params: [],
  }))
  const response = await fetch(`${bank.url}/chain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(questions),
  })
  const answers: unknown = await response.json()
  assert.ok(Array.isArray(answers))
  assert.deepEqual(
    answers.map(({ id, result, error }) => [id, result, error?.code]),
    [
      [7, '0x1cbd', undefined],
      [8, undefined, -32_601],
      [9, '0x5208', undefined],
    ],
  )
})

const KEY = `0x${'29'.repeat(32)}`
const WALLET = addr.fromPrivateKey(KEY)
const GWEI = 1_000_000_000n

/** A transfer of the token, signed by a wallet's key. */
const signed = (
  nonce: bigint,
  given: {
    readonly chainId?: bigint
    readonly data?: string
    readonly to?: string
    readonly value?: bigint
  } = {},
): string =>
  Transaction.prepare({
    type: 'eip1559',
    chainId: 7357n,
    nonce,
    to: addr.addChecksum(TOKEN),
    value: 0n,
    gasLimit: 100_000n,
    maxFeePerGas: 10n * GWEI,
    maxPriorityFeePerGas: GWEI,
    data: transferCall({ payee: ADDRESS, units: 7n }),
    ...given,
  })
    .signBy(KEY, false)
    .toHex()

/** As the gateway asks: run by an EVM, it returns what the addresses behind it have. */
const COINS_PROGRAM =
  '603160205b388210601357602080820390f3005b60148260003960005160601c3160801b81526010019060140190600456'

const coinsOf = async (bank: Rig): Promise<bigint> =>
  BigInt(String(await resultOf(bank, 'eth_getBalance', WALLET, 'latest')))

/** By the page of the wallet, as everybody gets coins for the network. */
async function giveCoins(bank: Rig, units: bigint): Promise<void> {
  const link = `ethereum:${WALLET}@7357?value=${units}`
  const shown = await fetch(`${bank.url}/wallet?${new URLSearchParams({ link, currency: 'ETH' })}`)
  assert.match(await shown.text(), /Send 0\.0+1 ETH\?/)
  const body = new URLSearchParams({ link, currency: 'ETH', choice: 'exact' })
  assert.equal((await fetch(`${bank.url}/wallet`, { method: 'POST', body, redirect: 'manual' })).status, 303)
  await waitUntil(async () => (await coinsOf(bank)) === units, { timeoutMs: 60_000, what: 'the coins' })
}

test('the chain’s own coin is in whole blocks, moves without a log, and many balances are one question', async (t) => {
  const bank = await openBank(t)
  const since = await headOf(bank)
  await giveCoins(bank, 10n ** 16n)
  const plain = signed(0n, { to: addr.addChecksum(ADDRESS), value: 5n, data: '' })
  const hash = await resultOf(bank, 'eth_sendRawTransaction', plain)
  const receiptOf = async () => Object(await resultOf(bank, 'eth_getTransactionReceipt', hash))
  await waitUntil(async () => Reflect.get(await receiptOf(), 'status') === '0x1', {
    timeoutMs: 60_000,
    what: 'a receipt',
  })
  const { logs, gasUsed, blockNumber } = await receiptOf()
  assert.deepEqual([logs, Number(gasUsed)], [[], 21_000])
  const block = Object(await resultOf(bank, 'eth_getBlockByNumber', blockNumber, true))
  assert.deepEqual(
    block.transactions.map(({ from, to, value }: Record<string, string>) => [from, to, value]),
    [[WALLET.toLowerCase(), ADDRESS, '0x5']],
  )
  const data = `0x${COINS_PROGRAM}${WALLET.slice(2)}${ADDRESS.slice(2)}`
  const balancesAt = async (at: string): Promise<readonly bigint[]> => {
    const answer = String(await resultOf(bank, 'eth_call', { data }, at))
    return (answer.slice(2).match(/.{32}/g) ?? []).map((each) => BigInt(`0x${each}`))
  }
  assert.deepEqual(await balancesAt('latest'), [10n ** 16n - 5n - 21_000n * ((11n * GWEI) / 10n), 5n])
  assert.deepEqual(await balancesAt(`0x${since.toString(16)}`), [0n, 0n])
})

test('a wallet sends transfers in the order of its numbers, and its node has a receipt of each', async (t) => {
  const bank = await openBank(t)
  const since = await headOf(bank)
  const refusal = async (raw: string): Promise<string> =>
    JSON.stringify((await ask(bank, 'eth_sendRawTransaction', raw))['error'])
  assert.match(await refusal('0x'), /no signed transaction/)
  assert.match(await refusal(signed(0n, { chainId: 1n })), /invalid chain id/)
  assert.match(await refusal(signed(0n, { data: '0x095ea7b3' })), /transfers only/)
  assert.match(await refusal(signed(0n)), /insufficient funds/)
  await giveCoins(bank, 10n ** 15n)
  assert.match(await refusal(signed(1n)), /nonce too high: the next one is 0/)
  const hash = await resultOf(bank, 'eth_sendRawTransaction', signed(0n))
  assert.match(String(hash), /^0x[0-9a-f]{64}$/)
  assert.match(await refusal(signed(0n)), /already known/)
  const [log] = await transfersOf(bank, since, 1)
  assert.deepEqual([log?.['transactionHash'], BigInt(String(log?.['data']))], [hash, 7n])
  assert.equal(Number(await resultOf(bank, 'eth_getTransactionCount', WALLET, 'latest')), 1)
  const receipt = JSON.stringify(await resultOf(bank, 'eth_getTransactionReceipt', hash))
  assert.match(receipt, /"status":"0x1".*"blockHash":"0x[0-9a-f]{64}"/)
  assert.equal(await resultOf(bank, 'eth_getTransactionReceipt', `0x${'00'.repeat(32)}`), null)
  assert.equal(await coinsOf(bank), 10n ** 15n - 50_000n * ((11n * GWEI) / 10n))
  // It could not pay for it a second time, and that is not what its node says.
  assert.match(await refusal(signed(0n)), /already known/)
})
