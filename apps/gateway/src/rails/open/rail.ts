import { type Money, parsePlainAmount } from '@tollgate/money'
import {
  customerPagePath,
  deriveKeys,
  type HandOverRequest,
  notificationPath,
  type PaymentState,
  type ProtocolMoney,
  readNotice,
  SECRET_BYTES_MIN,
  verifyRequest,
} from '@tollgate/rail-protocol'
import type { Clock } from '@tollgate/runtime'
import type { Log } from '@tollgate/runtime/log'
import type { OutboundClient } from '../../platform/outbound/index.ts'
import type {
  InboundNotification,
  NotificationReading,
  Plan,
  Rail,
  RailCapabilities,
  RailPayment,
  RailReport,
} from '../rail.ts'
import { createAdapter, type Reply } from './adapter.ts'

/** An institution that is reached through an adapter, which speaks the open rail protocol. */
export interface OpenRailOptions {
  readonly code: string
  /** The name of the shared secret, so that the adapter knows which one is meant. */
  readonly keyId: string
  /** At least 32 bytes, shared with the adapter alone. */
  readonly secret: Uint8Array
  /** Where the adapter is; it may have a path. */
  readonly baseUrl: string
  /** Where customers are sent; may differ from the adapter's address. */
  readonly customerUrl: string
  readonly directions: RailCapabilities['directions']
  /** How customers pay; nothing for an institution that only pays out. */
  readonly flows: readonly ('REDIRECT' | 'REFERENCE')[]
  readonly outbound: Pick<OutboundClient, 'call'>
  readonly clock: Pick<Clock, 'nowMs'>
  /** Told why an answer is not believed. Not needed by those who ask nothing. */
  readonly log?: Pick<Log, 'warn'> | undefined
}

const UNKNOWN_SECONDS = 5
const UNKNOWN: RailReport = { kind: 'UNKNOWN', askAgainSeconds: UNKNOWN_SECONDS }

/** Builds the rail of one institution. Throws RangeError for a secret that is too short. */
export function createOpenRail(options: OpenRailOptions): Rail {
  if (options.secret.length < SECRET_BYTES_MIN)
    throw new RangeError(`the secret of the rail ${options.code} has fewer than ${SECRET_BYTES_MIN} bytes`)
  const keys = deriveKeys(options.secret)
  const adapter = createAdapter({ ...options, keys })
  const { code, flows, directions } = options
  const reported = (reply: Reply, about: AskedAbout): RailReport => {
    const why = doubtOf(reply, about.payment)
    if (why !== undefined)
      options.log?.warn({ rail: code, why }, 'an answer of the adapter of a rail is not believed')
    return reportOnReply(reply, about)
  }
  return {
    code,
    capabilities: { directions, flows, cancels: true },
    plan: (payment) => planFor(options, payment),
    async advance(payment, { ageSeconds }, signal) {
      const reply = await adapter.handOver(payment.reference, handOverOf(payment), signal)
      // No connection came about: nothing has arrived, so nothing has happened.
      if (reply.kind === 'UNSENT')
        return { kind: 'WAITING', askAgainSeconds: restSeconds(ageSeconds), isUnsent: true }
      if (!isConflict(reply)) return reported(reply, { payment, ageSeconds })
      // It is known with other content, such as a customer that was erased since: what counts is what became of it.
      return reported(await adapter.inquire(payment.reference, signal), { payment, ageSeconds })
    },
    async submit(payment, signal) {
      const reply = await adapter.handOverPatiently(payment.reference, handOverOf(payment), signal)
      return reported(reply, { payment, ageSeconds: 0 })
    },
    async inquire(payment, { ageSeconds, isPaid }, signal) {
      const reply = await adapter.inquire(payment.reference, signal)
      // The 404 is signed for this very question: an old one, or another server's, is UNPROVEN.
      if (reply.kind === 'MISSING' && payment.kind === 'PAYOUT') return { ...UNKNOWN, isAbsent: true }
      return whilePaid(isPaid, reported(reply, { payment, ageSeconds }))
    },
    async cancel(payment, signal) {
      const reply = await adapter.cancel(payment.reference, signal)
      return reply.kind === 'REFUSED' ? UNKNOWN : reported(reply, { payment, ageSeconds: 0 })
    },
    readNotification: (notification) =>
      readNotification({ code, keyId: options.keyId, key: keys.institution }, notification),
  }
}

function planFor({ customerUrl, flows }: OpenRailOptions, payment: RailPayment): Plan {
  if (payment.kind === 'PAYOUT') return { instructions: {}, startsAtOnce: true }
  const awaitsReference = flows.includes('REFERENCE') && !flows.includes('REDIRECT')
  if (awaitsReference) return { instructions: {}, startsAtOnce: true, awaitsReference }
  const page = new URL(customerUrl)
  page.pathname = customerPagePath(page.pathname, payment.reference)
  return { instructions: { redirectUrl: page.href }, startsAtOnce: true }
}

function handOverOf(payment: RailPayment): HandOverRequest {
  const { reference, merchantCode, money, methodCode, operatorCode, returnUrl, expireAt } = payment
  return {
    reference,
    direction: payment.kind,
    merchantCode,
    money,
    methodCode,
    ...(operatorCode !== undefined && { operatorCode }),
    customer: payment.customer,
    ...(returnUrl !== undefined && { returnUrl }),
    ...(expireAt !== undefined && payment.kind !== 'PAYOUT' && { expireAt: expireAt.toISOString() }),
  }
}

