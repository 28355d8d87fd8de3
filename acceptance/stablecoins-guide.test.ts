import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { CLI, startGateway, temporaryFolder } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { createPayin, newId, payinWithStatus, readPayin } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { startProgram } from './support/process.ts'
import { createTopUp, readTopUp } from './support/topups.ts'

// From nothing to a payin that is paid in test coins: the commands of the guide, word for word, and the wallet of the simulator.

const GUIDE = readFileSync(new URL('../docs/guides/stablecoins.md', import.meta.url), 'utf8')
const TIMEOUT_MS = 60_000
const folder = temporaryFolder()
after(() => rmSync(folder, { recursive: true, force: true }))
const chainsFile = join(folder, 'chains.json')
writeFileSync(chainsFile, '[]')
const gateway = await startGateway(
  { after },
  { simulator: true, checkout: true, settings: { TOLLGATE_CHAINS_FILE: chainsFile } },
)

/** The commands of the guide's first five blocks. */
const [begin = [], setUp = [], beginPayouts = [], setUpPayouts = [], bringHome = []] = [
  ...GUIDE.matchAll(/```bash\n(.+?)```/gs),
].map(([, block = '']) => block.trim().split('\n'))

/** Files, and the signer's folder. */
const isOfFolder = (word: string, before = ''): boolean =>
  /\.(?:json|yaml)$/.test(word) || (word === 'signer' && ['sandbox', '--signer'].includes(before))

/** Runs a line as a shell would, in a folder of its own; the setting is the gateway's already. */
async function walk(line: string): Promise<string> {
  const words = line.split(' ').filter((word) => !word.startsWith('TOLLGATE_CHAINS_FILE='))
  const [npx, tollgate, ...rest] = words.map((word, index) =>
    isOfFolder(word, words[index - 1]) ? join(folder, word) : word.replace(/^\.tollgate/, gateway.dataDir),
  )
  assert.deepEqual([npx, tollgate], ['npx', 'tollgate'], line)
  const to = rest.indexOf('>')
  const { stdout } = await gateway.cli(...(to === -1 ? rest : rest.slice(0, to)))
  if (to !== -1) writeFileSync(rest[to + 1] ?? '', stdout)
  return stdout
}

