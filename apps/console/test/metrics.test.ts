import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { freePort, type TestLife } from '@tollgate/testkit'
import { readConfig } from '../src/config.ts'
import { startConsole } from '../src/server.ts'
import { openRig } from './support.ts'

/** A console with metrics, before an operator API at this address. */
async function metered(t: TestLife, apiUrl: string) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const running = await startConsole({
    host: '127.0.0.1',
    port,
    publicUrl: url,
    apiUrl,
    isLive: false,
    timeoutMs: 2_000,
    metricsHost: '127.0.0.8',
    metricsPort,
    log: createLog({ level: 'silent' }),
  })
  t.after(() => running.stop())
  const metricsUrl = `http://127.0.0.8:${metricsPort}/metrics`
  return { url, metricsUrl, read: async () => (await fetch(metricsUrl)).text() }
}

test('K99 the metrics name no operator, merchant or payment, and are at no address of the console', async (t) => {
  const { url, metricsUrl, read } = await metered(t, 'http://127.0.0.1:9')
  const cookie = 'tollgate=tgos_TbKi1pY-2oPhX2p5-mda5NG1uRASQxl8'
  const away = await fetch(`${url}/payments/PAYIN/SHOP/ORD-1?reference=Lovelace`, { headers: { cookie } })
  assert.equal(away.status, 503)
  const text = await read()
  assert.match(text, /^http_server_request_duration_seconds_count{[^}]*status="503"} 1$/m)
  assert.match(text, /^tollgate_console_api_requests_total{result="AWAY"} [1-9]/m)
  assert.match(text, /^process_resident_memory_bytes /m)
  assert.doesNotMatch(text, /ORD-1|SHOP|Lovelace|tgos_/)
  assert.equal((await fetch(`${url}/metrics`)).status, 404)
  for (const path of ['/', '/payments', '/metrics?x=1'])
    assert.equal((await fetch(new URL(path, metricsUrl))).status, 404)
  await assert.rejects(fetch(`http://127.0.0.1:${new URL(metricsUrl).port}/metrics`))
})

test('what the operator API answers is counted as answered, also when it refuses', async (t) => {
  const rig = await openRig(t)
  const { url, read } = await metered(t, rig.apiUrl)
  await fetch(`${url}/nothing`, { headers: { cookie: 'tollgate=x' } })
  assert.doesNotMatch(await read(), /^tollgate_console_api_requests_total{/m)
  const form = new URLSearchParams({ key: `tgop_${'A'.repeat(43)}`, next: '/' })
  await fetch(`${url}/sign-in`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
  })
  const text = await read()
  assert.match(text, /^tollgate_console_api_requests_total{result="ANSWERED"} [1-9]/m)
  assert.doesNotMatch(text, /result="AWAY"/)
})

test('the port of the metrics is another one than that of the console', () => {
  const given = { CONSOLE_API_URL: 'http://127.0.0.1:8084', CONSOLE_PORT: '8082' }
  assert.equal(readConfig(given).metricsPort, 0)
  assert.equal(readConfig({ ...given, CONSOLE_METRICS_PORT: '9466' }).metricsPort, 9466)
  for (const wrong of ['8082', '70000', 'x'])
    assert.throws(() => readConfig({ ...given, CONSOLE_METRICS_PORT: wrong }), /CONSOLE_METRICS_PORT/)
})
