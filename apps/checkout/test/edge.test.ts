import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import type { CheckoutOptions } from '../src/server.ts'
import { quietPage } from './quiet-page.ts'

async function open(t: TestLife, more: Partial<CheckoutOptions> = {}): Promise<string> {
  const { url } = await quietPage(t, more)
  return url
}

/** An address has three at once, and another one each second. */
const AT_ONCE = 20

async function statusesOf(url: string, addresses: readonly string[]): Promise<readonly number[]> {
  const answers = await Promise.all(
    addresses.map((address) => fetch(`${url}/nowhere`, { headers: { 'x-forwarded-for': address } })),
  )
  return answers.map(({ status }) => status)
}

test('an address may send so much, and does not become another one by saying so', async (t) => {
  const url = await open(t, { addressRatePerSecond: 1 })
  const claimed = Array.from({ length: AT_ONCE }, (_, index) => `192.0.2.${index}`)
  assert.ok((await statusesOf(url, claimed)).includes(429))
  const probes = await Promise.all([`${url}/livez`, `${url}/readyz`].map((probe) => fetch(probe)))
  assert.deepEqual(
    probes.map(({ status }) => status),
    [200, 200],
  )
})

test('behind a proxy that is trusted, each customer counts for himself', async (t) => {
  const url = await open(t, { addressRatePerSecond: 1, trustProxy: ['loopback'] })
  const one = Array.from({ length: AT_ONCE }, () => '192.0.2.1')
  assert.ok((await statusesOf(url, one)).includes(429))
  assert.deepEqual(await statusesOf(url, ['192.0.2.2']), [404])
  // What customers put in front of what the proxy adds is not believed.
  const pretended = Array.from({ length: AT_ONCE }, (_, index) => `198.51.100.${index}, 192.0.2.1`)
  assert.ok((await statusesOf(url, pretended)).includes(429))
})

test('whoever takes too long to send a request is told so and cut off; a quick one is served meanwhile', async (t) => {
  const url = await open(t, { timeouts: { headersMs: 200, requestMs: 400, checkMs: 50 } })
  const slow = [
    'GET / HTTP/1.1\r\nHost: page\r\n',
    'POST /p/x/pay HTTP/1.1\r\nHost: page\r\nContent-Length: 9\r\n\r\nhalf',
  ].map(async (bytes) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    t.after(() => socket.destroy())
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    socket.write(bytes)
    await once(socket, 'close')
    return text
  })
  assert.equal((await fetch(`${url}/livez`)).status, 200)
  const [headers = '', body = ''] = await Promise.all(slow)
  assert.match(headers, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  assert.match(headers, /default-src 'none'/)
  // What was asked for may have been answered before: nothing is there for such an address.
  assert.match(body, /^HTTP\/1\.1 (?:408|404|415) /)
})

test('a request that never ends holds the page up for as long as it was told, and no longer', async (t) => {
  const page = await quietPage(t)
  const socket = connect(Number(new URL(page.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET /livez HTTP/1.1\r\nHost: page\r\n')
  // The answer to a later request says that the page has seen the earlier one.
  await fetch(`${page.url}/livez`)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await page.stop()
  await closed
})
