import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { createMetricsServer } from '@tollgate/runtime/metrics'
import { freePort, type TestLife, waitUntil } from '@tollgate/testkit'
import { watchGateway } from '../src/gateway-watch.ts'
import { createMetrics } from '../src/metrics.ts'

test('the metrics are what Prometheus reads, on a port of their own', async (t) => {
  const metrics = createMetrics()
  const answered = { method: 'GET', route: '/p/:place', status: 200 }
  metrics.httpDurationSeconds.observe(answered, 0.02)
  metrics.httpDurationSeconds.observe(answered, 9)
  metrics.rateLimited.inc({ bucket: 'address' }, 2)
  metrics.gauge('tollgate_checkout_streams', 'Streams.', () => 3)
  const port = await freePort()
  const server = createMetricsServer(metrics.registry)
  await server.listen({ host: '127.0.0.1', port })
  t.after(() => server.close())
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  const series = 'http_server_request_duration_seconds'
  const labels = 'method="GET",route="/p/:place",status="200"'
  for (const line of [
    `# TYPE ${series} histogram`,
    `${series}_bucket{le="0.01",${labels}} 0`,
    `${series}_bucket{le="0.025",${labels}} 1`,
    `${series}_bucket{le="5",${labels}} 1`,
    `${series}_bucket{le="+Inf",${labels}} 2`,
    `${series}_sum{${labels}} 9.02`,
    `${series}_count{${labels}} 2`,
    'tollgate_checkout_rate_limited_total{bucket="address"} 2',
    'tollgate_checkout_streams 3',
  ])
    assert.ok(text.split('\n').includes(line), `${line} in ${text}`)
  assert.match(text, /^process_resident_memory_bytes \d+$/m)
  assert.match(text, /\n$/)
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404)
  const second = createMetricsServer(metrics.registry)
  await assert.rejects(second.listen({ host: '127.0.0.1', port }), { code: 'EADDRINUSE' })
})

/** A gateway that answers with this status, and what the page told its log of it. */
async function gatewayWith(t: TestLife, status: number, serviceKey: string | undefined) {
  const keys: unknown[] = []
  const answer = { status, keys }
  const server = createServer((request, response) => {
    answer.keys.push(request.headers['tollgate-checkout-key'])
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const said: string[] = []
  const write = (line: string): void => void said.push(JSON.parse(line).msg)
  const log = createLog({ level: 'info', destination: { write } })
  const watch = watchGateway({ apiUrl: `http://127.0.0.1:${port}`, serviceKey, log, pauseMs: 20 })
  t.after(() => {
    watch.stop()
    server.close()
    server.closeAllConnections()
  })
  const until = (state: string): Promise<void> =>
    waitUntil(() => watch.state === state, { timeoutMs: 10_000, what: `the gateway to be ${state}` })
  return { answer, said, until, server }
}

test('the log tells when the gateway is there, gone, or does not know the page', async (t) => {
  const { answer, said, until } = await gatewayWith(t, 401, 'k'.repeat(64))
  await until('OK')
  assert.deepEqual(answer.keys[0], 'k'.repeat(64))
  answer.status = 404
  await until('KEY_UNKNOWN')
  answer.status = 500
  await until('UNREACHABLE')
  answer.status = 429
  await until('OK')
  assert.deepEqual(
    said.map((each) => each.split(/[;:]/, 1)[0]),
    [
      'the gateway answers',
      'the gateway does not know this page',
      'the gateway does not answer',
      'the gateway answers',
    ],
  )
})

test('a page without a service key says so, and asks only whether the gateway lives', async (t) => {
  const { answer, said, until, server } = await gatewayWith(t, 200, undefined)
  await until('OK')
  assert.match(said[0] ?? '', /there is no CHECKOUT_SERVICE_KEY/)
  assert.deepEqual(answer.keys[0], undefined)
  server.close()
  server.closeAllConnections()
  await until('UNREACHABLE')
})
