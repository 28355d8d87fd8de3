import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { freePort, runSql, waitUntil } from '@tollgate/testkit'
import { openDatabase } from '../../platform/database.ts'
import {
  at,
  BINARY,
  type Environment,
  expectFailure,
  expectRefusal,
  ownEnvironment,
  run,
  runJson,
  start,
  startGateway,
  temporaryFolder,
  textAt,
} from './support.ts'

const WAIT_MS = 60_000

test('a payin is heard of, shown, sent again and verified', async (t) => {
  const environment = await startGateway(t)
  const port = await freePort()
  const listener = start(t, ['listen', '--port', String(port), '--json'], environment)
  await waitUntil(() => listener.stderr().includes('Listening on'), {
    timeoutMs: WAIT_MS,
    what: 'the listener',
  })
  const arrivals = (): readonly unknown[] =>
    listener
      .stdout()
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line))
  const arrived = (count: number): Promise<void> =>
    waitUntil(() => arrivals().length >= count, { timeoutMs: WAIT_MS, what: `${count} callbacks` })

  await createPayin(environment, 'ORD-1', `http://127.0.0.1:${port}/callbacks`)
  await arrived(1)

  await t.test('listen prints the callback with whose signature it bears', () => {
    const [first] = arrivals()
    assert.deepEqual(
      [
        at(first, 'idEntity'),
        at(first, 'signature'),
        at(first, 'merchantCode'),
        at(first, 'delivery'),
        at(first, 'answered'),
      ],
      ['ORD-1', 'VALID', 'DEMO', 1, 200],
    )
  })

  await t.test('listen tells a forged callback and a stranger from a real one', async () => {
    const headers = {
      'webhook-id': 'x',
      'webhook-timestamp': '1',
      'webhook-signature': `v1a,${'A'.repeat(86)}==`,
    }
    const url = `http://127.0.0.1:${port}/`
    assert.equal((await fetch(url, { method: 'POST', body: '{"idEntity":"ORD-1"}', headers })).status, 200)
    await arrived(2)
    assert.equal((await fetch(url, { method: 'POST', body: 'hello' })).status, 200)
    await arrived(3)
    assert.deepEqual(
      arrivals()
        .slice(1)
        .map((arrival) => at(arrival, 'signature')),
      ['INVALID', 'MISSING'],
    )
  })

  await t.test('a port that is taken is said', () =>
    expectRefusal(['listen', '--port', String(port)], environment, {
      exitCode: 5,
      says: /^Port \d+ is taken/,
    }),
  )

  await t.test('payins show has the money to the digit, the timeline and the callback', async () => {
    const [shown, text] = await Promise.all([
      runJson(['payins', 'show', 'DEMO', 'ORD-1'], environment),
      run(['payins', 'show', 'DEMO', 'ORD-1'], environment),
      expectRefusal(['payins', 'show', 'DEMO', 'ORD-9'], environment, {
        exitCode: 4,
        says: /DEMO has no payin ORD-9/,
      }),
    ])
    assert.deepEqual([at(shown, 'process', 'status'), at(shown, 'money', 'amount')], ['SUCCESS', 149.9])
    assert.deepEqual(
      [at(shown, 'timeline', 0, 'status'), at(shown, 'timeline', 1, 'status')],
      ['CREATED', 'SUCCESS'],
    )
    assert.equal(at(shown, 'callbacks', 0, 'idPayment'), 'ORD-1')
    assert.match(text.stdout, /^Status +SUCCESS \(CONFIRMED\)$/m)
    assert.doesNotMatch(text.stdout, /success@sandbox\.test/)
  })

  await t.test('a callback is listed by its filters, and sent again under the same id', async () => {
    const listed = await runJson(
      ['callbacks', 'list', '--merchant', 'DEMO', '--state', 'delivered', '--id', 'ORD-1'],
      environment,
    )
    const eventId = textAt(listed, 'data', 0, 'eventId')
    assert.equal(at(listed, 'data', 0, 'merchantCode'), 'DEMO')
    const exhausted = await runJson(['callbacks', 'list', '--state', 'EXHAUSTED'], environment)
    assert.deepEqual(at(exhausted, 'data'), [])
    await runJson(['callbacks', 'resend', eventId], environment)
    await arrived(4)
    assert.deepEqual([at(arrivals()[3], 'eventId'), at(arrivals()[3], 'delivery')], [eventId, 2])
    await Promise.all([
      expectRefusal(['callbacks', 'resend', '5f0c6e6e-2f5b-4c1d-9a52-0b6f3f1f7a10'], environment, {
        exitCode: 4,
        says: /There is no callback 5f0c6e6e/,
      }),
      expectRefusal(['callbacks', 'list', '--merchant', 'NOBODY'], environment, {
        exitCode: 4,
        says: /There is no merchant NOBODY/,
      }),
    ])
  })

  await t.test('ledger check finds nothing in books that agree', async () => {
    const report = await runJson(['ledger', 'check'], environment)
    assert.deepEqual([at(report, 'clean'), at(report, 'findings')], [true, []])
  })

  await t.test('what was kept for long enough is counted, and what is removed is said', async () => {
    const url = environment['TOLLGATE_DATABASE_URL'] ?? ''
    const past = `clock_timestamp() - interval '91 days'`
    await runSql(url, `update payment_timeline set happened_at = ${past}`)
    await runJson(['ledger', 'recount', '--from', '2020-01-01'], environment)
    const [event] = await runSql(
      url,
      `update callback_events set state = 'DELIVERED', due_at = null, lease_token = null, created_at = ${past}, done_at = ${past}
        returning event_id`,
    )
    const [shown, text] = await Promise.all([
      runJson(['retention', 'show'], environment),
      run(['retention', 'show'], environment),
    ])
    assert.deepEqual(
      [at(shown, 'data', 0, 'class'), at(shown, 'data', 0, 'days'), at(shown, 'data', 0, 'over')],
      ['DELIVERIES', 90, 1],
    )
    assert.match(text.stdout, /^PERSONAL_DATA +for ever +0 /m)
    // As a worker does it within the hour.
    await runSql(url, 'delete from callback_events')
    const [payin] = await Promise.all([
      run(['payins', 'show', 'DEMO', 'ORD-1'], environment),
      expectRefusal(['callbacks', 'resend', String(event?.['event_id'])], environment, {
        exitCode: 4,
        says: /What was over before \d{4}-\d\d-\d\d.* is removed/,
      }),
    ])
    assert.match(payin.stdout, /No callback. What was over before/)
    assert.equal(at(await runJson(['ledger', 'check'], environment), 'clean'), true)
  })

  await t.test('doctor finds its own gateway on the ports, and what is not durable', async () => {
    let outcome = await run(['doctor'], environment)
    // A busy machine may not have known in time how its database is.
    await waitUntil(
      async () => {
        if (!outcome.stdout.includes('is not ready')) return true
        outcome = await run(['doctor'], environment)
        return false
      },
      { timeoutMs: 120_000, what: 'the gateway to be ready' },
    )
    assert.match(outcome.stdout, /^ok +API port +Tollgate answers at /m)
    assert.match(outcome.stdout, /^ok +merchants +1 of 1 can sign/m)
    // The database of the tests gives durability up for speed: exactly what doctor is for.
    assert.match(outcome.stdout, /^FAIL +durability +fsync off: .*\n +-> Set fsync = on/m)
    assert.equal(outcome.exitCode, 1)
    assert.match(outcome.stdout, /^warn +database user +/m)
    assert.equal(outcome.stderr, '1 error, 1 warning.\n')
  })

  await t.test('listen ends on a signal with 0', async () => {
    assert.equal(await listener.stop('SIGINT'), 0)
  })

  await t.test('who listens again hears what was missed', async () => {
    const gone = await freePort()
    await createPayin(environment, 'ORD-MISSED', `http://localhost:${gone}/callbacks`)
    await waitUntil(
      async () => {
        const listed = await runJson(['callbacks', 'list', '--id', 'ORD-MISSED'], environment)
        // There is none before the payin is paid, and no attempt before it is sent.
        return JSON.stringify(listed).includes('"outcome":"REFUSED"')
      },
      { timeoutMs: WAIT_MS, what: 'the first attempt' },
    )
    const again = start(t, ['listen', '--port', String(gone)], environment)
    const says =
      /1 callback to this port is waiting to be repeated; `tollgate callbacks resend <id>` sends one now: \S{36}\n/
    await waitUntil(() => says.test(again.stderr()), { timeoutMs: WAIT_MS, what: 'what was missed' })
    await again.stop()
  })
})

