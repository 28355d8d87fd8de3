import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '@tollgate/testkit'
import { expectFailure, expectRefusal, run, runJson, temporaryFolder, textAt } from './support.ts'

// What can be said without an installation. Commands are processes: several run at once to save time.

const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [['merchnts'], /^There is no command "merchnts"\. Did you mean merchants\? See `tollgate --help`\.$/],
  [['merchants', 'lst'], /^There is no command "lst"\. Did you mean list\?/],
  [['merchants', 'create', 'A', '--nam', 'x'], /^There is no option --nam\. Did you mean --name\?/],
  [['merchants', 'create'], /^<code> is missing\. See `tollgate merchants create --help`\.$/],
  [['merchants', 'create', 'A', 'B', 'C'], /^There are 3 arguments, but 1 can be used\./],
  [['merchants', 'create', 'a b'], /^A merchant code has 1 to 64 letters/],
  [['merchants', 'create', 'HOUSE'], /is not `house`/],
  [['merchants', 'set-limit', 'A', 'PIX'], /^--currency <currency> is missing\./],
  [['merchants', 'set-limit', 'A', 'PIX', '--currency'], /^--currency <currency> lacks its value\./],
  [
    ['merchants', 'set-rate-limit', 'A', '0'],
    /^<perSecond> must be a whole number from 1 to 100000; it is "0"\.$/,
  ],
  [['merchants', 'set-origins', 'A', 'https://a.example/x'], /^An origin is a scheme and a host/],
  [['merchants', 'secret-login', 'A', 'maybe'], /must be one of on, off/],
  [
    ['merchants', 'enable-method', 'A', 'PIX', '--direction', 'up'],
    /^--direction must be one of PAYIN, PAYOUT, TOPUP/,
  ],
  [
    ['clock', 'advance', '3w'],
    /^<duration> must be a whole number with s, m, h or d, such as 90s, 15m, 12h or 3d, and at most 400d; it is "3w"\.$/,
  ],
  [['clock', 'advance', '401d'], /^<duration> must be .* at most 400d; it is "401d"\.$/],
  [['clock', 'advance', '0d'], /^<duration> must be .* it is "0d"\.$/],
  [['clock', 'advance', '1.5h'], /^<duration> must be .* it is "1\.5h"\.$/],
  [['statements', 'decide'], /^<line>, <decision> and --reason <text> are missing\./],
  [['statements', 'decide', '7', 'note'], /^--reason <text> is missing\./],
  [['clock', 'advance'], /^<duration> is missing\./],
  [['callbacks', 'resend', 'x'], /^A callback's id looks like/],
  [['callbacks', 'list', '--limit', '-1'], /^--limit must be a whole number from 1 to 1000/],
  [['payins', 'show', 'A', 'a/b'], /^A payment's id has 1 to 250/],
  [['token', 'explain', 'abc'], /^This is not a token of Tollgate/],
  [['token', 'create'], /^Say what the token is for/],
  [['token', 'create', '--action', 'PAYIN_INFO'], /^--action needs --id/],
  [['token', 'create', '--operation', 'GET /x'], /^There is no demo merchant here\./],
  [['listen', '--status', '99'], /^--status must be a whole number from 200 to 599/],
  [
    ['listen', '--status', '500', '--forward', 'http://localhost:1'],
    /^option '--forward <url>' cannot be used with option '--status <status>'\./,
  ],
  [['listen', '--forward', 'localhost:3000'], /^--forward must begin with http:\/\/ or https:\/\//],
  [['serve', '--workers', '0'], /^--workers must be a whole number from 1 to 64; it is "0"\.$/],
  [['serve', '--workers', '65'], /^--workers must be a whole number from 1 to 64/],
  [['serve', '--workers', 'many'], /^--workers must be a whole number from 1 to 64/],
  [['serve', '--workers'], /^--workers <count> lacks its value\./],
  [
    ['sign', 'no-such-file'],
    /^There is no demo merchant here\. Name the private key with --private-key-file\.$/,
  ],
]

test('a wrong word gets one sentence that says what is meant', async (t) => {
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t) }
  for (const [args, says] of WRONG) await expectRefusal(args, environment, { exitCode: 2, says })
})

