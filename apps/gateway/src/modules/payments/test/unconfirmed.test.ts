import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runSql, type SqlRow, testDatabase, waitUntil } from '@tollgate/testkit'
import { RUNTIME_USER } from '../../../platform/embedded-postgres/index.ts'
import { testDirectory } from '../../../platform/embedded-postgres/test/support.ts'
import { migrate } from '../../../platform/migrate.ts'
import type { AcceptVerdict } from '../index.ts'
import { keyOf, newPayment, openRig } from './rig.ts'

// Commits wait for a synchronous standby that is away. What can be seen of them meanwhile is not safe.

const TIMEOUT_MS = 10_000
const PROBE = `select pg_logical_emit_message(true, 'probe', '')`
const WAITING = `from pg_stat_activity where wait_event = 'SyncRep' and application_name = $1`

interface Server {
  readonly url: string
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** Until a session of the service waits for the standby. */
  untilWaiting(): Promise<void>
  /** Resolves when commits wait. */
  loseStandby(): Promise<void>
  findStandby(): Promise<void>
  /** Kills the primary, which recovers. */
  crash(): Promise<void>
}

async function openServer(t: TestContext): Promise<Server> {
  const server = await testDirectory(t).start({ settings: { fsync: 'off', shared_buffers: '64MB' } })
  await migrate({ url: server.ownerUrl, runtimeUser: RUNTIME_USER })
  const sql: Server['sql'] = (text, values) => runSql(server.adminUrl, text, values)
  const isWaiting = async (name: string): Promise<boolean> =>
    (await sql(`select pid ${WAITING}`, [name])).length > 0
  const until = (name: string): Promise<void> =>
    waitUntil(() => isWaiting(name), { timeoutMs: TIMEOUT_MS, what: `a session of ${name} that waits` })
  return {
    ...{ url: server.url, sql },
    untilWaiting: () => until('payments test'),
    async loseStandby() {
      await sql(`alter system set synchronous_standby_names = 'nobody'`)
      await sql('select pg_reload_conf()')
      // The first commits may come before the setting does.
      const probes = new Set<Promise<unknown>>()
      const probing = setInterval(() => {
        const probe = sql(PROBE).finally(() => probes.delete(probe))
        probes.add(probe)
      }, 20)
      await until('testkit').finally(() => clearInterval(probing))
      const endProbes = async (): Promise<boolean> => {
        await sql(`select pg_cancel_backend(pid) ${WAITING}`, ['testkit'])
        return probes.size === 0
      }
      await waitUntil(endProbes, { timeoutMs: TIMEOUT_MS, what: 'the end of the probes' })
    },
    async findStandby() {
      await sql('alter system reset synchronous_standby_names')
      await sql('select pg_reload_conf()')
    },
    async crash() {
      const [row] = await sql(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`)
      process.kill(Number(row?.['pid']), 'SIGKILL')
      await server.restart()
    },
  }
}

const isUnsafe = (error: unknown): boolean =>
  error instanceof Error && error.name === 'CommitUnknown' && 'mayBeResolved' in error && !error.mayBeResolved

test('what was found on a primary that is lost, and is not on the next one, is not taken', async (t) => {
  const rig = await openRig(t)
  const next = await testDatabase(t)
  const service = rig.openServiceThatMoves(next.url)
  const first = newPayment()
  await rig.service.accept(first)
  const repeat = newPayment({ idPayment: first.idPayment })
  await assert.rejects(service.accept(repeat), isUnsafe)
  assert.equal(await service.findHolder(keyOf(first)), undefined)
  // There somebody else has the id by now.
  await rig.openService(next.url).accept(newPayment({ idPayment: first.idPayment }))
  await assert.rejects(service.accept(repeat), isUnsafe)
  assert.equal((await service.findHolder(keyOf(first)))?.idPayment, first.idPayment)
})

test('what the standby does not have is neither accepted nor taken, until it has it', async (t) => {
  const rig = await openRig(t)
  const server = await openServer(t)
  const service = rig.openService(server.url)

  for (const end of ['pg_cancel_backend', 'pg_terminate_backend'] as const) {
    await t.test(`${end} while it waits: the answer is unknown, though the row is there`, async () => {
      const payment = newPayment()
      await server.loseStandby()
      const outcome = assert.rejects(service.accept(payment), isUnsafe)
      await server.untilWaiting()
      await server.sql(`select ${end}(pid) ${WAITING}`, ['payments test'])
      await outcome
      assert.equal((await service.find(keyOf(payment)))?.idPayment, payment.idPayment)
      await server.findStandby()
    })
  }

  await t.test('whoever asks for it again waits with it, and hears then that it is taken', async () => {
    const first = newPayment()
    await server.loseStandby()
    const outcome = assert.rejects(service.accept(first), isUnsafe)
    await server.untilWaiting()
    await server.sql(`select pg_cancel_backend(pid) ${WAITING}`, ['payments test'])
    await outcome
    const heard: (AcceptVerdict['kind'] | undefined)[] = []
    const again = [
      service.accept(newPayment({ idPayment: first.idPayment })).then(({ kind }) => heard.push(kind)),
      service
        .accept(newPayment({ idPayment: first.idPayment }), { cap: { countMax: 9 } })
        .then(({ kind }) => heard.push(kind)),
      service.findHolder(keyOf(first)).then((holder) => heard.push(holder && 'DUPLICATE')),
    ]
    await server.untilWaiting()
    assert.deepEqual(heard, [])
    await server.findStandby()
    await Promise.all(again)
    assert.deepEqual(heard, ['DUPLICATE', 'DUPLICATE', 'DUPLICATE'])
  })

  await t.test('also after the primary crashed over it and came back with the row', async () => {
    const first = newPayment()
    await server.loseStandby()
    const outcome = service.accept(first).then(
      () => 'accepted',
      () => 'unknown',
    )
    await server.untilWaiting()
    await server.crash()
    await waitUntil(async () => (await service.find(keyOf(first))) !== undefined, {
      timeoutMs: TIMEOUT_MS,
      what: 'the row',
    })
    let heard: AcceptVerdict['kind'] | undefined
    const again = service.accept(newPayment({ idPayment: first.idPayment })).then(({ kind }) => {
      heard = kind
    })
    await server.untilWaiting()
    assert.equal(heard, undefined)
    await server.findStandby()
    await again
    assert.equal(heard, 'DUPLICATE')
    assert.equal(typeof (await outcome), 'string')
  })
})
