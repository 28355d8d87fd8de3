import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '@tollgate/testkit'
import { certify, DIRECT, startShop } from '../support/certified.ts'
import { CLI, startGateway, temporaryFolder } from '../support/gateway.ts'
import { runProgram } from '../support/process.ts'
import { openServer } from '../support/server.ts'

// `tollgate certify` listens beside the sandbox, signs with its keys, and writes down what a shop says.

const gateway = await startGateway({ after })

/** The status of a request that is sent as it is written, or 0 where there is no answer. */
function statusOf(
  port: number,
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: Readonly<{ method?: string; path: string; headers?: Record<string, string>; body?: string }>,
): Promise<number> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asking.on('error', () => resolve(0))
    asking.end(body)
  })
}

test('P23: what certify listens on is a way to this gateway alone, takes no forged callback and no foreign name', async () => {
  const reached: string[] = []
  const elsewhere = await openServer({ after }, ({ url = '' }, response) => {
    reached.push(url)
    response.end()
  })
  const { host } = new URL(elsewhere)
  const port = await freePort()
  const signature = { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
  const forged = { ...signature, 'webhook-signature': `v1a,${'A'.repeat(86)}==` }
  const statuses: Record<string, number> = {}
  // While it is asked for an order, certify listens: a shop, or whatever else runs here, attacks.
  const shop = await openServer({ after }, (_request, response) => {
    const attack = async (): Promise<void> => {
      const attacks = {
        genuine: { path: '/segments' },
        forged: { method: 'POST', path: '/certify/callbacks', headers: forged, body: '{"idEntity":"A"}' },
        unsigned: { method: 'POST', path: '/certify/callbacks', body: '{"idEntity":"A"}' },
        rebound: { path: '/segments', headers: { host: 'attacker.example' } },
        absolute: { path: `http://${host}/absolute` },
        relative: { path: `//${host}/relative` },
        user: { path: `@${host}/user` },
      }
      for (const [name, each] of Object.entries(attacks)) statuses[name] = await statusOf(port, each)
      response.writeHead(500).end()
    }
    void attack()
  })
  const { code } = await certify(gateway, { url: shop, port }, DIRECT)
  assert.equal(code, 2)
  assert.deepEqual(statuses, {
    // The gateway answers: there is no version and no token.
    genuine: 404,
    forged: 400,
    unsigned: 400,
    rebound: 421,
    absolute: 421,
    relative: 404,
    user: 400,
  })
  assert.deepEqual(reached, [])
})

test('P24: what a shop says writes nothing of its own into the report or the terminal, and no token is in them', async () => {
  const shop = await startShop({ after }, gateway)
  const status = '<script>alert(1)</script>\u001B[31m'
  const liar = await openServer({ after }, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ idPayin: url.slice(1), status, fulfilled: 0 }))
  })
  const page = join(gateway.dataDir, 'certificate.html')
  const more = ['--return', `${liar}/{idPayin}`, '--only', 'late-money', '--report', page]
  const { code, stdout, stderr } = await certify(gateway, shop, DIRECT, ...more)
  assert.equal(code, 1, stderr)
  const report = readFileSync(page, 'utf8')
  assert.match(report, /&lt;script&gt;/)
  assert.doesNotMatch(report, /<script/i)
  assert.match(stdout, /The shop says <script>alert/)
  assert.ok(!stdout.includes('\u001B'), stdout)
  for (const text of [report, stdout, stderr]) assert.doesNotMatch(text, /eyJ|whsec_|BEGIN/)
})

test('P24: certify refuses to run against live', async () => {
  const live = {
    TOLLGATE_ENVIRONMENT: 'live',
    TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
    TOLLGATE_DATA_DIR: temporaryFolder(),
  }
  const { code, stderr } = await runProgram([CLI, 'certify', '--order', 'http://127.0.0.1:1/'], live)
  assert.match(stderr, /^This works only in the sandbox\.$/m)
  assert.equal(code, 6)
})