test('the sentence goes to standard error alone, with exit code 2', async () => {
  const says = /^There is no command "merchnts"\. Did you mean merchants\? See `tollgate --help`\.\n$/
  await expectFailure(['merchnts'], {}, { exitCode: 2, says })
})

test('help comes on standard output when asked for, and on standard error when a command is missing', async () => {
  const [asked, missing, version] = await Promise.all([
    run(['merchants', '--help'], {}),
    run(['merchants'], {}),
    run(['--version'], {}),
  ])
  assert.equal(asked.exitCode, 0)
  assert.match(asked.stdout, /Usage: tollgate merchants/)
  assert.equal(missing.exitCode, 2)
  assert.equal(missing.stdout, '')
  assert.match(missing.stderr, /Usage: tollgate merchants/)
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
})

test('without an installation, each command that needs one says how to get one', async (t) => {
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t) }
  const commands = ['merchants list', 'migrate', 'serve', 'ledger check']
  await Promise.all(
    commands.map((command) =>
      expectRefusal(command.split(' '), environment, {
        exitCode: 8,
        says: /^No installation runs in .+: start one with `npm start`, or (set TOLLGATE_DATABASE_URL|name your gateway by --url)/,
      }),
    ),
  )
})

test('a command about business says that the gateway does not run, and what to do', async (t) => {
  const key = join(temporaryFolder(t), 'key')
  writeFileSync(key, 'tgop_none')
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t), TOLLGATE_OPERATOR_PORT: '1' }
  await expectRefusal(['merchants', 'list', '--operator-key-file', key], environment, {
    exitCode: 8,
    says: /^The operator API does not answer at http:\/\/localhost:1 \(.+\)\. Start the gateway, or name its address with --url\.$/,
  })
})

test('an answer that breaks off is not told as a gateway that does not run', async (t) => {
  const key = join(temporaryFolder(t), 'key')
  writeFileSync(key, 'tgop_none')
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('date,account\r\n', () => response.destroy())
  })
  const port = await freePort()
  server.listen(port, 'localhost')
  t.after(() => server.close())
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t), TOLLGATE_OPERATOR_PORT: String(port) }
  const period = ['--from', '2026-11-01', '--to', '2026-12-01']
  await expectRefusal(['ledger', 'export', ...period, '--operator-key-file', key], environment, {
    exitCode: 9,
    says: /^The operator API began its answer and broke it off \(.+\)\. Nothing of it is printed; the server's log says why\.$/,
  })
})

test('a setting that cannot be used is named, by every command alike', async (t) => {
  const broken = { TOLLGATE_DATA_DIR: temporaryFolder(t), TOLLGATE_API_PORT: 'eighty' }
  await Promise.all([
    expectRefusal(['config'], broken, { exitCode: 2, says: /^TOLLGATE_API_PORT / }),
    expectRefusal(['serve'], broken, { exitCode: 2, says: /^TOLLGATE_API_PORT / }),
    expectRefusal(
      ['config'],
      { TOLLGATE_APIPORT: '1' },
      { exitCode: 2, says: /^TOLLGATE_APIPORT is not a setting/ },
    ),
  ])
})

test('in live, several processes of the API need a limit that they share', async (t) => {
  const live = {
    TOLLGATE_DATA_DIR: temporaryFolder(t),
    TOLLGATE_ENVIRONMENT: 'live',
    TOLLGATE_PUBLIC_API_URL: 'https://api.pay.example',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.example',
  }
  await expectRefusal(['serve', '--workers', '3'], live, {
    exitCode: 2,
    says: /^--workers 3 needs TOLLGATE_REDIS_URL in live: .* 3 times its limit\.$/,
  })
})