const isConflict = (reply: Reply): boolean => reply.kind === 'REFUSED' && reply.status === 409

interface AskedAbout {
  readonly payment: RailPayment
  readonly ageSeconds: number
}

/** What is wrong with an answer that came. It names members, and never what they hold: that may be somebody's name. */
function doubtOf(reply: Reply, payment: RailPayment): string | undefined {
  if (reply.kind === 'UNPROVEN') return reply.why
  return reply.kind === 'STATE' && !fits(reply.state, payment)
    ? 'reference, merchantCode or direction is not that of the payment'
    : undefined
}

/** Only the institution's own, proven word ends a payment; everything else leaves its outcome unknown. */
function reportOnReply(reply: Reply, { payment, ageSeconds }: AskedAbout): RailReport {
  switch (reply.kind) {
    case 'STATE':
      return fits(reply.state, payment) ? reportOn(reply.state, ageSeconds) : UNKNOWN
    case 'REFUSED':
      return { kind: 'FAILED', code: reply.code, message: reply.message }
    case 'MISSING':
    case 'UNSENT':
    case 'UNPROVEN':
      return UNKNOWN
  }
}

/** A payout that has succeeded is watched as long as the institution asks for it: its money may come back. */
function whilePaid(isPaid: boolean, report: RailReport): RailReport {
  if (!isPaid || report.kind !== 'SUCCEEDED') return report
  return { kind: 'WAITING', askAgainSeconds: report.watchSeconds }
}

function readNotification(
  { code, keyId, key }: { code: string; keyId: string; key: Parameters<typeof verifyRequest>[0] },
  { headers, body, receivedAtMs }: InboundNotification,
): NotificationReading {
  const path = notificationPath(code)
  const verdict = verifyRequest(key, { keyId, method: 'POST', path, headers, body, nowMs: receivedAtMs })
  if (!verdict.ok) return { kind: 'FORGED', why: verdict.why }
  const reading = readNotice(body)
  if (!reading.ok) return { kind: 'UNREADABLE', why: reading.why }
  const { idNotification, payment } = reading.message
  return {
    kind: 'NOTICE',
    idNotification,
    reference: payment.reference,
    merchantCode: payment.merchantCode,
    direction: payment.direction,
    money: moneyOf(payment.money),
    report: reportOn(payment, 0),
  }
}

type Report = Extract<NotificationReading, { kind: 'NOTICE' }>['report']

const ASK_AGAIN_SECONDS_MIN = 15
const ASK_AGAIN_SECONDS_MAX = 900
/** An old payment is asked for rarely: a quarter of its age passes between two questions. */
const ASK_AGAIN_SHARE = 4

/** Whether the state is the one of this payment, and not of another that was confused with it. */
function fits(state: PaymentState, payment: RailPayment): boolean {
  return (
    state.reference === payment.reference &&
    state.merchantCode === payment.merchantCode &&
    state.direction === payment.kind
  )
}

/**
 * What follows from a state that is proven to be the institution's. What arrived is told as it arrived, whatever was
 * ordered: whoever knows the payment compares.
 */
function reportOn(state: PaymentState, ageSeconds: number): Report {
  const { status, askAgainSeconds } = state
  switch (status) {
    case 'PENDING':
      // Notifications get lost, so the payment is asked for even where the institution did not say when.
      return { kind: 'WAITING', askAgainSeconds: askAgainSeconds ?? restSeconds(ageSeconds) }
    case 'SUCCEEDED':
      return {
        kind: 'SUCCEEDED',
        received: moneyOf(state.received ?? state.money),
        ...(state.payer !== undefined && { payer: state.payer }),
        ...watchOf(state),
      }
    case 'CANCELLED':
      return { kind: 'CANCELLED', message: whyOf(state).message }
    case 'FAILED':
    case 'RETURNED':
      return { kind: status, ...whyOf(state) }
  }
}

/** Money that went out may come back. */
function watchOf({ direction, askAgainSeconds }: PaymentState): { readonly watchSeconds?: number } {
  return direction === 'PAYOUT' && askAgainSeconds !== undefined ? { watchSeconds: askAgainSeconds } : {}
}

const WITHOUT_REASON = {
  FAILED: { code: 'DECLINED', message: 'The institution declined the payment.' },
  CANCELLED: { code: 'CANCELLED', message: 'The payment was cancelled at the institution.' },
  RETURNED: { code: 'RETURNED', message: 'The institution sent the money back.' },
} as const

function whyOf({ status, reason }: PaymentState): { readonly code: string; readonly message: string } {
  if (reason !== undefined) return reason
  return status === 'PENDING' || status === 'SUCCEEDED' ? WITHOUT_REASON.FAILED : WITHOUT_REASON[status]
}

/** Money of the wire in its one canonical form: the schema has let plain decimals through, and nothing else. */
function moneyOf({ amount, currencyCode }: ProtocolMoney): Money {
  return { amount: parsePlainAmount(amount), currencyCode }
}

/** When to ask again about a payment of this age, in seconds, where nobody else says so. */
function restSeconds(ageSeconds: number): number {
  const seconds = Math.ceil(ageSeconds / ASK_AGAIN_SHARE)
  return Math.min(ASK_AGAIN_SECONDS_MAX, Math.max(ASK_AGAIN_SECONDS_MIN, seconds))
}
