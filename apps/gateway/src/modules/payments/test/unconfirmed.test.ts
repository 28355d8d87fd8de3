import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { isUnsafe, openLonelyServer } from '../../../test/support/lonely-server.ts'
import type { AcceptVerdict } from '../index.ts'
import { keyOf, newPayment, openRig } from './rig.ts'

// Commits wait for a synchronous standby that is away. What can be seen of them meanwhile is not safe.

const TIMEOUT_MS = 10_000

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
  const server = await openLonelyServer(t, 'payments test')
  const service = rig.openService(server.url)

  for (const end of ['pg_cancel_backend', 'pg_terminate_backend'] as const) {
    await t.test(`${end} while it waits: the answer is unknown, though the row is there`, async () => {
      const payment = newPayment()
      await server.loseStandby()
      const outcome = assert.rejects(service.accept(payment), isUnsafe)
      await server.untilWaiting()
      await server.breakOff(end)
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
    await server.breakOff()
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
