import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { createLog } from '@tollgate/runtime/log'
import { waitUntil } from '@tollgate/testkit'
import type { RailReport } from '../../../rails/rail.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { fund } from '../../../test/support/shop.ts'
import { type PaymentKey, putForward, updatePhase } from '../index.ts'
import { INQUIRIES_KEPT_MAX, insertInquiries } from '../progress/inquiry-store.ts'
import { accepted, EXPIRED, endTimeToPay, openRig, paid, type Rig, railThat, WAITING } from './rig.ts'

const MONEY = { amount: parsePlainAmount('100'), currencyCode: 'EUR' }
const PAID: RailReport = { kind: 'SUCCEEDED', received: MONEY }
const UNKNOWN: RailReport = { kind: 'UNKNOWN', askAgainSeconds: 0 }
const NO: RailReport = { kind: 'FAILED', code: 'ACCOUNT_CLOSED', message: 'The account is closed.' }
/** Three questions, then people. */
const SHORT = { distancesSeconds: [0.05], lastDistanceSeconds: 0.05, patienceSeconds: 0.1 }

const phaseOf = async (rig: Rig, key: PaymentKey) => (await rig.service.find(key))?.processorStatus

async function payout(rig: Rig): Promise<PaymentKey> {
  await fund(rig.sql, { merchantId: '1', currencyCode: 'EUR', amount: '103' })
  return accepted(rig, { kind: 'PAYOUT', startsAtOnce: true })
}

async function reaches(rig: Rig, key: PaymentKey, phase: string): Promise<void> {
  await waitUntil(async () => (await phaseOf(rig, key)) === phase, { timeoutMs: 15_000, what: phase })
}

/** What was asked and answered, how often. */
async function evidenceOf(rig: Rig, key: PaymentKey): Promise<readonly unknown[]> {
  const inquiries = await rig.service.listInquiries(key)
  return inquiries.map(({ question, answer, reasonCode, contradicts }) =>
    [question, answer, reasonCode, contradicts && 'CONTRADICTS'].filter(Boolean).join(' '),
  )
}

test('an outgoing payment of which nobody can say what became ends with people, not with a guess', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  let submissions = 0
  const rail = {
    ...railThat(() => UNKNOWN),
    submit: async () => {
      submissions += 1
      throw new Error('the connection was lost')
    },
  }
  rig.startWorker({ rail, inquirySchedule: SHORT })
  await reaches(rig, key, 'IN_REVIEW')
  assert.equal(submissions, 1)
  const payment = await rig.service.find(key)
  assert.equal(payment?.status, 'CREATED')
  assert.deepEqual(await rig.sql(`select task from payment_tasks`), [{ task: 'REVIEW' }])
  const [{ reason } = {}] = await rig.sql(
    `select reason from payment_timeline order by entry_no desc limit 1`,
  )
  assert.equal(reason, 'outcome still unknown after the last inquiry; needs review')
  const [first, ...others] = await evidenceOf(rig, key)
  assert.equal(first, 'SUBMIT UNKNOWN RAIL_FAULT')
  assert.ok(others.length > 0 && others.every((each) => each === 'INQUIRE UNKNOWN'))
  const [row] = await rig.sql(`select reserved::float8 from balances where merchant_id = 1`)
  assert.deepEqual(row, { reserved: 103 })
})

test('a payin of which nobody can say what became goes to people, and does not expire behind their backs', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  rig.startWorker({ rail: railThat(() => UNKNOWN), inquirySchedule: SHORT })
  await reaches(rig, key, 'IN_REVIEW')
  await endTimeToPay(rig)
  assert.deepEqual(await rig.sql(`select task from payment_tasks`), [{ task: 'REVIEW' }])
  assert.deepEqual(new Set(await evidenceOf(rig, key)), new Set(['ADVANCE UNKNOWN']))
})

