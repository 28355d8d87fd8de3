import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formTokenOf } from '../src/session.ts'
import { type Heard, openRig, PAYOUT, payoutsOf, SESSION, selfWith } from './support.ts'

// The desk of payouts: everything that waits is there, and of what does not, its true state is said.

const WAITING = Array.from({ length: 114 }, (_, index) => ({
  ...PAYOUT,
  idPayout: `OUT-${String(index).padStart(3, '0')}`,
  process: {
    ...PAYOUT.process,
    createdAt: `2026-11-21T${10 + Math.floor(index / 60)}:${String(index % 60).padStart(2, '0')}:00.000Z`,
  },
}))

/** As the operator API has it: the newest first, in pages; one that is named is by itself. */
const apiWith =
  (payouts: readonly (typeof PAYOUT)[]) =>
  ({ query }: Heard) => {
    const idPayout = query.get('idPayout')
    const kept = payouts.filter(
      (payout) =>
        payout.kind === query.get('kind') &&
        (idPayout === null || payout.idPayout === idPayout) &&
        (query.get('status') === null || payout.process.processorStatus === query.get('status')),
    )
    const from = Number(query.get('cursor') ?? 0)
    const to = from + Number(query.get('limit') ?? 100)
    const data = kept.toReversed().slice(from, to)
    return { body: { data, ...(to < kept.length && { nextCursor: String(to) }) } }
  }

const inPhase = (processorStatus: string, status = 'CREATED') => ({
  ...PAYOUT,
  process: { ...PAYOUT.process, status, processorStatus },
})

test('the queue has what is beyond the first page, in its count, its sum and its order', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payouts': apiWith(WAITING) })
  const text = await (await rig.get('/payouts')).text()
  assert.match(text, /114 wait for approval, 2,827,200\.00 EUR/)
  assert.match(text, /aria-current="true"><b class="code">OUT-000</)
  assert.match(text, /<span class="tally">114</)
})

test('of more than are read, the queue says that they are the newest', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/payouts': apiWith(Array.from({ length: 501 }, () => PAYOUT)),
  })
  const text = await (await rig.get('/payouts')).text()
  assert.match(text, /At least 500 wait for approval/)
  assert.match(text, /<span class="tally">500\+</)
  assert.match(text, /These are only the newest 500\./)
})

test('a payout that is not among those that were read can be decided by its address', async (t) => {
  const old = { ...PAYOUT, idPayout: 'OLD-1' }
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('payouts.approve'),
    'GET /operator/payouts': apiWith([old, ...Array.from({ length: 501 }, () => PAYOUT)]),
  })
  const text = await (await rig.get('/payouts/PAYOUT/SHOP/OLD-1')).text()
  assert.match(text, /formaction="\/payouts\/PAYOUT\/SHOP\/OLD-1\/approve"/)
})

test('a payout of another queue or of none is said to be what it is, and one that does not exist is not found', async (t) => {
  const path = '/payouts/PAYOUT/SHOP/OUT-1'
  const rig = await openRig(t, { 'GET /operator/payouts': apiWith([inPhase('ON_HOLD')]) })
  const held = await (await rig.get(path)).text()
  assert.match(
    held,
    /Not in this queue[\s\S]*On hold[\s\S]*href="\/payouts\/PAYOUT\/SHOP\/OUT-1\?status=ON_HOLD"/,
  )
  assert.match(await (await rig.get(`${path}?status=ON_HOLD`)).text(), /to release or cancel it/)
  rig.answers['GET /operator/payouts'] = apiWith([inPhase('ON_HOLD', 'CANCELLED')])
  const cancelled = await (await rig.get(path)).text()
  assert.match(cancelled, /Not in this queue[\s\S]*Cancelled[\s\S]*href="\/payments\/PAYOUT\/SHOP\/OUT-1"/)
  const absent = await rig.get('/payouts/PAYOUT/SHOP/MADE-UP')
  assert.equal(absent.status, 410)
  assert.match(await absent.text(), /SHOP has no payout MADE-UP\./)
})

test('times of holds and approvals say their year and their zone', async (t) => {
  const happenedAt = '2026-11-20T19:35:22.000Z'
  const holds = [{ event: 'HELD', cause: 'OPERATOR', operatorCode: 'ada', reason: 'checked', happenedAt }]
  const approvals = [{ operatorCode: 'grace', decidedAt: happenedAt }]
  const rig = await openRig(t, { 'GET /operator/payouts': payoutsOf({ ...PAYOUT, holds, approvals }) })
  const text = await (await rig.get('/payouts')).text()
  assert.match(text, /by <span class="code">ada<\/span>, 20 Nov 2026, 19:35:22 UTC: checked/)
  assert.match(text, /grace approved, 20 Nov 2026, 19:35:22 UTC/)
})

test('what follows an approval is said as the payout has it', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('payouts.approve'),
    'POST /operator/payouts/SHOP/OUT-1/!approve': { body: PAYOUT },
  })
  const after = async (payout: typeof PAYOUT): Promise<string> => {
    rig.answers['GET /operator/payouts'] = apiWith([payout])
    const form = { formToken: formTokenOf(SESSION), contentHash: PAYOUT.contentHash, reason: 'Checked.' }
    const answer = await rig.post('/payouts/PAYOUT/SHOP/OUT-1/approve', form)
    const text = await (await rig.get(answer.headers.get('location') ?? '')).text()
    return /Approved\.[^<]*/.exec(text)?.[0] ?? ''
  }
  assert.equal(await after(PAYOUT), 'Approved. Another operator approves it, too.')
  assert.equal(await after(inPhase('QUEUED')), 'Approved. The payout is on its way.')
  assert.equal(await after(inPhase('ON_HOLD')), 'Approved.')
  assert.equal(await after(inPhase('AWAITING_APPROVAL', 'CANCELLED')), 'Approved.')
})

test('a payment that needs approval or is on hold leads to where that is decided', async (t) => {
  const names = { kind: 'PAYOUT', merchantCode: 'SHOP', idPayment: 'OUT-1' }
  const { money, fee, paymentMethodCode, expireAt } = PAYOUT
  const payment = {
    ...names,
    money,
    fee,
    paymentMethodCode,
    expireAt,
    reference: 'R-1',
    process: PAYOUT.process,
    timeline: [],
    callbacks: [],
  }
  const rig = await openRig(t, {
    'GET /operator/payments/PAYOUT/SHOP/OUT-1/history': { body: { ...names, data: [] } },
  })
  const shown = async (phase: string, status?: string): Promise<string> => {
    const { process } = inPhase(phase, status)
    rig.answers['GET /operator/payouts/SHOP/OUT-1'] = { body: { ...payment, process } }
    return (await rig.get('/payments/PAYOUT/SHOP/OUT-1')).text()
  }
  assert.match(await shown('AWAITING_APPROVAL'), /href="\/payouts\/PAYOUT\/SHOP\/OUT-1"/)
  assert.match(await shown('QUEUED'), /Open until, UTC/)
  assert.match(await shown('ON_HOLD'), /href="\/payouts\/PAYOUT\/SHOP\/OUT-1\?status=ON_HOLD"/)
  assert.doesNotMatch(await shown('ON_HOLD', 'CANCELLED'), /href="\/payouts\//)
  // A release leads back to where the payment was stopped.
  const released = async (): Promise<string> =>
    (await rig.get('/payments/PAYOUT/SHOP/OUT-1?done=released')).text()
  await shown('AWAITING_APPROVAL')
  assert.match(await released(), /Released: the payment needs approval, as before\./)
  await shown('QUEUED')
  assert.match(await released(), /Released\.</)
})
