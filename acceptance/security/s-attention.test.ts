import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { freePort, runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { writeChannels } from '../support/bank-channels.ts'
import { writeChain } from '../support/chains.ts'
import { expectSuccess } from '../support/expectations.ts'
import { startGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { mt940 } from '../support/mt940.ts'
import { operatorsOf } from '../support/operators.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// What waits for people, in short: as the lists have it, and of nothing that the operator may not see.

const { url: databaseUrl } = await testDatabase({ after })
const own = temporaryFolder()
mkdirSync(own, { recursive: true })
after(() => rmSync(own, { recursive: true, force: true }))
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    settings: {
      TOLLGATE_BANK_CHANNELS_FILE: await channelsFile(),
      // The catalogue of the sandbox has no such coins.
      TOLLGATE_CHAINS_FILE: writeChain(own, ['http://127.0.0.1:9/']),
    },
  },
)
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const { get, post, put, upload } = await operatorsOf(gateway, {
  admin: ['adam', 'ADMIN'],
  auditor: ['olga', 'AUDITOR'],
  catalogue: ['carl', 'CATALOGUE'],
  support: ['susi', 'SUPPORT'],
  finance: ['fina', 'FINANCE'],
})
/** A channel to where nobody listens. */
async function channelsFile(): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const clientKey = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const bank = { port: await freePort(), user: 'acme', hostKey: `SHA256:${'A'.repeat(43)}`, clientKey }
  const fetch = [{ directory: '/out', holds: 'STATEMENTS', afterwards: 'LEAVE' }]
  return writeChannels(own, [{ code: 'MYBANK', bank, does: { everySeconds: 10, fetch } }])
}

const sql = (text: string, values?: readonly unknown[]) => runSql(databaseUrl, text, values)

type Role = 'admin' | 'auditor' | 'catalogue' | 'support'
const CHANNEL_FAILS = /^BANK_CHANNELS \| 1 \| MYBANK fails: /
const CHAIN_FAILS = /^CHAINS \| 1 \| LOCAL fails: The catalogue has none of its currencies/

async function itemsFor(role: Role): Promise<readonly unknown[]> {
  return listAt(expectSuccess(await get(role, 'attention'), 200), 'data')
}

/** "KIND count sums: about", each that waits. */
const told = async (role: Role): Promise<readonly string[]> =>
  (await itemsFor(role)).map((item) => {
    const sums = listAt(item, 'sums').map(
      (sum) => `${String(at(sum, 'amount'))} ${textAt(sum, 'currencyCode')}`,
    )
    const about = listAt(item, 'about').map(String)
    const rest = Number(at(item, 'aboutCount')) - about.length
    return [
      textAt(item, 'kind'),
      at(item, 'count'),
      ...sums,
      ...about,
      ...(rest > 0 ? [`+${rest}`] : []),
    ].join(' | ')
  })

test('S160 GET /operator/attention → 200: a channel and a chain that do not work are told, and nothing else where nothing waits', async () => {
  await waitUntil(async () => (await told('auditor')).length > 1, {
    timeoutMs: 60_000,
    what: 'a look at the bank and the chain',
  })
  const [channel = '', chain = '', ...others] = await told('auditor')
  assert.match(channel, CHANNEL_FAILS)
  assert.match(chain, CHAIN_FAILS)
  assert.deepEqual(others, [])
})

