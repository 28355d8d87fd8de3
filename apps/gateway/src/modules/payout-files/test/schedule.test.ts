import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import type { PaymentKey } from '../../payments/index.ts'
import { createScheduledFiles, PayoutFileProblem, readSchedule } from '../index.ts'
import { dueTurn, type FileSchedule } from '../schedule.ts'
import { openRig, type Rig } from './rig.ts'

const PRAGUE = readSchedule('EUR=13:00,CZK=10:00,EUR=08:30', 'Europe/Prague')
const dueAt = (moment: string, currencyCode = 'EUR'): string | undefined =>
  dueTurn(PRAGUE, currencyCode, Date.parse(moment))?.at

test('a turn is due from its time on the clocks of its zone, and for two hours', () => {
  // In winter they are an hour before UTC.
  for (const [moment, turn] of [
    ['2026-11-27T07:29:59Z', undefined],
    ['2026-11-27T07:30:00Z', '2026-11-27 08:30'],
    ['2026-11-27T09:30:59Z', '2026-11-27 08:30'],
    ['2026-11-27T09:31:00Z', undefined],
    ['2026-11-27T11:59:59Z', undefined],
    ['2026-11-27T12:00:00Z', '2026-11-27 13:00'],
    ['2026-11-27T23:30:00Z', undefined],
    // And in summer two.
    ['2026-07-03T06:29:59Z', undefined],
    ['2026-07-03T06:30:00Z', '2026-07-03 08:30'],
  ] as const)
    assert.equal(dueAt(moment), turn, moment)
  assert.equal(dueAt('2026-11-27T09:00:00Z', 'CZK'), '2026-11-27 10:00')
  assert.equal(dueAt('2026-11-27T09:00:00Z', 'USD'), undefined)
})

test('on a day on which banks do not work, also one that has begun elsewhere, a turn is of what goes at once', () => {
  const isInstantOnly = (schedule: FileSchedule, currencyCode: string, moment: string) =>
    dueTurn(schedule, currencyCode, Date.parse(moment))?.isInstantOnly
  assert.equal(isInstantOnly(PRAGUE, 'EUR', '2026-11-27T07:30:00Z'), false, 'a Friday')
  assert.equal(isInstantOnly(PRAGUE, 'EUR', '2026-11-28T07:30:00Z'), true, 'a Saturday')
  assert.equal(isInstantOnly(PRAGUE, 'EUR', '2026-05-01T06:30:00Z'), true, 'TARGET is closed')
  assert.equal(isInstantOnly(PRAGUE, 'CZK', '2026-05-01T08:00:00Z'), false)
  const kiritimati = readSchedule('EUR=00:10', 'Pacific/Kiritimati')
  assert.equal(isInstantOnly(kiritimati, 'EUR', '2026-11-27T10:15:00Z'), true, 'Saturday there')
  assert.equal(isInstantOnly(kiritimati, 'EUR', '2026-11-26T10:15:00Z'), false)
})

test('a time that clocks pass over is due after it', () => {
  const night = readSchedule('CZK=02:30', 'Africa/Cairo')
  // Friday, 24 April 2026: from midnight to one o’clock in Cairo.
  assert.equal(
    dueTurn(readSchedule('CZK=00:30', 'Africa/Cairo'), 'CZK', Date.parse('2026-04-23T22:00:00Z'))?.at,
    '2026-04-24 00:30',
  )
  assert.equal(dueTurn(night, 'CZK', Date.parse('2026-04-23T22:00:00Z')), undefined)
})

const DAILY = readSchedule('EUR=08:30', 'UTC')
/** A Friday. */
const TURN_MS = Date.parse('2026-11-27T08:30:00Z')
const DAY_MS = 86_400_000

interface Process {
  /** How often it has asked for files. */
  readonly runs: number
  /** Sets the clock, and waits until the process has looked at it several times. */
  setTo(moment: number): Promise<void>
}

