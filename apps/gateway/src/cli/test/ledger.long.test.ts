import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { runSql, waitUntil } from '@tollgate/testkit'
import { at, expectFailure, ownEnvironment, run, runJson, startGateway, textAt } from './support.ts'

const BOOKED = `with t as (
    insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
    select 1, gen_random_uuid(), 'PAYIN_SUCCESS', 'PAYIN', 'order-' || n from generate_series(1, 3) n returning *)
  insert into ledger_postings select t.merchant_id, t.transfer_id, v.no, v.account, 'EUR', v.amount
  from t, (values (1, 'CLEARING', -10.50), (2, 'NOT_SETTLED', 10.50)) v(no, account, amount)`

test('the journal is written by a worker, shown, kept as a head, and verified against it', async (t) => {
  const environment = await startGateway(t)
  const url = environment['TOLLGATE_DATABASE_URL'] ?? ''
  assert.equal(textAt(await runJson(['ledger', 'head'], environment), 'head'), `0:${'0'.repeat(64)}`)
  await runSql(url, BOOKED)

  await waitUntil(async () => (await runSql(url, 'select 1 from ledger_journal')).length === 3, {
    timeoutMs: 60_000,
    what: 'the worker to chain',
  })

  const head = textAt(await runJson(['ledger', 'head'], environment), 'head')
  assert.match(head, /^3:[0-9a-f]{64}$/)
  const [second, ...others] = await entriesOf(['--from', '2', '--limit', '1'], environment)
  assert.deepEqual(others, [])
  assert.equal(at(second, 'entryNo'), 2)
  assert.deepEqual(at(second, 'postings'), [
    { account: 'CLEARING', currencyCode: 'EUR', amount: -10.5 },
    { account: 'NOT_SETTLED', currencyCode: 'EUR', amount: 10.5 },
  ])
  const digest = createHash('sha256').update(textAt(second, 'content')).digest('hex')
  assert.equal(textAt(second, 'contentHash'), digest)
  assert.match((await run(['ledger', 'journal'], environment)).stdout, /^3 .*PAYIN_SUCCESS +PAYIN order-\d/m)

  await accountingFile(environment)

  const kept = ['ledger', 'check', '--head', head, '--json']
  // These transfers are of no payments, which other checks say.
  assert.doesNotMatch((await run(kept, environment)).stdout, /"check":\s*"journal_/)
  const other = ['ledger', 'check', '--head', `3:${'0'.repeat(64)}`, '--json']
  const cut = await run(other, environment)
  assert.equal(cut.exitCode, 1)
  assert.match(cut.stdout, /"check":\s*"journal_contains_the_head"/)
  await expectFailure(['ledger', 'check', '--head', 'latest'], environment, {
    exitCode: 2,
    says: /--head takes what/,
  })
})

/** The postings of the three transfers, as soon as the period that they are in is over. */
async function accountingFile(environment: Readonly<Record<string, string>>): Promise<void> {
  const to = new Date().toISOString()
  const layout = [
    '--columns',
    'Entry=entryNo,Account=account,Debit=debit,Credit=credit',
    '--from',
    '2026-01-01',
  ]
  const exportUpTo = (moment: string) => run(['ledger', 'export', ...layout, '--to', moment], environment)
  await waitUntil(async () => (await exportUpTo(to)).exitCode === 0, {
    timeoutMs: 60_000,
    what: 'the period to be over and all of it to be in the journal',
  })
  const lines = [1, 2, 3].flatMap((no) => [`${no},CLEARING,10.5,`, `${no},NOT_SETTLED,,10.5`])
  const { stdout } = await exportUpTo(to)
  assert.deepEqual(stdout.trimEnd().split('\r\n'), ['Entry,Account,Debit,Credit', ...lines])
  await expectFailure(['ledger', 'export', ...layout, '--to', '2126-01-01'], environment, {
    exitCode: 2,
    says: /to: is not over/,
  })
}

async function entriesOf(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const entries = at(await runJson(['ledger', 'journal', ...args], environment), 'data')
  assert.ok(Array.isArray(entries))
  return entries
}

test('ledger check names merchants by their codes; one that does not exist keeps its number', async (t) => {
  const environment = await ownEnvironment(t)
  const url = environment['TOLLGATE_DATABASE_URL'] ?? ''
  const [merchant] = await runSql(
    url,
    `insert into merchants (merchant_code, channel_name) values ('SHOP', 'Shop') returning merchant_id as id`,
  )
  const id = String(merchant?.['id'])
  await runSql(
    url,
    `insert into balances (merchant_id, currency_code, available) values (${id}, 'EUR', 7), (424242, 'EUR', 7)`,
  )
  const { exitCode, stdout } = await run(['ledger', 'check'], environment)
  assert.equal(exitCode, 1)
  assert.match(stdout, /: merchant SHOP EUR: stored available 7,/)
  assert.match(stdout, /: merchant 424242 EUR: stored available 7,/)
  assert.doesNotMatch(stdout, new RegExp(`merchant ${id}\\b`))
})