test('ledger check names what does not agree, and exits with 1', async (t) => {
  const environment = await startGateway(t)
  await createPayin(environment, 'ORD-1', 'http://127.0.0.1:9/')
  await waitUntil(async () => (await statusOf(environment, 'ORD-1')) === 'SUCCESS', {
    timeoutMs: WAIT_MS,
    what: 'a paid payin',
  })
  await tamper(environment)
  const outcome = await run(['ledger', 'check'], environment)
  assert.equal(outcome.exitCode, 1)
  assert.match(outcome.stdout, /^balances_equal_postings: merchant DEMO EUR: stored /m)
})

test('doctor finds a key that others may read, a port that is taken and work that nobody does', async (t) => {
  const environment = await startGateway(t)
  chmodSync(join(textAt(environment, 'TOLLGATE_DATA_DIR'), 'master.key'), 0o644)
  const stranger = createServer((request, response) => {
    // Asked as the operator API it keeps whoever asks waiting.
    if (request.url !== '/openapi.json') response.end('hello')
  })
  const port = await freePort()
  await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve))
  t.after(() => {
    stranger.close()
    stranger.closeAllConnections()
  })
  const outcome = await run(['doctor'], { ...environment, TOLLGATE_METRICS_PORT: String(port) })
  const hanging = await run(['doctor'], { ...environment, TOLLGATE_OPERATOR_PORT: String(port) })
  assert.match(hanging.stdout, /^FAIL +operator port +Nobody answers at \d+, although a program has it\./m)
  assert.match(outcome.stdout, /^FAIL +master key +Others may read .*\n +-> chmod 600 /m)
  assert.match(outcome.stdout, /^FAIL +metrics port +Another program has port /m)
})

