import type { HandOverRequest } from '@tollgate/rail-protocol'
import {
  deriveKeys,
  notificationPath,
  type PaymentState,
  readHandOver,
  signAnswer,
  signatureOf,
  signRequest,
} from '@tollgate/rail-protocol'
import type { IncomingMessage } from '../../modules/notifications/service.ts'
import type { OutboundAnswer, OutboundCall, OutboundClient } from '../../platform/outbound/index.ts'
import type { Faults } from './faults.ts'
import type { Life, VirtualTime } from './time.ts'

export const RAIL_CODE = 'bank'
export const RAIL_KEY_ID = 'bank-1'
export const RAIL_SECRET = Buffer.alloc(32, 4)

/** A payment as the institution has it: the truth about the money. */
export interface BankPayment {
  readonly asked: HandOverRequest
  status: PaymentState['status']
  /** What moved in fact, where it is other money than was asked for. */
  received: PaymentState['received']
  /** What people read on paper, which the institution does not say when it is asked; undefined for nothing. */
  onPaper: 'SUCCEEDED' | 'FAILED' | 'RETURNED' | undefined
  /** How often it was handed over; each time would move the money of a payout. */
  handOvers: number
  askAgainSeconds: number | undefined
  updatedAtMs: number
}

/** An institution with books of its own, at the other end of the open rail protocol. */
export interface Bank {
  /** What a process of the gateway has of it. */
  outbound(life: Life): Pick<OutboundClient, 'call'>
  readonly payments: ReadonlyMap<string, BankPayment>
  /** What the institution or its customer decides. Nothing happens to a payment that has ended, but for its return. */
  decide(reference: string, status: PaymentState['status'], received?: PaymentState['received']): void
  /** The same, and only people can read it. Whether that is what they read then. */
  decideOnPaper(reference: string, status: 'SUCCEEDED' | 'FAILED' | 'RETURNED'): boolean
  /** A message about the payment as it is now, or is claimed to be; `no` tells messages apart. */
  messageOf(reference: string, no: string, claimed?: Partial<PaymentState>): IncomingMessage | undefined
}

interface BankDeps {
  readonly time: VirtualTime
  readonly faults: Faults
  /** From a request's arrival to its answer, in milliseconds. */
  readonly latencyMs: () => number
  /** Is told of each payment that is new here. */
  readonly onHandOver: (reference: string, payment: BankPayment) => void
}

const keys = deriveKeys(RAIL_SECRET)

export function createBank(deps: BankDeps): Bank {
  const payments = new Map<string, BankPayment>()
  const books = { ...deps, payments }
  return {
    payments,
    outbound: (life) => ({ call: (request) => call(books, life, request) }),
    decide(reference, status, received) {
      const payment = payments.get(reference)
      if (payment?.status !== (status === 'RETURNED' ? 'SUCCEEDED' : 'PENDING')) return
      // Both tell of the same money.
      const { onPaper } = payment
      if (onPaper !== undefined && (onPaper !== status || received !== undefined)) return
      Object.assign(payment, { status, received, updatedAtMs: deps.time.nowMs() })
    },
    decideOnPaper(reference, status) {
      const payment = payments.get(reference)
      if (payment === undefined || payment.received !== undefined) return false
      const before = payment.onPaper ?? payment.status
      // What had failed may have been paid after all, as paper says later.
      const isAfterAll = status === 'SUCCEEDED' && (before === 'FAILED' || before === 'CANCELLED')
      if (isAfterAll || before === (status === 'RETURNED' ? 'SUCCEEDED' : 'PENDING')) payment.onPaper = status
      return before === status || payment.onPaper === status
    },
    messageOf(reference, no, claimed = {}) {
      const payment = payments.get(reference)
      if (payment === undefined) return undefined
      const body = JSON.stringify({ idNotification: no, payment: { ...stateOf(payment), ...claimed } })
      const signed = signRequest(keys.institution, {
        keyId: RAIL_KEY_ID,
        method: 'POST',
        path: notificationPath(RAIL_CODE),
        body,
        timestampSeconds: Math.floor(deps.time.nowMs() / 1_000),
      })
      const headers = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value] as const)
      return { headers: Object.fromEntries(headers), body: Buffer.from(body), address: '192.0.2.7' }
    },
  }
}

