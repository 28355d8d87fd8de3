import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RawResponse } from '@tollgate/sdk'
import {
  freePort,
  runSql,
  type TestChain,
  type TestLife,
  testDatabase,
  transaction,
  waitUntil,
} from '@tollgate/testkit'
import { startSftpServer } from '@tollgate/testkit/sftp'
import { writeChannels } from './bank-channels.ts'
import { startSigner, topUpOnChain } from './chain-payouts.ts'
import { CONFIRMATIONS, startChain, USDC, writeChain, writeCoinCatalogue } from './chains.ts'
import { startGateway, type TestGateway, temporaryFolder } from './gateway.ts'
import { itemWith, listAt, textAt } from './json.ts'
import { addMerchant } from './merchant.ts'
import { mt940 } from './mt940.ts'
import { statusReport } from './pain002.ts'
import { createPayin, NOWHERE, newId, payinWithStatus } from './payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './payouts.ts'
import { fundBalance } from './topups.ts'

// A sandbox with something on every screen of the console.

type Ask = (path: string, body?: unknown, who?: 'ada' | 'grace' | 'alan') => Promise<RawResponse>

interface Filling {
  readonly gateway: TestGateway
  readonly databaseUrl: string
  readonly token: string
  /** What an operator posts, below `/operator/`. */
  readonly ask: Ask
}

const TIMEOUT_MS = 60_000
const DAYS = 28

/** Starts a gateway with its console, and fills it. */
export async function startFilledConsole(life: TestLife): Promise<TestGateway> {
  const { url: databaseUrl } = await testDatabase(life)
  const folder = join(temporaryFolder(), 'statements')
  mkdirSync(folder)
  const chain = await startLocalChain(life)
  const gateway = await startGateway(life, {
    console: true,
    simulator: true,
    databaseUrl,
    settings: {
      TOLLGATE_SECOND_PERSON: 'on',
      TOLLGATE_SECOND_PERSON_FROM: 'EUR=5000,CZK=100000',
      TOLLGATE_STATEMENTS_DIR: folder,
      TOLLGATE_BANK_CHANNELS_FILE: await bankChannels(life),
      TOLLGATE_CHAINS_FILE: chain.file,
    },
  })
  const operations = ['POST /payins/.*', 'GET /payins/.*', 'POST /customers/.*']
  const token = await gateway.demo().token(...PAYOUT_OPERATIONS, ...operations)
  const filling: Filling = { gateway, databaseUrl, token, ask: asker(gateway) }
  writeFileSync(join(folder, '2026-11-19.sta'), 'This file is not a statement.')
  await merchants(filling)
  await payins(filling)
  await coins(filling, chain)
  await gateway.cli('settlements', 'run', '--merchant', 'DEMO', '--until', 'now')
  await payouts(filling)
  await statements(filling)
  // The check would find that the volumes of the past have no payments.
  await gateway.cli('ledger', 'check')
  await volumes(databaseUrl)
  await waitUntil(
    async () => {
      // An operator may ask twenty times a second, and this asks faster.
      const { status, body } = await read(gateway, 'failed-documents')
      return status === 200 && listAt(body, 'data').length > 0
    },
    { timeoutMs: TIMEOUT_MS, what: 'the file that is no statement' },
  )
  return gateway
}

interface LocalChain {
  readonly chain: TestChain
  readonly file: string
  readonly folder: string
}

const TREASURY = `0x${'7e'.repeat(20)}`

/** A chain with two nodes, and a signer. */
async function startLocalChain(life: TestLife): Promise<LocalChain> {
  const folder = join(temporaryFolder(), 'chain')
  mkdirSync(folder)
  const { chain, rpc } = await startChain(life)
  chain.funds.token = 60_000_000_000n
  chain.funds.coin = 2_000_000_000_000_000_000n
  const { payouts: paidOut } = await startSigner(life, folder)
  return { chain, folder, file: writeChain(folder, rpc, { payouts: paidOut, treasury: [TREASURY] }) }
}

/** A bank that has laid down a statement, and one where nobody listens. */
async function bankChannels(life: TestLife): Promise<string> {
  const own = join(temporaryFolder(), 'channels')
  const out = join(own, 'bank', 'out')
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, '2026-11-21.sta'), mt940([['12.5', 'a gift of Ms Otter']]))
  const bank = await startSftpServer(life, { directory: join(own, 'bank') })
  const does = { fetch: [{ directory: '/out', holds: 'STATEMENTS', afterwards: 'LEAVE' }] }
  return writeChannels(own, [
    { code: 'MYBANK', bank, does },
    { code: 'OTHERBANK', bank: { ...bank, port: await freePort() }, does },
  ])
}