test('an answer that was under way when the payment went to people does not take it from them', async (t) => {
  for (const report of [WAITING, { kind: 'UNKNOWN', askAgainSeconds: 600 }] as const) {
    const rig = await openRig(t)
    const key = await accepted(rig, { startsAtOnce: true })
    const rail = railThat(async () => {
      await updatePhase(rig.db, {
        ...key,
        status: 'CREATED',
        processorStatus: 'IN_REVIEW',
        actor: 'rail:test',
      })
      return report
    })
    const worker = rig.startWorker({ rail })
    const isNoted = async () =>
      (await phaseOf(rig, key)) !== 'ACCEPTED' &&
      (await rig.sql(`select 1 from payment_tasks where task = 'RAIL' and unknown_answers = 0`)).length === 0
    await waitUntil(isNoted, { timeoutMs: 15_000, what: 'the answer to be noted' })
    await worker.stop()
    assert.equal(await phaseOf(rig, key), 'IN_REVIEW')
    assert.ok((await rig.sql(`select task from payment_tasks`)).some(({ task }) => task === 'REVIEW'))
  }
})

test('an answer takes nothing from those who know better by now', async (t) => {
  const NONE = { distancesSeconds: [], lastDistanceSeconds: 60, patienceSeconds: 0 }
  const LATER = { distancesSeconds: [], lastDistanceSeconds: 60, patienceSeconds: 60 }
  const isPaid = (rig: Rig, key: PaymentKey): Promise<unknown> =>
    rig.service.propose(key, { ...paid(MONEY), watchSeconds: 3600 })
  const isAskedByOther = (rig: Rig): Promise<unknown> =>
    rig.sql(`update payment_tasks set lease_token = gen_random_uuid(), due_at = now() + interval '1 hour'
      where task = 'RAIL'`)
  const cases = [
    { what: 'paid', kind: 'PAYOUT', meanwhile: isPaid, inquirySchedule: NONE },
    { what: 'asked by another worker', kind: 'PAYOUT', meanwhile: isAskedByOther, inquirySchedule: NONE },
    { what: 'asked by another worker', kind: 'PAYOUT', meanwhile: isAskedByOther, inquirySchedule: LATER },
    { what: 'asked by another worker', kind: 'PAYIN', meanwhile: isAskedByOther, inquirySchedule: LATER },
  ] as const
  for (const { what, kind, meanwhile, inquirySchedule } of cases) {
    const rig = await openRig(t)
    const key = kind === 'PAYIN' ? await accepted(rig, { startsAtOnce: true }) : await payout(rig)
    const seen = async () => [
      await rig.sql(`select processor_status from payments`),
      await rig.sql(`select task, lease_token, due_at from payment_tasks order by task`),
    ]
    let before: unknown
    const worker = rig.startWorker({
      rail: railThat(async () => {
        await meanwhile(rig, key)
        before = await seen()
        return UNKNOWN
      }),
      inquirySchedule,
    })
    await waitUntil(() => before !== undefined, { timeoutMs: 15_000, what: 'the question' })
    await worker.stop()
    assert.deepEqual(
      await seen(),
      before,
      `${kind} that was ${what}, ${inquirySchedule === NONE ? 'asked for the last time' : 'to be asked again'}`,
    )
  }
})

test('the schedule begins anew once the institution knew something in between', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  const answers: RailReport[] = [UNKNOWN, UNKNOWN, { kind: 'WAITING', askAgainSeconds: 0.05 }]
  const worker = rig.startWorker({
    rail: railThat(() => answers.shift() ?? UNKNOWN),
    inquirySchedule: { distancesSeconds: [0.05, 0.05], lastDistanceSeconds: 600, patienceSeconds: 60 },
  })
  const isAskedAgain = async () => {
    const [task] = await rig.sql(`select unknown_answers from payment_tasks where task = 'RAIL'`)
    return answers.length === 0 && task?.['unknown_answers'] === 3
  }
  await waitUntil(isAskedAgain, { timeoutMs: 15_000, what: 'three more answers' })
  await worker.stop()
  assert.deepEqual(await evidenceOf(rig, key), [
    'SUBMIT UNKNOWN',
    'INQUIRE UNKNOWN',
    'INQUIRE WAITING',
    'INQUIRE UNKNOWN',
  ])
})

