import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { at, run, temporaryFolder } from './support.ts'

/** An operator API with many of everything: each page is full, and there is always a next one. Blocked accounts have no pages. */
async function endlessApi(t: TestContext) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    asked.push(`${url.pathname}${url.search}`)
    const data = Array.from({ length: Number(url.searchParams.get('limit')) }, () => ITEM)
    const isPaged = url.pathname !== '/operator/blocked-accounts'
    response.end(JSON.stringify({ data, ...(isPaged && { nextCursor: 'bmV4dA' }) }))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const key = join(temporaryFolder(t), 'operator.key')
  writeFileSync(key, 'tgop_any', { mode: 0o600 })
  const flags = ['--url', `http://127.0.0.1:${address.port}`, '--operator-key-file', key]
  return { asked, list: (...args: readonly string[]) => run([...args, ...flags], {}) }
}

const ITEM = {
  createdAt: '2026-11-30T10:00:00.000Z',
  createdBy: 'ada',
  accountDigest: '0123456789ab',
  merchantCode: 'DEMO',
  kind: 'PAYIN',
  idPayment: 'ORD-1',
  money: { amount: 1, currencyCode: 'EUR' },
  status: 'SUCCESS',
  processorStatus: 'CONFIRMED',
  reference: 'RF80454AJXNQX7A8',
}

test('a list that was cut says so on standard error, also beside JSON', async (t) => {
  const { list } = await endlessApi(t)
  const [text, json, blocked] = await Promise.all([
    list('payments', 'list', '--id', 'ORD-1'),
    list('payments', 'list', '--id', 'ORD-1', '--limit', '120', '--json'),
    list('payouts', 'blocked'),
  ])
  assert.equal(text.stdout.trimEnd().split('\n').length, 51)
  assert.equal(text.stderr, 'There are more; raise --limit or narrow the search.\n')
  assert.equal(json.stderr, text.stderr)
  assert.equal(at(JSON.parse(json.stdout), 'data', 'length'), 120)
  assert.equal(blocked.stderr, 'There may be more; raise --limit or narrow the search.\n')
})

test('a span of time takes plain days, and what is no moment is refused by the name of its flag', async (t) => {
  const { asked, list } = await endlessApi(t)
  const [, wrong] = await Promise.all([
    list(
      'payments',
      'list',
      '--created-from',
      '2026-11-30',
      '--created-to',
      '2026-11-30T14:00Z',
      '--limit',
      '1',
    ),
    list('payments', 'list', '--created-from', '2026-02-30'),
  ])
  assert.deepEqual(asked, [
    '/operator/payments?createdFrom=2026-11-30T00%3A00%3A00.000Z&createdTo=2026-11-30T14%3A00%3A00.000Z&limit=1',
  ])
  assert.equal(wrong.exitCode, 2)
  assert.match(
    wrong.stderr,
    /^--created-from must be a day such as 2026-11-21, or a moment .* it is "2026-02-30"\.$/m,
  )
})
