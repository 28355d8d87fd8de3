import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@tollgate/runtime'
import { freePort, type TestLife, waitUntil } from '@tollgate/testkit'
import { createOutboundClient } from '../../platform/outbound/index.ts'
import { createOpenRail } from '../../rails/open/index.ts'
import type { Rail } from '../../rails/rail.ts'
import { openInstallation, openPayments, openWorker } from './installation.ts'

const SIMULATOR = fileURLToPath(new URL('../../../../bank-simulator/src/main.ts', import.meta.url))
const PAYOUTS = 1_000
const EVERY = 3
const START_TIMEOUT_MS = 20_000
const DONE_TIMEOUT_MS = 180_000

interface BankSimulator {
  readonly url: string
  readonly secret: Buffer
  admin(method: 'GET' | 'PUT', path: string, body?: unknown): Promise<string>
}

/** The simulator in a process of its own: an institution with its own books. */
async function startBank(t: TestLife): Promise<BankSimulator> {
  const secret = randomBytes(32)
  const adminKey = randomBytes(16).toString('hex')
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-never-twice-'))
  const port = await freePort()
  const child = spawn(process.execPath, [SIMULATOR], {
    env: {
      ...process.env,
      SIMULATOR_PORT: String(port),
      SIMULATOR_DATA_DIR: dataDir,
      SIMULATOR_SECRET: secret.toString('base64'),
      SIMULATOR_ADMIN_KEY: adminKey,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  t.after(async () => {
    const ended = once(child, 'exit')
    if (child.exitCode === null) child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  const admin: BankSimulator['admin'] = async (method, path, body) => {
    const response = await fetch(`${url}/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return response.text()
  }
  const isOpen = () =>
    admin('GET', '/mood').then(
      () => true,
      () => false,
    )
  await waitUntil(isOpen, { timeoutMs: START_TIMEOUT_MS, what: 'the bank to open' })
  return { url, secret, admin }
}

function railTo(t: TestLife, { url, secret }: BankSimulator): Rail {
  const policy = { httpsOnly: false, portsAllowed: 'any', allowPrivate: true, allowedCidrs: [] } as const
  const outbound = createOutboundClient({ policy })
  t.after(() => outbound.close())
  return createOpenRail({
    code: 'simulator',
    keyId: 'sandbox',
    secret,
    outbound,
    baseUrl: url,
    customerUrl: url,
    directions: ['PAYOUT'],
    flows: [],
    clock: systemClock,
  })
}

test('a thousand payouts through a bank of which every third hand-over is executed and never answered: none twice, all end right', async (t) => {
  const installation = await openInstallation(t)
  const bank = await startBank(t)
  await bank.admin('PUT', '/mood', { mood: 'TIMEOUT_AFTER_EXECUTING', every: EVERY })
  const references = await installation.accept(PAYOUTS, 'simulator')
  const own = openPayments(installation.url)
  const worker = openWorker(own, railTo(t, bank), {
    leaseSeconds: 10,
    railDeadlineSeconds: 2,
    patienceSeconds: 60,
  })
  t.after(async () => {
    await worker.stop()
    await own.db.close()
  })
  worker.start()
  await waitUntil(async () => (await installation.states())['SUCCESS CONFIRMED'] === PAYOUTS, {
    timeoutMs: DONE_TIMEOUT_MS,
    what: 'the success of every payout',
  })

  const log = (await bank.admin('GET', '/log')).trimEnd().split('\n')
  const executed = log.map((line): unknown => JSON.parse(line)).map(referenceOf)
  assert.equal(executed.length, PAYOUTS)
  assert.deepEqual(executed.toSorted(), [...references].sort())
  const [asked] = await installation.sql(
    `select count(distinct id_payment)::int as n from payment_inquiries where question = 'INQUIRE'`,
  )
  assert.ok(Number(asked?.['n']) >= Math.floor(PAYOUTS / EVERY), 'the answers were lost indeed')
  assert.deepEqual(
    await installation.sql(`select available::int, reserved::int from balances where merchant_id = 1`),
    [{ available: 0, reserved: 0 }],
  )
  assert.deepEqual(await installation.findings(), [])
})

function referenceOf(movement: unknown): string {
  assert.ok(typeof movement === 'object' && movement !== null)
  assert.ok('kind' in movement && movement.kind === 'EXECUTED')
  assert.ok('reference' in movement && typeof movement.reference === 'string')
  return movement.reference
}