type Books = BankDeps & { readonly payments: Map<string, BankPayment> }

function stateOf({ asked, status, received, askAgainSeconds, updatedAtMs }: BankPayment): PaymentState {
  const { reference, merchantCode, direction, money } = asked
  return {
    reference,
    merchantCode,
    direction,
    status,
    money,
    institutionReference: `BANK-${reference}`,
    ...(received !== undefined && { received }),
    ...(askAgainSeconds !== undefined && { askAgainSeconds }),
    updatedAt: new Date(updatedAtMs).toISOString(),
  }
}

const failed = (mayHaveArrived: boolean, tookMs: number): OutboundAnswer => ({
  kind: 'failed',
  reason: mayHaveArrived ? 'timeout' : 'refused',
  message: 'no answer',
  tookMs,
  mayHaveArrived,
})

async function call(books: Books, life: Life, request: OutboundCall): Promise<OutboundAnswer> {
  const { time, faults, latencyMs } = books
  const { deadlineMs, signal } = request
  const wait = (ms: number, of?: Life): Promise<void> =>
    new Promise((resolve) => {
      const timer = time.after(ms, resolve, of)
      signal?.addEventListener('abort', () => {
        timer.cancel()
        resolve()
      })
    })
  life.callsUnderWay += 1
  try {
    const fault = faults.at(life, `bank ${request.method}`)
    if (fault === 'CRASH_BEFORE') return await faults.crash(life)
    if (fault === 'UNAVAILABLE') return failed(false, 0)
    if (fault === 'REQUEST_LOST') {
      await wait(deadlineMs, life)
      return failed(true, deadlineMs)
    }
    // What is on its way arrives, whoever has died meanwhile.
    await wait(latencyMs())
    const given = reply(books, request)
    if (fault === 'CRASH_AFTER') return await faults.crash(life)
    if (fault === 'ANSWER_LOST') await wait(deadlineMs, life)
    await wait(latencyMs(), life)
    return fault === 'ANSWER_LOST' ? failed(true, deadlineMs) : given
  } finally {
    life.callsUnderWay -= 1
  }
}

/** What the institution says, signed and bound to its request. */
function reply(books: Books, request: OutboundCall): OutboundAnswer {
  const reference = new URL(request.url).pathname.split('/')[2] ?? ''
  const before = books.payments.get(reference)
  const payment = request.method === 'PUT' ? take(books, reference, request.body ?? '') : before
  const status = payment === undefined ? 404 : before === undefined ? 201 : 200
  const body = JSON.stringify(
    payment === undefined ? { code: 'NOT_FOUND', message: 'No such payment.' } : stateOf(payment),
  )
  const requestSignature = signatureOf(request.headers)
  const signed = signAnswer(keys.institution, {
    status,
    requestSignature,
    body,
    timestampSeconds: Math.floor(books.time.nowMs() / 1_000),
  })
  const headers = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { kind: 'answered', status, tookMs: 1, bodyStart: body, headers: Object.fromEntries(headers) }
}

function take({ payments, time, onHandOver }: Books, reference: string, body: string): BankPayment {
  const known = payments.get(reference)
  if (known !== undefined) {
    known.handOvers += 1
    return known
  }
  const reading = readHandOver(Buffer.from(body))
  if (!reading.ok) throw new Error(reading.why)
  const payment: BankPayment = {
    asked: reading.message,
    status: 'PENDING',
    received: undefined,
    onPaper: undefined,
    handOvers: 1,
    askAgainSeconds: undefined,
    updatedAtMs: time.nowMs(),
  }
  payments.set(reference, payment)
  onHandOver(reference, payment)
  return payment
}