function asker(gateway: TestGateway): Ask {
  return async (path, body = {}, who = 'ada') => {
    const request = {
      method: 'POST',
      path: `/operator/${path}`,
      token: gateway.operatorKey(who),
      body,
    } as const
    const answer = await gateway.sendToOperators(request)
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer
  }
}

const read = (gateway: TestGateway, path: string): Promise<RawResponse> =>
  gateway.sendToOperators({ method: 'GET', path: `/operator/${path}`, token: gateway.operatorKey('ada') })

async function merchants({ gateway, token, ask }: Filling): Promise<void> {
  await addMerchant(gateway, 'PAPAYA')
  await gateway.cli('merchants', 'enable-method', 'PAPAYA', 'all')
  const change = { name: 'Papaya Books', supportEmail: 'help@papaya.example' }
  await ask('merchants/PAPAYA/!change', change, 'alan')
  await ask('merchants', { merchantCode: 'LINDEN', name: 'Linden Garden' }, 'alan')
  await ask('merchants/DEMO/!change', { supportEmail: 'help@demo.example' }, 'alan')
  const body = { name: 'Jana Example' }
  await gateway.send({ method: 'POST', path: '/customers/CUST-1042', token, body })
}

async function payins({ gateway, token }: Filling): Promise<void> {
  const wanted = [
    ...['149.90', '38.50', '212.00', '19.99', '64.00', '89.00'].map((amount) => ({
      amount,
      email: 'success@sandbox.test',
    })),
    { amount: '54.20', email: 'declined@sandbox.test' },
    { amount: '1490', currencyCode: 'CZK', email: 'success@sandbox.test' },
    { amount: '27.80', email: 'success@sandbox.test', callbackUrl: NOWHERE },
    { amount: '73.10' },
    { amount: '129.00' },
  ]
  for (const each of wanted) {
    const id = newId()
    await createPayin(gateway, token, { id, ...each })
    if (each.email === 'success@sandbox.test')
      await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  }
}

/** A payin that is paid in coins, one that they are on their way to, and one that got too little. */
async function coins({ gateway, token }: Filling, { chain, folder }: LocalChain): Promise<void> {
  await gateway.cli('catalogue', 'apply', writeCoinCatalogue(folder, { isPayingOut: true }))
  for (const direction of ['payin', 'topup', 'payout'])
    await gateway.cli('merchants', 'enable-method', 'DEMO', 'USDC_LOCAL', '--direction', direction)
  const accept = async (amount: string) => {
    const id = newId()
    const { body } = await createPayin(gateway, token, {
      id,
      amount,
      currencyCode: 'USDC',
      method: 'USDC_LOCAL',
    })
    return { id, address: textAt(body, 'paymentMethodResponse', 'wallet', 'address') }
  }
  const pay = (to: string, units: bigint) => transaction({ token: USDC, to, units })
  const [paid, partial, seen] = [await accept('25'), await accept('40'), await accept('149.9')]
  chain.mine([pay(paid.address, 25_000_000n), pay(partial.address, 30_000_000n)], CONFIRMATIONS)
  await payinWithStatus(gateway, token, { id: paid.id, status: 'SUCCESS' })
  await coinsOut(gateway, token, chain)
  chain.mine([pay(seen.address, 149_900_000n)])
}

/** Coins that went out, some that are on their way, and some that the signer does not let out. */
async function coinsOut(gateway: TestGateway, token: string, chain: TestChain): Promise<void> {
  await topUpOnChain(gateway, token, { chain, amount: 20_000 })
  const payOut = async (amount: string): Promise<string> => {
    const id = newId()
    const account = { accountNumber: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }
    await createPayout(gateway, token, { id, amount, currencyCode: 'USDC', method: 'USDC_LOCAL', account })
    return id
  }
  const waitForNodes = () =>
    waitUntil(() => chain.mempool.waiting().length > 0, { timeoutMs: TIMEOUT_MS, what: 'a transaction' })
  const id = await payOut('1250')
  await waitForNodes()
  chain.minePending(CONFIRMATIONS)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  await payoutWithStatus(gateway, token, { id: await payOut('12000'), status: 'FAILED' })
  await payOut('88.4')
  await waitForNodes()
}

