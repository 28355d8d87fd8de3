import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type TestLife, testDatabase, waitUntil } from '@tollgate/testkit'
import { type Database, openDatabase } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import {
  ActImpossible,
  type ActState,
  createConfirmationService,
  createConfirmationWorker,
  createSecondPerson,
  isSecondPersonWanted,
  type NewAct,
  type Performer,
  policyOf,
  recordPolicy,
  type SecondPersonSettings,
} from '../index.ts'
import { needsSecondPerson } from '../model.ts'

const SETTINGS: SecondPersonSettings = {
  isOn: true,
  fromAmounts: 'CZK=1000',
  expiresAfterHours: 1,
  isFolderChannel: false,
}
const money = (amount: string, currencyCode = 'EUR') => ({ amount: parsePlainAmount(amount), currencyCode })

/** Acts whose carrying out notes that it was done, or cannot be done. */
async function openRoom(t: TestLife, given: { readonly expiresAfterSeconds?: number } = {}) {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url, poolMax: 6, log, applicationName: 'confirmations test' })
  t.after(() => db.close())
  const secrets = createSecrets(Buffer.alloc(32, 7))
  const policy = { ...policyOf(SETTINGS), ...given }
  const second = createSecondPerson({ secrets, policy })
  await runSql(url, 'create table done (title text primary key)')
  const note = (on: Database, title: string) =>
    on.rows({ name: `done ${title}`, text: 'insert into done values ($1)' }, [title])
  const performer: Performer = {
    async rehearse(dry, { act }) {
      await note(dry, act.title)
      return { payments: [], sums: [], remarks: [act.title] }
    },
    problemOfOperator: async () => undefined,
    async carryOut(within, { act }) {
      await note(within, act.title)
      if (act.title === 'impossible') throw new ActImpossible('the line is gone')
      return act.title
    },
    afterwards: async () => undefined,
    describe: ({ bytes }) => ({ text: bytes.toString('utf8') }),
  }
  const performers = { STATEMENT_FILE: performer, PAYOUT_REPORT: performer, LINE_DECISION: performer }
  const service = createConfirmationService({
    db,
    clock: systemClock,
    secrets,
    performers,
    listPowerless: async () => new Set(),
  })
  const propose = (title: string, wanted: Partial<NewAct> = {}) =>
    second.admit(
      { db, clock: systemClock },
      { actOf: async () => ({ ...actOf(title), ...wanted }), carryOut: async () => undefined },
    )
  return {
    url,
    db,
    log,
    service,
    propose,
    done: async () => (await runSql(url, 'select title from done order by 1')).map((row) => row['title']),
    async waiting(title: string) {
      const admission = await propose(title)
      assert(admission.kind === 'WAITS')
      return { confirmationId: admission.act.confirmationId, digest: admission.act.digest }
    },
    stateOf: async (id: string): Promise<ActState> => (await service.show(id)).act.state,
  }
}

const actOf = (title: string): NewAct => ({
  kind: 'STATEMENT_FILE',
  title,
  actor: 'operator:ada',
  directive: '{}',
  lineIds: [],
  digest: createHash('sha256').update(title).digest(),
  bytes: Buffer.from(title),
  sums: [money('5')],
})

const refusedWith = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

test('the amount that needs two counts from its currency’s limit on, with what was done alone before', () => {
  const policy = policyOf(SETTINGS)
  const needs = (
    sums: readonly ReturnType<typeof money>[],
    alone: readonly ReturnType<typeof money>[] = [],
  ) => needsSecondPerson(policy, sums, alone)
  assert.equal(needs([money('0.01')]), true)
  assert.equal(needs([]), false)
  assert.equal(needs([money('0')]), false)
  assert.equal(needs([money('999.99', 'CZK')]), false)
  assert.equal(needs([money('1000', 'CZK')]), true)
  assert.equal(needs([money('0.01', 'CZK')], [money('999.99', 'CZK')]), true)
  assert.equal(needs([money('1', 'CZK'), money('1')]), true)
  assert.equal(needsSecondPerson({ ...policy, isOn: false }, [money('9')], []), false)
})

test('an act is rehearsed without a trace, and carried out once by those who confirm it at the same time', async (t) => {
  const room = await openRoom(t)
  const { confirmationId, digest } = await room.waiting('a')
  assert.deepEqual((await room.service.show(confirmationId)).consequences?.remarks, ['a'])
  assert.deepEqual(await room.done(), [])
  const confirm = (operatorCode: string) =>
    room.service.confirm({
      confirmationId,
      digest,
      operatorCode,
      reason: undefined,
      consequencesDigest: undefined,
    })
  const outcomes = await Promise.allSettled(['grace', 'olga', 'otto'].map(confirm))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await room.done(), ['a'])
  await assert.rejects(confirm('ada'), refusedWith('CONFIRMATION_NOT_OPEN'))
})

test('what cannot be carried out leaves nothing behind, and has ended', async (t) => {
  const room = await openRoom(t)
  const { confirmationId, digest } = await room.waiting('impossible')
  const confirmed = room.service.confirm({
    confirmationId,
    digest,
    operatorCode: 'grace',
    reason: undefined,
    consequencesDigest: undefined,
  })
  await assert.rejects(confirmed, refusedWith('CONFIRMATION_FAILED'))
  assert.deepEqual(await room.done(), [])
  const { act } = await room.service.show(confirmationId)
  assert.deepEqual(
    [act.state, act.endedBy, act.endedReason],
    ['FAILED', 'operator:grace', 'the line is gone'],
  )
})

test('S18: what waited for too long is confirmed by nobody, with and without a worker, and may be proposed again', async (t) => {
  const room = await openRoom(t, { expiresAfterSeconds: 0 })
  const { confirmationId, digest } = await room.waiting('late')
  const confirmed = room.service.confirm({
    confirmationId,
    digest,
    operatorCode: 'grace',
    reason: undefined,
    consequencesDigest: undefined,
  })
  await assert.rejects(confirmed, refusedWith('CONFIRMATION_NOT_OPEN'))
  assert.equal(await room.stateOf(confirmationId), 'WAITING')
  const again = await room.waiting('late')
  assert.notEqual(again.confirmationId, confirmationId)
  assert.equal(await room.stateOf(confirmationId), 'EXPIRED')
  const worker = createConfirmationWorker({ ...room, resume: async () => undefined, pollMs: 20 })
  t.after(() => worker.stop())
  worker.start()
  await waitUntil(async () => (await room.stateOf(again.confirmationId)) === 'EXPIRED', {
    timeoutMs: 10_000,
    what: 'the worker to end it',
  })
  assert.deepEqual(await room.done(), [])
})

test('two acts of one operator at the same time see each other’s sums', async (t) => {
  const room = await openRoom(t)
  const kinds = await Promise.all(
    ['x', 'y', 'z'].map(async (title) => (await room.propose(title, { sums: [money('400', 'CZK')] })).kind),
  )
  assert.deepEqual(kinds.toSorted(), ['DONE', 'DONE', 'WAITS'])
})

test('what the running gateway wants is noted where it is new, and the latest counts', async (t) => {
  const { db, url } = await openRoom(t)
  assert.equal(await isSecondPersonWanted(db), false)
  for (const settings of [SETTINGS, SETTINGS, { ...SETTINGS, isOn: false }]) await recordPolicy(db, settings)
  assert.equal(await isSecondPersonWanted(db), false)
  await recordPolicy(db, SETTINGS)
  assert.equal(await isSecondPersonWanted(db), true)
  assert.equal((await runSql(url, 'select from confirmation_policies')).length, 3)
})
