import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { freePort, waitUntil } from '@tollgate/testkit'
import { CLI, startGateway } from '../support/gateway.ts'
import { startProgram } from '../support/process.ts'

// Every server listens at its own address alone, and what only operators may see is at none of the public ones.

const START_TIMEOUT_MS = 60_000
const SERVERS = ['API', 'OPERATOR', 'METRICS', 'CHECKOUT', 'SIMULATOR'] as const

interface Place {
  readonly host: string
  readonly port: number
}

/** Where each server is told to be; the API stays where the tests find it. */
const places = new Map<string, Place>()
for (const [index, name] of SERVERS.entries())
  places.set(name, { host: `127.0.0.${index + 1}`, port: await freePort() })
const settings = Object.fromEntries(
  [...places].flatMap(([name, { host, port }]) => [
    [`TOLLGATE_${name}_HOST`, host],
    [`TOLLGATE_${name}_PORT`, String(port)],
  ]),
)
const gateway = await startGateway({ after }, { settings, simulator: true, checkout: true })

// The page as a program of its own, which has metrics.
const [page, pageMetrics] = [await freePort(), await freePort()]
const program = startProgram([CLI, 'checkout'], {
  ...settings,
  TOLLGATE_DATA_DIR: gateway.dataDir,
  TOLLGATE_METRICS_HOST: '127.0.0.7',
  CHECKOUT_HOST: '127.0.0.6',
  CHECKOUT_PORT: String(page),
  CHECKOUT_METRICS_PORT: String(pageMetrics),
  CHECKOUT_SECRET: 's'.repeat(44),
  CHECKOUT_SERVICE_KEY: 'k'.repeat(44),
})
after(async () => {
  program.kill('SIGTERM')
  assert.equal(await program.end, 0)
})
await waitUntil(() => program.stderr().includes('is open') || program.ended() !== undefined, {
  timeoutMs: START_TIMEOUT_MS,
  what: 'the page to be open',
})
places.set('PAGE', { host: '127.0.0.6', port: page })
places.set('PAGE METRICS', { host: '127.0.0.7', port: pageMetrics })

const isOpen = (place: Place): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(place)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

test('G19 API, operator API, metrics, page and simulator listen at their own addresses and nowhere else', async () => {
  // At 127.0.0.1 other tests may have the same port meanwhile; a server that is there by mistake is not at its own.
  const hosts = [...places.values()].map(({ host }) => host).filter((host) => host !== '127.0.0.1')
  for (const [name, { host, port }] of places) {
    // A child of the gateway may be open a little later.
    await waitUntil(() => isOpen({ host, port }), { timeoutMs: START_TIMEOUT_MS, what: `${name} to be open` })
    for (const other of hosts.filter((each) => each !== host))
      assert.equal(await isOpen({ host: other, port }), false, `${name} at ${other}`)
  }
})

test('G20 metrics are served at their own addresses, and by no server that others reach', async () => {
  const metricsAt = async ({ host, port }: Place): Promise<boolean> => {
    const answer = await fetch(`http://${host}:${port}/metrics`, { redirect: 'manual' })
    return /^# TYPE /m.test(await answer.text())
  }
  for (const [name, place] of places)
    assert.equal(await metricsAt(place), name.includes('METRICS'), `${name} at ${place.host}`)
})
