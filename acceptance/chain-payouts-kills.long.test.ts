import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { enableCoins, paidByWallet, startSigner, topUpOnChain } from './support/chain-payouts.ts'
import { CONFIRMATIONS, DECIMALS, startChain, writeChain, writeCoinCatalogue } from './support/chains.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'

// 500 payouts on a chain, while gateway, signer and nodes are killed 50 times: each number is used once, nobody is paid twice, nobody is forgotten.

const PAYOUTS = 500
const KILLS = 50
/** A gateway takes the longest to be there again: so it is killed among the first. */
const GATEWAY_EVERY = 3
const GATEWAY_UP_TO = 27
const TIMEOUT_MS = 800_000
const BLOCK_MS = 300
const UNITS = 10n ** BigInt(DECIMALS)

test('D60 500 payouts over 50 kills of gateway, signer and nodes: each is paid once', {
  timeout: 890_000,
}, async (t) => {
  const own = temporaryFolder()
  t.after(() => rmSync(own, { recursive: true, force: true }))
  const { chain, nodes, rpc } = await startChain(t)
  const signer = await startSigner(t, own)
  const { url } = await testDatabase(t)
  const file = writeChain(own, rpc, { payouts: signer.payouts })
  const gateway = await startGateway(t, { databaseUrl: url, settings: { TOLLGATE_CHAINS_FILE: file } })
  const keyFile = join(own, 'cato.key')
  const created = await gateway.cli('operators', 'create', 'cato', '--role', 'CATALOGUE')
  writeFileSync(keyFile, created.stdout, { mode: 0o600 })
  const catalogue = writeCoinCatalogue(own, { isPayingOut: true })
  await gateway.cli('catalogue', 'apply', catalogue, '--operator-key-file', keyFile)
  await enableCoins(gateway, keyFile)
  const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
  await topUpOnChain(gateway, token, { chain, amount: 50_000 })

  const payees = Array.from(
    { length: PAYOUTS },
    (_, index) => `0xc${(index + 1).toString(16).padStart(39, '0')}`,
  )
  for (const [index, accountNumber] of payees.entries())
    await createPayout(gateway, token, {
      id: `OUT-${index}`,
      amount: String((index % 90) + 1),
      currencyCode: 'USDC',
      method: 'USDC_LOCAL',
      account: { accountNumber },
    })
  const countOf = async (state: string): Promise<number> => {
    const [row] = await runSql(
      url,
      `select count(*)::int as count from payments where kind = 'PAYOUT' and status = $1`,
      [state],
    )
    return Number(row?.['count'])
  }

  const mining = setInterval(() => chain.minePending(1), BLOCK_MS)
  t.after(() => clearInterval(mining))
  for (let kill = 0; kill < KILLS; kill += 1) {
    const node = nodes[kill % nodes.length]
    if (kill < GATEWAY_UP_TO && kill % GATEWAY_EVERY === 0) {
      await gateway.kill()
      await gateway.start()
    } else if (kill % 2 === 0) {
      await signer.kill()
      await signer.start()
    } else if (node !== undefined) {
      node.moods.ends = kill % 4 === 1 ? 'AFTER' : 'BEFORE'
      await sleep(1_000)
      node.moods.ends = undefined
    }
    await sleep(500)
  }
  const isDone = async (): Promise<boolean> => (await countOf('SUCCESS')) === PAYOUTS
  await waitUntil(isDone, { timeoutMs: TIMEOUT_MS, what: 'all payouts to be paid' })
  clearInterval(mining)
  chain.mine([], CONFIRMATIONS)

  const paid = paidByWallet(chain)
  assert.deepEqual(
    payees.map((payee) => paid.get(payee)),
    payees.map((_, index) => BigInt((index % 90) + 1) * UNITS),
  )
  assert.equal(paid.size, PAYOUTS)
  const numbers = chain
    .blocks()
    .flatMap(({ transactions }) => transactions.flatMap(({ sent }) => sent?.nonce ?? []))
  assert.deepEqual(
    numbers.toSorted((one, other) => one - other),
    payees.map((_, index) => index),
  )
  const byReference = Map.groupBy(signer.record(), ({ reference }) => reference)
  assert.equal(byReference.size, PAYOUTS)
  for (const [reference, lines] of byReference)
    assert.equal(new Set(lines.map(({ nonce }) => nonce)).size, 1, `${reference} has one number`)
  await gateway.cli('ledger', 'check')
})