test('serve and worker refuse a database without a schema, and run apart on one that has it', async (t) => {
  const environment = await ownEnvironment(t)
  const { TOLLGATE_TEST_SERVER_URL: server = '' } = process.env
  await expectFailure(
    ['serve'],
    { ...environment, TOLLGATE_DATABASE_URL: server },
    { exitCode: 2, says: /Run `tollgate migrate`/ },
  )
  assert.deepEqual(await runJson(['migrate'], environment), { ran: [] })
  const api = start(t, ['serve'], environment)
  const worker = start(t, ['worker'], { ...environment, TOLLGATE_METRICS_PORT: String(await freePort()) })
  for (const [process, role] of [
    [api, 'api'],
    [worker, 'worker'],
  ] as const) {
    await waitUntil(() => process.stderr().includes(`"roles":["${role}"]`), {
      timeoutMs: WAIT_MS,
      what: `the ${role}`,
    })
  }
  const livez = await fetch(`http://127.0.0.1:${textAt(environment, 'TOLLGATE_API_PORT')}/livez`)
  assert.equal(livez.status, 200)
  const ours = getPriority()
  const theirs = [api, worker].map(({ child }) => getPriority(child.pid))
  assert.deepEqual(theirs, [ours, Math.max(ours, 5)], 'who answers requests comes first')
  assert.deepEqual([await api.stop('SIGTERM'), await worker.stop('SIGINT')], [0, 0])
  assert.match(api.stderr(), /"msg":"the gateway has stopped"\}\n$/)
  assert.equal(api.stdout(), '')
})

test('an older Node hands over to the one that is installed beside us, with signals and exit codes', async (t) => {
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t) }
  const versions = `{ value: { ...process.versions, node: '20.11.0' } }`
  const old = ['--import', `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`]
  const wrong = spawnSync(process.execPath, [...old, BINARY, 'merchnts'], { encoding: 'utf8' })
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /^There is no command "merchnts"\./)
  const listener = start(t, ['listen', '--port', '0'], environment, old)
  await waitUntil(() => listener.stderr().includes('Listening on'), {
    timeoutMs: WAIT_MS,
    what: 'the listener',
  })
  assert.equal(await listener.stop('SIGTERM'), 0)
})

async function createPayin(environment: Environment, id: string, callbackUrl: string): Promise<void> {
  const token = textAt(
    await runJson(['token', 'create', '--operation', 'POST /payins/.*'], environment),
    'token',
  )
  const response = await fetch(`http://127.0.0.1:${textAt(environment, 'TOLLGATE_API_PORT')}/payins/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-api-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({
      paymentRequested: { money: { amount: 149.9, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', emailAddress: 'success@sandbox.test' },
      callbackUrl,
    }),
  })
  assert.equal(response.status, 201, await response.text())
}

async function statusOf(environment: Environment, id: string): Promise<unknown> {
  return at(await runJson(['payins', 'show', 'DEMO', id], environment), 'process', 'status')
}

/** Somebody with a prompt of the database gives a merchant a present. */
async function tamper(environment: Environment): Promise<void> {
  const db = openDatabase({
    url: textAt(environment, 'TOLLGATE_DATABASE_URL'),
    poolMax: 1,
    log: createLog({ level: 'silent' }),
    applicationName: 'test',
  })
  await db.rows({ name: 'tamper', text: 'update balances set not_settled = not_settled + 1' }, [])
  await db.close()
}
