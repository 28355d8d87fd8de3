import type { TestContext } from 'node:test'
import type { PaymentState } from '@tollgate/rail-protocol'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { createNotificationIntake, createNotificationWorker } from '../../modules/notifications/index.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { type Mischief, notificationOf, startInstitution } from '../../rails/open/test/institution.ts'
import { MERCHANT_CODE } from '../support/shop.ts'
import { type Met, testHostileInstitution } from './hostile.ts'
import { openHostileShop } from './shop.ts'

type Institution = Awaited<ReturnType<typeof startInstitution>>

/** A payout by an institution whose answers a test spoils; it is over when `until` is what the gateway says. */
async function meet(
  t: TestContext,
  act: {
    readonly mischief: (institution: Institution) => Mischief
    readonly until: string
    /** What the institution says by itself afterwards, once the gateway says `until`; and what the gateway says then. */
    readonly news?: { readonly states: readonly PaymentState['status'][]; readonly until: string }
  },
): Promise<Met> {
  const institution = await startInstitution(t)
  const shop = await openHostileShop(t, institution.rail())
  institution.mischief = act.mischief(institution)
  const payout = await shop.payOut()
  await payout.until(act.until)
  if (act.news !== undefined) {
    await report(t, { institution, shop, states: act.news.states })
    await payout.until(act.news.until)
  }
  const moved = [...institution.states.values()].filter(
    ({ status }) => status !== 'PENDING' && status !== 'FAILED',
  )
  return { ...(await payout.met()), moved: moved.length }
}

/** The institution tells, and the gateway has heard it all. */
async function report(
  t: TestContext,
  {
    institution,
    shop,
    states,
  }: {
    readonly institution: Institution
    readonly shop: Awaited<ReturnType<typeof openHostileShop>>
    readonly states: readonly PaymentState['status'][]
  },
): Promise<void> {
  const rail = institution.rail()
  const deps = {
    ...shop,
    clock: systemClock,
    ids: randomIds,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    rails: new Map([[rail.code, rail]]),
  }
  const worker = createNotificationWorker({ ...deps, merchantCodeOf: () => Promise.resolve(MERCHANT_CODE) })
  t.after(() => worker.stop())
  const intake = createNotificationIntake({ ...deps, wakeWorker: () => worker.wake() })
  worker.start()
  const [known] = institution.states.values()
  if (known === undefined) throw new Error('the institution knows no payment')
  for (const [index, status] of states.entries()) {
    const payment = { ...known, status, ...failureOf(status) }
    institution.states.set(known.reference, payment)
    const { headers, body } = notificationOf(
      { idNotification: `N-${String(index)}`, payment },
      { isNow: true },
    )
    for (let round = 0; round < 3; round += 1)
      await intake.accept(rail.code, { headers, body: Buffer.from(body), address: '192.0.2.7' })
  }
  await shop.untilNoNews()
}

const failureOf = (status: PaymentState['status']): Partial<PaymentState> =>
  status === 'FAILED' || status === 'RETURNED' ? { reason: { code: 'DECLINED', message: 'No.' } } : {}

/** Whatever it is handed, it carries out at once. */
function carryOut(
  { states }: Institution,
  reference: string,
  status: PaymentState['status'] = 'SUCCEEDED',
): void {
  const known = states.get(reference)
  if (known !== undefined) states.set(reference, { ...known, status, ...failureOf(status) })
}

const onHandOver =
  (answer: ReturnType<Mischief>, status?: PaymentState['status']) =>
  (institution: Institution): Mischief =>
  (honest, { method, reference }) => {
    if (method !== 'PUT') return honest
    carryOut(institution, reference, status)
    return { body: institution.states.get(reference), ...answer }
  }

testHostileInstitution('open', {
  SILENT: {
    says: 'SUCCESS CONFIRMED',
    moved: 1,
    meet: (t) => meet(t, { mischief: onHandOver({ silent: true }), until: 'SUCCESS CONFIRMED' }),
  },
  BROKEN: {
    says: 'SUCCESS CONFIRMED',
    moved: 1,
    meet: (t) =>
      meet(t, {
        mischief: onHandOver({ status: 502, body: 'Bad gateway', sign: 'NOT' }),
        until: 'SUCCESS CONFIRMED',
      }),
  },
  OTHERS: {
    says: 'CREATED IN_REVIEW',
    isWithPeople: true,
    moved: 0,
    meet: (t) =>
      meet(t, {
        mischief: () => (honest) => ({
          body: {
            ...(typeof honest.body === 'object' && honest.body),
            reference: 'ANOTHER23456',
            status: 'SUCCEEDED',
          },
        }),
        until: 'CREATED IN_REVIEW',
      }),
  },
  FOREVER: {
    says: 'SUCCESS CONFIRMED',
    moved: 1,
    meet: (t) =>
      meet(t, {
        mischief: onHandOver({}),
        until: 'SUCCESS CONFIRMED',
        news: { states: Array.from({ length: 10 }, () => 'SUCCEEDED'), until: 'SUCCESS CONFIRMED' },
      }),
  },
  TURNS: {
    says: 'FAILED IN_REVIEW',
    isWithPeople: true,
    moved: 1,
    meet: (t) =>
      meet(t, {
        mischief: onHandOver({}, 'FAILED'),
        until: 'FAILED REJECTED',
        news: { states: ['SUCCEEDED', 'FAILED', 'SUCCEEDED'], until: 'FAILED IN_REVIEW' },
      }),
  },
  TAKES_BACK: {
    says: 'REVERSED RETURNED',
    moved: 1,
    meet: (t) =>
      meet(t, {
        mischief: onHandOver({}),
        until: 'SUCCESS CONFIRMED',
        news: { states: ['RETURNED', 'RETURNED'], until: 'REVERSED RETURNED' },
      }),
  },
})
