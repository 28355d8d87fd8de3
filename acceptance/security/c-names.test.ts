import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'
import { addMerchant } from './support/merchant.ts'

// Callback URLs whose names lead inside. The gateway's process gets a resolver of the test's own in place of the system's.

/** Of `rebind`, every second answer leads inside: whoever asks twice for one attempt connects to what was not judged. */
const RESOLVER = `
  import dns from 'node:dns/promises'
  import { syncBuiltinESMExports } from 'node:module'
  const system = dns.lookup
  let asked = 0
  const answers = {
    'inside.shop.example': () => ['127.0.0.1'],
    'mapped.shop.example': () => ['::ffff:127.0.0.1'],
    'mixed.shop.example': () => ['127.0.0.2', '127.0.0.1'],
    'rebind.shop.example': () => [(asked += 1) % 2 === 1 ? '127.0.0.2' : '127.0.0.1'],
  }
  dns.lookup = (name, options) => Object.hasOwn(answers, name)
    ? Promise.resolve(answers[name]().map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    : system(name, options)
  syncBuiltinESMExports()
`
const BLOCKED = 'BLOCKED BLOCKED BLOCKED BLOCKED BLOCKED'

const gateway = await startGateway(
  { after },
  {
    env: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(RESOLVER)}`,
      TOLLGATE_CALLBACK_ALLOW_PRIVATE: 'false',
      TOLLGATE_CALLBACK_ALLOW_CIDR: '127.0.0.2/32',
      TOLLGATE_CALLBACK_INTERVAL_SECONDS: '1',
      TOLLGATE_CALLBACK_TIMEOUT_SECONDS: '2',
    },
  },
)
const shop = await addMerchant(gateway, 'SHOP')
let connections = 0
const inside = createServer((socket) => {
  connections += 1
  socket.destroy()
}).listen(0, '127.0.0.1')
await once(inside, 'listening')
after(() => inside.close())
const address = inside.address()
assert.ok(address !== null && typeof address === 'object')
const { port } = address

/** The outcomes of all attempts at the callback of a payin with this URL. */
async function outcomesOf(id: string, host: string): Promise<unknown> {
  const callbackUrl = `http://${host}:${port}/`
  const created = await shop.create(id, { callbackUrl, emailAddress: 'success@sandbox.test' })
  assert.equal(created.status, 201, created.text)
  const find = () =>
    gateway.sql(
      `select state, (select string_agg(outcome, ' ' order by attempt_no) from callback_attempts a where a.event_id = e.event_id) as outcomes
        from callback_events e where id_entity = $1`,
      [id],
    )
  const hasEnded = async () => (await find())[0]?.['state'] === 'EXHAUSTED'
  await waitUntil(hasEnded, { timeoutMs: 60_000, what: `the callbacks to ${host} to end` })
  return (await find())[0]?.['outcomes']
}

test('C1 a name that leads inside, or one of whose addresses does, is never called', async () => {
  const hosts = ['inside', 'mapped', 'mixed'].map((name) => [name, `${name}.shop.example`] as const)
  const outcomes = await Promise.all(hosts.map(([id, host]) => outcomesOf(id, host)))
  assert.deepEqual(outcomes, [BLOCKED, BLOCKED, BLOCKED])
  assert.equal(connections, 0)
})

test('C2 a name that leads inside every second time is asked once for each attempt, and what was judged is what is called', async () => {
  assert.equal(await outcomesOf('rebind', 'rebind.shop.example'), 'REFUSED BLOCKED REFUSED BLOCKED REFUSED')
  assert.equal(connections, 0)
})