async function payouts(filling: Filling): Promise<void> {
  const { gateway, token, ask, databaseUrl } = filling
  await fundBalance(gateway, token, { id: newId(), amount: '9000' })
  const make = async (amount: string, email: string): Promise<readonly [id: string, reference: string]> => {
    const id = newId()
    const { body } = await createPayout(gateway, token, { id, amount, email })
    return [id, textAt(body, 'paymentMethodResponse', 'reference')]
  }
  for (const amount of ['24.80', '310.00', '1250.00']) await make(amount, 'approval@sandbox.test')
  const [approved] = await make('88.40', 'approval@sandbox.test')
  const waiting = listAt((await read(gateway, 'payouts?limit=100')).body, 'data')
  const contentHash = textAt(itemWith(waiting, 'idPayout', approved), 'contentHash')
  await ask(`payouts/DEMO/${approved}/!approve`, { reason: 'Invoice checked.', contentHash }, 'grace')
  const [held] = await make('640.00', 'approval@sandbox.test')
  await ask(`payments/PAYOUT/DEMO/${held}/!hold`, { reason: 'The merchant called.' })
  await make('45.00', 'success@sandbox.test')
  const [, reference] = await make('11.70', 'file@sandbox.test')
  const { body } = await ask('payout-files')
  const fileId = textAt(body, 'files', 0, 'fileId')
  await gateway.sendToOperators({
    method: 'POST',
    path: '/operator/payout-reports?fileName=status.xml',
    token: gateway.operatorKey('ada'),
    headers: { 'content-type': 'application/xml' },
    rawBody: statusReport(fileId, [
      [reference, 'ACSC'],
      ['UNKNOWNREF', 'RJCT'],
    ]),
  })
  const [unknown] = await make('32.00', 'unknown@sandbox.test')
  await payoutWithStatus(gateway, token, { id: unknown, status: 'UNKNOWN' })
  // An outcome is reviewed once it has been unknown for long.
  await runSql(
    databaseUrl,
    `update payment_tasks set unknown_since = unknown_since - interval '1 h', due_at = due_at + interval '1 h' where id_payment = $1`,
    [unknown],
  )
}

async function statements({ gateway }: Filling): Promise<void> {
  const take = async (fileName: string, rawBody: string): Promise<void> => {
    const answer = await gateway.sendToOperators({
      method: 'POST',
      path: `/operator/statements?fileName=${fileName}`,
      rawBody,
      token: gateway.operatorKey('ada'),
      headers: { 'content-type': 'application/octet-stream' },
    })
    assert.ok(answer.status < 300, answer.text)
  }
  await take(
    '2026-11-20.sta',
    mt940([
      ['73.10', 'order 1042'],
      ['128.50', 'order 1043'],
      ['60.00', 'membership fee'],
      ['-3.10', 'account charges'],
    ]),
  )
  await take('2026-11-21.sta', mt940([['6400.00', 'transfer from own account']]))
}

/** Days before today, as if the gateway had run for weeks. */
async function volumes(databaseUrl: string): Promise<void> {
  await runSql(
    databaseUrl,
    `insert into payment_volumes (step, begins_at, merchant_id, kind, method_code, currency_code, entered, payments, amount)
     select 'DAY', date_trunc('day', now(), 'UTC') - day * interval '1 day', m.merchant_id, 'PAYIN', method, 'EUR', entered,
       count, count * 64.5
     from (select merchant_id from payments where kind = 'PAYIN' limit 1) m
       cross join generate_series(1, $1::integer) day
       cross join (values ('BANK_TRANSFER', 60), ('WALLET', 35), ('OFFLINE_TRANSFER', 20)) methods (method, size)
       cross join (values ('CREATED', 100), ('SUCCESS', 88), ('FAILED', 7), ('EXPIRED', 5)) ends (entered, share)
       cross join lateral (select (size * share * (70 + (day * 37 + size) % 45) / 10000)::bigint as count) counted
     where count > 0`,
    [DAYS],
  )
  await runSql(
    databaseUrl,
    `insert into payment_house_volumes as v
       select step, begins_at, kind, method_code, currency_code, entered, sum(payments), sum(amount) from payment_volumes
       where step = 'DAY' and begins_at < date_trunc('day', now(), 'UTC') group by 1, 2, 3, 4, 5, 6`,
  )
}
