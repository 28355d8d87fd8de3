import assert from 'node:assert/strict'
import { request as ask, createServer } from 'node:http'
import { type FaultProxy, faultProxy, freePort, type TestLife, waitUntil } from '@tollgate/testkit'
import type { TestGateway } from './gateway.ts'
import { startProgram } from './process.ts'

const MAIN = 'apps/checkout/src/main.ts'
const START_TIMEOUT_MS = 60_000

/** A hosted page in a process of its own, and the door through which it reaches the gateway's API. */
interface SpoiledPage {
  readonly door: FaultProxy
  /** The same gateway, whose links lead to this page. */
  readonly site: TestGateway
}

/** Starts one more page beside the gateway; it ends with the test. */
export async function spoiledPage(t: TestLife, gateway: TestGateway): Promise<SpoiledPage> {
  const door = await faultProxy(t, gateway.url)
  const port = await freePort()
  const checkoutUrl = `http://localhost:${port}`
  const { stdout } = await gateway.cli('checkout', '--settings')
  const shared = stdout.split('\n').flatMap((line) => {
    const [, name, value] = /^(CHECKOUT_(?:SECRET|SERVICE_KEY))=(.+)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  assert.equal(shared.length, 2)
  const program = startProgram([MAIN], {
    ...Object.fromEntries(shared),
    CHECKOUT_API_URL: door.url,
    CHECKOUT_PORT: String(port),
    CHECKOUT_PUBLIC_URL: checkoutUrl,
  })
  t.after(async () => {
    program.kill('SIGTERM')
    await program.end
  })
  const isOpen = (): boolean => {
    assert.equal(program.ended(), undefined, program.stderr())
    return program.stderr().includes('the payment page is open')
  }
  await waitUntil(isOpen, { timeoutMs: START_TIMEOUT_MS, what: 'the payment page to be open' })
  return { door, site: { ...gateway, checkoutUrl } }
}

/** The same gateway for a browser that neither keeps nor sends cookies: they are lost on the way, in both directions. */
export async function cookielessSite(t: TestLife, gateway: TestGateway): Promise<TestGateway> {
  const server = createServer((request, response) => {
    const { cookie: _lost, ...headers } = request.headers
    const { method, url = '/' } = request
    const onward = ask(new URL(url, gateway.checkoutUrl), { method, headers }, (answer) => {
      const { 'set-cookie': _refused, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, kept)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { ...gateway, checkoutUrl: `http://localhost:${port}` }
}
