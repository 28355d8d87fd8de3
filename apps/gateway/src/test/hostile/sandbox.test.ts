import type { TestContext } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import type { Rail, RailReport } from '../../rails/rail.ts'
import { createSandboxRail } from '../../rails/sandbox/index.ts'
import { type Met, testHostileInstitution } from './hostile.ts'
import { openHostileShop } from './shop.ts'

/** What becomes of the sandbox's own answer to a hand-over, and to a question. */
interface Spoiled {
  readonly submit?: (honest: RailReport, signal: AbortSignal) => Promise<RailReport>
  readonly inquire?: (honest: RailReport) => RailReport
  readonly until: string
}

/** The sandbox is its own institution: what it says is spoiled on the way to the gateway. */
async function meet(t: TestContext, { submit, inquire, until }: Spoiled): Promise<Met> {
  const honest = createSandboxRail({ simulatorUrl: 'https://simulator.example' })
  const moved: string[] = []
  const rail: Rail = {
    ...honest,
    async submit(payment, signal) {
      moved.push(payment.reference)
      const report = await honest.submit(payment, signal)
      return submit === undefined ? report : submit(report, signal)
    },
    async inquire(payment, progress, signal) {
      const report = await honest.inquire(payment, progress, signal)
      return inquire === undefined ? report : inquire(report)
    },
  }
  const shop = await openHostileShop(t, rail)
  const payout = await shop.payOut()
  await payout.until(until)
  return { ...(await payout.met()), moved: moved.length }
}

const hang = (_: RailReport, signal: AbortSignal): Promise<RailReport> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')))
  })

const MORE = { amount: parsePlainAmount('100.01'), currencyCode: 'EUR' }
const UNKNOWN: RailReport = { kind: 'UNKNOWN', askAgainSeconds: 0.05 }

testHostileInstitution('sandbox', {
  SILENT: {
    says: 'SUCCESS CONFIRMED',
    moved: 1,
    meet: (t) => meet(t, { submit: hang, until: 'SUCCESS CONFIRMED' }),
  },
  BROKEN: {
    says: 'SUCCESS CONFIRMED',
    moved: 1,
    meet: (t) =>
      meet(t, { submit: () => Promise.reject(new Error('502 Bad gateway')), until: 'SUCCESS CONFIRMED' }),
  },
  OTHERS: {
    says: 'CREATED IN_REVIEW',
    isWithPeople: true,
    moved: 1,
    meet: (t) =>
      meet(t, {
        submit: async () => ({ kind: 'SUCCEEDED', received: MORE }),
        inquire: () => ({ kind: 'SUCCEEDED', received: MORE }),
        until: 'CREATED IN_REVIEW',
      }),
  },
  FOREVER: {
    says: 'CREATED IN_REVIEW',
    isWithPeople: true,
    moved: 1,
    meet: (t) => meet(t, { submit: async () => UNKNOWN, inquire: () => UNKNOWN, until: 'CREATED IN_REVIEW' }),
  },
  TURNS: { cannot: 'it never speaks by itself, and what has failed is not asked for again' },
  TAKES_BACK: {
    says: 'REVERSED RETURNED',
    moved: 1,
    meet: (t) =>
      meet(t, {
        submit: async (honest) => (honest.kind === 'SUCCEEDED' ? { ...honest, watchSeconds: 0.05 } : honest),
        inquire: () => ({ kind: 'RETURNED', code: 'RETURNED', message: 'It came back.' }),
        until: 'REVERSED RETURNED',
      }),
  },
})