/** What a payer does at the wallet page that the payment's link leads to. */
async function pay(link: string, choice: string, currency = 'USDC'): Promise<void> {
  const body = new URLSearchParams({
    choice,
    link: new URL(link).searchParams.get('link') ?? '',
    currency,
  })
  const answer = await fetch(new URL(link).origin + new URL(link).pathname, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  assert.equal(answer.status, 303, await answer.text())
}

test('from nothing to a payin that is paid in test coins, by the guide', async () => {
  const [make = '', start] = begin
  assert.equal(start, 'TOLLGATE_CHAINS_FILE=chains.json npm start')
  await walk(make)
  await gateway.stop()
  await gateway.start()
  let link = ''
  for (const line of setUp) link = await walk(line)
  assert.match(link, /idPayin=COINS-1.*amount=25&currencyCode=USDC/)
  const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')
  const wanted = { id: newId(), amount: '25', currencyCode: 'USDC', method: 'USDC_TEST' }
  const { body } = await createPayin(gateway, token, wanted)
  const wallet = textAt(body, 'paymentMethodResponse', 'deepLinks', 0)
  assert.match(await (await fetch(wallet)).text(), /Send 25 USDC\?/)
  await pay(wallet, 'exact')
  await payinWithStatus(gateway, token, { id: wanted.id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  assert.match((await gateway.cli('chains', 'transfers', 'TEST')).stdout, /25 USDC +PAYIN/)
})

test('half of it is not enough, and the rest has an address of its own: the same one', async () => {
  const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')
  const wanted = { id: newId(), amount: '30', currencyCode: 'USDC', method: 'USDC_TEST' }
  const { body } = await createPayin(gateway, token, wanted)
  await pay(textAt(body, 'paymentMethodResponse', 'deepLinks', 0), 'less')
  await waitUntil(
    async () =>
      at(await readPayin(gateway, token, wanted.id), 'process', 'processorStatus') ===
      'CONFIRMED_DIFFERENT_AMOUNT',
    { timeoutMs: TIMEOUT_MS, what: 'half of the coins' },
  )
  await gateway.cli('ledger', 'check')
})

test('the chain’s own coin pays as well, without a token’s contract', async () => {
  const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')
  const wanted = { id: newId(), amount: '0.015', currencyCode: 'ETH', method: 'USDC_TEST' }
  const { body } = await createPayin(gateway, token, wanted)
  const wallet = textAt(body, 'paymentMethodResponse', 'deepLinks', 0)
  assert.match(await (await fetch(wallet)).text(), /Send 0\.015 ETH\?/)
  await pay(wallet, 'exact', 'ETH')
  await payinWithStatus(gateway, token, { id: wanted.id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  assert.match((await gateway.cli('chains', 'transfers', 'TEST')).stdout, /0\.015 ETH +PAYIN/)
})

test('then a payout, signed by a signer of its own, by the guide', async (t) => {
  const [makeSigner = '', makeChains = '', runSigner = '', start] = beginPayouts
  assert.equal(start, 'TOLLGATE_CHAINS_FILE=chains.json npm start')
  await gateway.stop()
  await walk(makeSigner)
  await walk(makeChains)
  const [, , ...words] = runSigner.replace(/ &$/, '').split(' ')
  const signer = startProgram(
    [CLI, ...words.map((word) => (word.endsWith('.json') ? join(folder, word) : word))],
    { TOLLGATE_DATA_DIR: gateway.dataDir },
  )
  t.after(async () => {
    signer.kill('SIGTERM')
    await signer.end
  })
  await waitUntil(() => signer.stderr().includes('the signer is ready'), {
    timeoutMs: TIMEOUT_MS,
    what: 'the signer',
  })
  await gateway.start()
  for (const line of setUpPayouts) await walk(line)
  const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
  const topUp = { id: newId(), amount: '100', currencyCode: 'USDC', method: 'USDC_TEST' }
  const { body } = await createTopUp(gateway, token, topUp)
  await pay(textAt(body, 'paymentMethodResponse', 'deepLinks', 0), 'exact')
  await waitUntil(
    async () => textAt(await readTopUp(gateway, token, topUp.id), 'process', 'status') === 'SUCCESS',
    { timeoutMs: TIMEOUT_MS, what: 'the top-up' },
  )
  const payout = { id: newId(), amount: '40', currencyCode: 'USDC', method: 'USDC_TEST' }
  const account = { accountNumber: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }
  await createPayout(gateway, token, { ...payout, account })
  await payoutWithStatus(gateway, token, { id: payout.id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  assert.match((await gateway.cli('chains', 'payouts', 'TEST')).stdout, /40 USDC +PAYOUT \S+ +PAID +0/)
  await gateway.cli('ledger', 'check')
})

test('and the coins are brought home, by the guide; what is there agrees with what came and left', async () => {
  const [plan = '', sign = '', give = '', look = '', count = ''] = bringHome
  await waitUntil(
    async () =>
      walk(plan).then(
        () => true,
        // In blocks that a chain could still take back.
        (error: unknown) => {
          assert.match(String(error), /No address of a payment has 1 USDC or more in blocks that are final/)
          return false
        },
      ),
    { timeoutMs: TIMEOUT_MS, what: 'coins in blocks that are final' },
  )
  await walk(sign)
  await walk(give)
  await waitUntil(async () => /DONE/.test(await walk(look)) && !/WAITING/.test(await walk(look)), {
    timeoutMs: TIMEOUT_MS,
    what: 'the coins to be home',
  })
  assert.match(await walk(count), /USDC/)
  await gateway.cli('ledger', 'check', '--chain')
})