test('the same answer many times in a row is one row, and one payment never fills the table', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  const heard = {
    ...key,
    question: 'INQUIRE',
    contradicts: false,
    digest: undefined,
    askedAt: undefined,
  } as const
  for (let time = 0; time < 5; time += 1)
    await insertInquiries(rig.db, [{ ...heard, answer: 'WAITING', reasonCode: undefined }])
  const [only, ...none] = await rig.service.listInquiries(key)
  assert.deepEqual([only?.times, none], [5, []])
  for (let time = 0; time < INQUIRIES_KEPT_MAX + 20; time += 1)
    await insertInquiries(rig.db, [{ ...heard, answer: 'UNKNOWN', reasonCode: `C${time}` }])
  const kept = await rig.service.listInquiries(key)
  assert.equal(kept.length, INQUIRIES_KEPT_MAX)
  assert.equal(kept.at(-1)?.reasonCode, `C${INQUIRIES_KEPT_MAX + 19}`)
})

test('what an institution tells unasked is kept of outgoing payments, and of all that it contradicts', async (t) => {
  const rig = await openRig(t)
  const deps = { db: rig.db, log: createLog({ level: 'silent' }), payments: rig.service }
  const told = (report: typeof PAID | typeof NO) =>
    ({ report, actor: 'rail:test', evidence: { class: 'RAIL' }, question: 'NOTIFICATION' }) as const
  const out = await payout(rig)
  assert.equal((await putForward(deps, out, told(NO))).kind, 'CHANGED')
  assert.equal((await putForward(deps, out, told(NO))).kind, 'SAME')
  assert.equal((await putForward(deps, out, told(PAID))).kind, 'REFUSED')
  assert.deepEqual(await evidenceOf(rig, out), [
    'NOTIFICATION FAILED ACCOUNT_CLOSED',
    'NOTIFICATION SUCCEEDED',
    'NOTIFICATION SUCCEEDED CONTRADICTS',
  ])
  assert.equal(await phaseOf(rig, out), 'IN_REVIEW')
  const incoming = await accepted(rig)
  await putForward(deps, incoming, told(PAID))
  assert.deepEqual(await evidenceOf(rig, incoming), [])
  await putForward(deps, incoming, told(NO))
  assert.deepEqual(await evidenceOf(rig, incoming), ['NOTIFICATION FAILED ACCOUNT_CLOSED CONTRADICTS'])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('money that came back, of a payment whose leaving we never heard of, is for people', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  rig.startWorker({
    rail: railThat(() => ({ kind: 'RETURNED', code: 'RETURNED', message: 'It came back.' })),
  })
  await reaches(rig, key, 'IN_REVIEW')
  assert.equal((await rig.service.find(key))?.status, 'CREATED')
})

test('evidence names nobody: a payer leaves no trace in it', async (t) => {
  const rig = await openRig(t)
  const deps = { db: rig.db, log: createLog({ level: 'silent' }), payments: rig.service }
  const digests: unknown[] = []
  for (const accountName of ['Jana Nováková', 'Somebody Else']) {
    const key = await accepted(rig)
    await rig.service.propose(key, { status: 'CANCELLED', actor: 'rail:test', evidence: { class: 'RAIL' } })
    const report = { ...PAID, payer: { accountName, accountNumber: 'DE89370400440532013000' } }
    await putForward(deps, key, {
      report,
      actor: 'rail:test',
      evidence: { class: 'RAIL' },
      question: 'STATEMENT',
    })
    const [inquiry] = await rig.service.listInquiries(key)
    digests.push(inquiry?.digest?.toString('hex'))
    assert.doesNotMatch(JSON.stringify(inquiry), /Jana|Somebody|DE89/)
  }
  assert.equal(digests[0], digests[1])
})

test('what waits for people, or for an answer, can be given a wrong expiry by nobody', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  const worker = rig.startWorker({ rail: railThat(() => UNKNOWN) })
  await reaches(rig, key, 'UNKNOWN')
  await worker.stop()
  await endTimeToPay(rig)
  assert.equal((await rig.service.propose(key, EXPIRED)).kind, 'REFUSED')
  assert.equal(WAITING.kind, 'WAITING')
})