test('S160 what waits is counted with its money, and told to those alone who may list it', async () => {
  // Four receivers; most of what waits is of the second.
  for (const [index, host] of ['a', 'b', 'b', 'c', 'd'].entries())
    await sql(
      `insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver, state, attempts_started, due_at, done_at, created_at)
        select gen_random_uuid(), merchant_id, 'PAYIN', 'P-' || $1::int, 1, 'https://x', $2 || '.example', 'EXHAUSTED', 5, null, now(),
          timestamptz '2026-03-10T08:00:00Z' + $1::int * interval '1 minute' from merchants where merchant_code = 'DEMO'`,
      [index, host],
    )
  const [act] = await sql(
    `insert into confirmations (kind, digest, title, actor, directive, byte_count, state, expire_at, data_key, sealed)
      values ('STATEMENT_FILE', decode(repeat('00', 32), 'hex'), 't', 'fina', 'TAKE', 1, 'WAITING', now() + interval '1 day', '\\x00', '\\x00')
      returning confirmation_id`,
  )
  await sql(`insert into confirmation_sums values ($1, 'EUR', 10.000000000000000001), ($1, 'BRL', 5)`, [
    act?.['confirmation_id'],
  ])
  await sql(
    `insert into failed_documents (channel, file_name, content_hash, byte_count, reason, data_key, sealed)
      values ('STATEMENTS', 'march.xml', decode(repeat('00', 32), 'hex'), 1, 'The account DE89370400440532013000 is not ours.', '\\x00', '\\x00')`,
  )
  await sql(
    `with file as (
      insert into payout_files (file_id, account_code, currency_code, format, payment_count, control_sum, execution_on, data_key, sealed,
        byte_count, content_hash, is_for_folder, created_by)
      values ('FILE1', 'SANDBOX_EUR', 'EUR', 'PAIN_001_001_09', 1, 70, current_date, '\\x00', '\\x00', 1, decode(repeat('00', 32), 'hex'), false, 'fina'))
    insert into payout_file_puts (file_id, channel_code, state) values ('FILE1', 'MYBANK', 'UNCLEAR')`,
  )
  const statement = mt940([
    ['5', 'a gift'],
    ['7.5', 'another gift'],
  ])
  expectSuccess(await upload('finance', 'statements?fileName=march.sta', statement), 200)
  await fundBalance(gateway, token, { id: newId(), amount: '1000' })
  expectSuccess(await put('admin', 'payout-rules/DEMO/EUR', { amountFrom: '100' }), 200)
  const ids = [newId(), newId(), newId(), newId()] as const
  for (const [index, amount] of ['150', '200.5', '30', '40'].entries())
    await createPayout(gateway, token, { id: ids[index] ?? '', amount, email: 'file@sandbox.test' })
  const reason = 'the merchant called'
  expectSuccess(await post('support', `payments/PAYOUT/DEMO/${ids[2]}/!hold`, { reason }), 200)
  // What is on hold is told once: its outcome is not unknown.
  await sql(`update payments set processor_status = 'IN_REVIEW' where id_payment = $1`, [ids[3]])
  await sql(
    `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select merchant_id, kind, id_payment, 'REVIEW', now() from payments where id_payment = $1`,
    [ids[3]],
  )
  const closed = { availability: 'CLOSED', reason }
  expectSuccess(await put('support', 'institutions/OPERATOR/OTTER_WALLET/PAYIN', closed), 200)

  const away = 'INSTITUTIONS | 1 | OTTER_WALLET (payin) closed'
  const all = await told('auditor')
  assert.match(all[2] ?? '', CHANNEL_FAILS)
  assert.match(all[3] ?? '', CHAIN_FAILS)
  assert.deepEqual(all.toSpliced(2, 2), [
    'CALLBACKS_EXHAUSTED | 5 | b.example | d.example | c.example | +1',
    'PAYOUT_FILES_UNCLEAR | 1 | 70 EUR | FILE1',
    'PAYOUTS_AWAITING_APPROVAL | 2 | 350.5 EUR',
    'PAYOUTS_ON_HOLD | 1 | 30 EUR',
    'CONFIRMATIONS | 1 | 5 BRL | 10.000000000000000001 EUR',
    'REVIEWS | 1 | 40 EUR',
    'SUSPENSE | 2 | 12.5 EUR',
    'FAILED_DOCUMENTS | 1 | march.xml: The account … is not ours.',
    away,
  ])
  const [callbacks] = await itemsFor('auditor')
  assert.equal(at(callbacks, 'oldestAt'), '2026-03-10T08:00:00.000Z')
  const [first] = listAt(expectSuccess(await get('auditor', 'reviews'), 200), 'data')
  assert.equal(textAt(first, 'idPayment'), ids[2], 'as the list has it')

  assert.deepEqual(await told('catalogue'), [away])
  assert.deepEqual(await told('admin'), [])
})

test('S160 a restore gap comes before all else', async () => {
  const lostFrom = new Date(Date.now() - 3_600_000).toISOString()
  expectSuccess(await post('support', 'restore-gap/!open', { lostFrom }), 200)
  const [gap = ''] = await told('auditor')
  assert.match(gap, /^RESTORE_GAP \| \d+ \| /)
  assert.deepEqual(await told('admin'), [])
})

test('S160 as many as a person looks through are counted, the oldest of them first', async () => {
  await sql(
    `insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver, state, attempts_started, due_at, done_at)
      select gen_random_uuid(), merchant_id, 'PAYIN', 'Q-' || n, 1, 'https://x', 'e.example', 'EXHAUSTED', 5, null, now()
      from merchants, generate_series(1, 1200) n where merchant_code = 'DEMO'`,
  )
  const [, callbacks] = await itemsFor('support')
  assert.equal(at(callbacks, 'count'), 1_000)
  assert.equal(at(callbacks, 'oldestAt'), '2026-03-10T08:00:00.000Z')
  assert.deepEqual(listAt(callbacks, 'about'), ['e.example', 'b.example', 'd.example'])
})
