import type { Rail, RailReport } from '../../rails/rail.ts'
import { openPayments, openWorker } from './installation.ts'

// A worker of its own for the tests, which can be killed at any moment: database and institution come by the environment.

const bank = process.env['BANK_URL'] ?? ''
const headers = { 'x-worker-pid': String(process.pid) }
const UNKNOWN: RailReport = { kind: 'UNKNOWN', askAgainSeconds: 0 }

const rail: Rail = {
  code: 'counting',
  capabilities: { directions: ['PAYOUT'], flows: [], cancels: false },
  plan: () => ({ instructions: {}, startsAtOnce: true }),
  advance: () => Promise.resolve(UNKNOWN),
  async submit({ reference, money }, signal) {
    await fetch(`${bank}/before/${reference}`, { headers, signal })
    const { ok } = await fetch(`${bank}/execute/${reference}`, { method: 'POST', headers, signal })
    return ok ? { kind: 'SUCCEEDED', received: money } : UNKNOWN
  },
  // That the institution does not know it is not to say that it never will.
  async inquire({ reference, money }, _progress, signal) {
    const { status } = await fetch(`${bank}/inquire/${reference}`, { headers, signal })
    return status === 200 ? { kind: 'SUCCEEDED', received: money } : UNKNOWN
  },
}

openWorker(openPayments(process.env['DATABASE_URL'] ?? ''), rail, {
  // Shorter than the latest answers: whoever comes next finds the payment handed over, and asks.
  leaseSeconds: 1,
  railDeadlineSeconds: 5,
  patienceSeconds: 3,
}).start()