test('a reference leads to its derivation path in each form that people see', async () => {
  const [own, printed, spoken] = await Promise.all(
    ['454AJXNQX7A8', 'RF80 454A JXNQ X7A8', 'rf80454ajxnqx7a8'].map((each) =>
      runJson(['chains', 'path', each], {}),
    ),
  )
  assert.equal(textAt(own, 'reference'), '454AJXNQX7A8')
  assert.deepEqual([printed, spoken], [own, own])
})

test('config shows what is in force, and no password', async () => {
  const environment = {
    TOLLGATE_API_PORT: '8099',
    TOLLGATE_DATABASE_URL: 'postgres://me:p@ss/w@db.internal/tollgate',
  }
  const [text, data] = await Promise.all([run(['config'], environment), runJson(['config'], environment)])
  assert.match(text.stdout, /^TOLLGATE_API_PORT = 8099$/m)
  assert.match(text.stdout, /^TOLLGATE_METRICS_PORT = 9464 \(default\)$/m)
  assert.match(text.stdout, /postgres:\/\/me:\*\*\*@db\.internal\/tollgate/)
  assert.doesNotMatch(text.stdout, /p@ss/)
  assert.ok(Array.isArray(data))
  const url = data.find((setting: unknown) => textAt(setting, 'name') === 'TOLLGATE_DATABASE_URL')
  assert.equal(textAt(url, 'value'), 'postgres://me:***@db.internal/tollgate')
})

test('a database that cannot be used is told from one that cannot be reached', async (t) => {
  const folder = temporaryFolder(t)
  const { TOLLGATE_TEST_SERVER_URL: server = '' } = process.env
  const at = (change: (url: URL) => void): Record<string, string> => {
    const url = new URL(server)
    change(url)
    return { TOLLGATE_DATA_DIR: folder, TOLLGATE_DATABASE_URL: url.href }
  }
  await Promise.all([
    expectRefusal(
      ['ledger', 'check'],
      at((url) => (url.port = '1')),
      { exitCode: 8, says: /^Nothing listens/ },
    ),
    expectRefusal(
      ['migrate'],
      at((url) => (url.port = '1')),
      { exitCode: 8, says: /^Nothing listens/ },
    ),
    expectRefusal(
      ['ledger', 'check'],
      at((url) => (url.password = 'wrong')),
      { exitCode: 3, says: /refuses the password/ },
    ),
    expectRefusal(
      ['ledger', 'check'],
      at((url) => (url.pathname = 'nowhere')),
      { exitCode: 2, says: /does not exist/ },
    ),
    expectRefusal(
      ['ledger', 'check'],
      at(() => undefined),
      { exitCode: 2, says: /Run `tollgate migrate`/ },
    ),
  ])
})

test('doctor looks at what it can where nothing runs, and exits with 1', async (t) => {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  const outcome = await run(['doctor', '--json'], {
    TOLLGATE_DATA_DIR: folder,
    TOLLGATE_API_PORT: '0',
    TOLLGATE_OPERATOR_PORT: '0',
    TOLLGATE_METRICS_PORT: '0',
  })
  assert.equal(outcome.exitCode, 1)
  const report: unknown = JSON.parse(outcome.stdout)
  assert.deepEqual(namesOf(report, 'OK'), ['node', 'settings', 'data directory', 'secrets'])
  assert.deepEqual(namesOf(report, 'FAIL'), ['database'])
})

test('what others wrote cannot steer the terminal', async (t) => {
  const folder = temporaryFolder(t)
  const body = join(folder, 'body.json')
  writeFileSync(body, '{}')
  await expectFailure(
    ['sign', body, '--private-key-file', `${folder}/\u001b[31mred`],
    { TOLLGATE_DATA_DIR: folder },
    {
      exitCode: 2,
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the absence of one is the point
      says: /^[^\u0000-\u001f]+cannot be read: it does not exist\.\n$/,
    },
  )
})

function namesOf(report: unknown, status: string): readonly string[] {
  assert.ok(
    typeof report === 'object' && report !== null && 'findings' in report && Array.isArray(report.findings),
  )
  return report.findings
    .filter((finding: unknown) => textAt(finding, 'status') === status)
    .map((finding: unknown) => textAt(finding, 'name'))
}