const until = (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> =>
  waitUntil(isSo, { what, timeoutMs: 30_000 })

/** A process with the schedule and a clock that a test sets. It begins a minute before the turn. */
function startProcess(t: TestLife, rig: Rig, failures: Error[] = []): Process {
  let nowMs = TURN_MS - 60_000
  let looks = 0
  let runs = 0
  const clock = { ...systemClock, nowMs: () => nowMs }
  const files = rig.open({ clock })
  const scheduled = createScheduledFiles({
    db: rig.db,
    schedule: DAILY,
    log: createLog({ level: 'silent' }),
    pollMs: 5,
    clock: {
      nowMs() {
        looks += 1
        return nowMs
      },
    },
    files: {
      async create(order) {
        runs += 1
        const failure = failures.shift()
        if (failure !== undefined) throw failure
        return files.create(order)
      },
    },
  })
  t.after(() => scheduled.stop())
  scheduled.start()
  return {
    get runs() {
      return runs
    },
    async setTo(moment) {
      nowMs = moment
      const before = looks
      await until('several looks at the clock', () => looks > before + 3)
    },
  }
}

const filesIn = async (rig: Rig) =>
  (await rig.files.list({ after: undefined, limit: 10 })).map(({ file }) => file)
const phaseOf = async (rig: Rig, key: PaymentKey): Promise<string> => (await rig.read(key)).processorStatus

test('what waits at the turn goes into a file, once, and what comes later waits for the next turn', async (t) => {
  const rig = await openRig(t)
  const key = await rig.payOut({ amount: 100 })
  const one = startProcess(t, rig)
  await one.setTo(TURN_MS - 1)
  assert.equal(one.runs, 0)
  await one.setTo(TURN_MS)
  assert.deepEqual(
    (await filesIn(rig)).map(({ createdBy, paymentCount }) => [createdBy, paymentCount]),
    [['schedule', 1]],
  )
  assert.equal(await phaseOf(rig, key), 'SUBMITTED')
  const later = await rig.payOut({ amount: 25 })
  await one.setTo(TURN_MS + 60_000)
  // Another process, or the same one after a restart.
  const other = startProcess(t, rig)
  await other.setTo(TURN_MS + 120_000)
  assert.deepEqual([one.runs, other.runs], [1, 0])
  await one.setTo(TURN_MS + DAY_MS)
  assert.equal(await phaseOf(rig, later), 'QUEUED', 'on a Saturday')
  await one.setTo(TURN_MS + 3 * DAY_MS)
  assert.equal(await phaseOf(rig, later), 'SUBMITTED', 'on Monday')
  assert.deepEqual(await rig.booksFindings(), [])
})

test('on a Saturday what goes at once leaves, and nothing else', async (t) => {
  const rig = await openRig(t)
  await rig.allowInstant('1000')
  const [fast, slow] = [await rig.payOut({ amount: 100 }), await rig.payOut({ amount: 1_001 })]
  const one = startProcess(t, rig)
  await one.setTo(TURN_MS + DAY_MS)
  assert.deepEqual([await phaseOf(rig, fast), await phaseOf(rig, slow)], ['SUBMITTED', 'QUEUED'])
  assert.deepEqual(
    (await filesIn(rig)).map(({ speed, executionOn }) => [speed, executionOn]),
    [['INSTANT', '2026-11-28']],
  )
  await one.setTo(TURN_MS + 3 * DAY_MS)
  assert.equal(await phaseOf(rig, slow), 'SUBMITTED', 'on Monday')
  assert.deepEqual(await rig.booksFindings(), [])
})

test('two processes at one turn put each payment into one file', async (t) => {
  const rig = await openRig(t)
  for (let amount = 1; amount <= 10; amount += 1) await rig.payOut({ amount })
  const processes = [startProcess(t, rig), startProcess(t, rig), startProcess(t, rig)]
  await Promise.all(processes.map((each) => each.setTo(TURN_MS)))
  const files = await filesIn(rig)
  assert.equal(
    files.reduce((sum, { paymentCount }) => sum + paymentCount, 0),
    10,
  )
  assert.deepEqual(await rig.booksFindings(), [])
})

test('a turn that failed is tried again; one that cannot be made is not', async (t) => {
  const rig = await openRig(t)
  const key = await rig.payOut({ amount: 100 })
  const unlucky = startProcess(t, rig, [new Error('the database is away')])
  await unlucky.setTo(TURN_MS)
  await until('the second try', async () => (await phaseOf(rig, key)) === 'SUBMITTED')
  assert.equal(unlucky.runs, 2)
  await rig.payOut({ amount: 25 })
  const without = startProcess(t, rig, [
    new PayoutFileProblem('No account pays EUR out by files.', 'NOT_FOUND'),
  ])
  await without.setTo(TURN_MS + 3 * DAY_MS)
  assert.equal(without.runs, 1)
})

test('S161 what two operators have to approve first is in no file of the schedule', async (t) => {
  const rig = await openRig(t)
  const key = await rig.payOut({ amount: 100, needsApproval: true })
  const one = startProcess(t, rig)
  await one.setTo(TURN_MS)
  assert.equal(one.runs, 1)
  assert.deepEqual(await filesIn(rig), [])
  assert.equal(await phaseOf(rig, key), 'AWAITING_APPROVAL')
})
