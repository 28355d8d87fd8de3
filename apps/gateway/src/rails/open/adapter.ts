import { setTimeout as sleep } from 'node:timers/promises'
import {
  type HandOverRequest,
  type PaymentState,
  PROTOCOL_BODY_BYTES_MAX,
  type ProtocolKeys,
  paymentPath,
  readProblem,
  readState,
  signatureOf,
  signRequest,
  verifyAnswer,
} from '@tollgate/rail-protocol'
import type { Clock } from '@tollgate/runtime'
import type { OutboundAnswer, OutboundClient } from '../../platform/outbound/index.ts'

/** What an adapter replied, as far as it is proven. */
export type Reply =
  | { readonly kind: 'STATE'; readonly state: PaymentState }
  /** It refuses the payment: 400 or 409. */
  | { readonly kind: 'REFUSED'; readonly status: 400 | 409; readonly code: string; readonly message: string }
  /** It does not know the reference. That is not to say that it never will: what was sent may still be on its way. */
  | { readonly kind: 'MISSING' }
  /** No connection came about, so not a byte has reached it. */
  | { readonly kind: 'UNSENT' }
  /** No answer, or none that proves to be the adapter's to this question. */
  | { readonly kind: 'UNPROVEN' }

/** The requests of the protocol. None throws: trouble of any kind is a reply. */
interface Adapter {
  handOver(reference: string, payment: HandOverRequest, signal: AbortSignal): Promise<Reply>
  /** Tries again while no connection comes about, as long as there is time: the adapter may just be starting. */
  handOverPatiently(reference: string, payment: HandOverRequest, signal: AbortSignal): Promise<Reply>
  inquire(reference: string, signal: AbortSignal): Promise<Reply>
  cancel(reference: string, signal: AbortSignal): Promise<Reply>
}

interface AdapterOptions {
  readonly keyId: string
  readonly keys: ProtocolKeys
  readonly baseUrl: string
  readonly outbound: Pick<OutboundClient, 'call'>
  readonly clock: Pick<Clock, 'nowMs'>
}

interface Question {
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  readonly body: string
  readonly signal: AbortSignal
}

/** A rail is given up after 20 s; an answer is awaited for less, so that it can still be used. */
const DEADLINE_MS = 15_000
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000] as const

/** Builds the client of an adapter. */
export function createAdapter(options: AdapterOptions): Adapter {
  const pathOf = (reference: string, action?: 'cancel'): string =>
    paymentPath(new URL(options.baseUrl).pathname, reference, action)
  const handOver: Adapter['handOver'] = (reference, payment, signal) =>
    ask(options, { method: 'PUT', path: pathOf(reference), body: JSON.stringify(payment), signal })
  return {
    handOver,
    async handOverPatiently(reference, payment, signal) {
      for (const pauseMs of PAUSES_MS) {
        const reply = await handOver(reference, payment, signal)
        if (reply.kind !== 'UNSENT' || signal.aborted) return reply
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      }
      return signal.aborted ? { kind: 'UNSENT' } : handOver(reference, payment, signal)
    },
    inquire: (reference, signal) =>
      ask(options, { method: 'GET', path: pathOf(reference), body: '', signal }),
    cancel: (reference, signal) =>
      ask(options, { method: 'POST', path: pathOf(reference, 'cancel'), body: '', signal }),
  }
}

async function ask(options: AdapterOptions, { method, path, body, signal }: Question): Promise<Reply> {
  const { keyId, keys, clock, outbound } = options
  const timestampSeconds = Math.floor(clock.nowMs() / 1000)
  const signed = signRequest(keys.gateway, { keyId, method, path, timestampSeconds, body })
  const answer = await outbound.call({
    method,
    url: new URL(path, options.baseUrl).href,
    headers: { ...signed, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { body }),
    deadlineMs: DEADLINE_MS,
    bodyBytesMax: PROTOCOL_BODY_BYTES_MAX,
    signal,
  })
  if (answer.kind === 'failed') return { kind: answer.mayHaveArrived ? 'UNPROVEN' : 'UNSENT' }
  const { status, headers, bodyStart } = answer
  const verdict = verifyAnswer(keys.institution, {
    ...{ status, headers, body: bodyStart },
    requestSignature: signatureOf(signed),
    nowMs: clock.nowMs(),
  })
  return verdict.ok ? replyFrom(answer) : { kind: 'UNPROVEN' }
}

/** Of an answer that is proven. */
function replyFrom({ status, bodyStart }: Extract<OutboundAnswer, { kind: 'answered' }>): Reply {
  const body = Buffer.from(bodyStart)
  switch (status) {
    case 200:
    case 201: {
      const reading = readState(body)
      return reading.ok ? { kind: 'STATE', state: reading.message } : { kind: 'UNPROVEN' }
    }
    case 400:
    case 409: {
      const reading = readProblem(body)
      return reading.ok ? { kind: 'REFUSED', status, ...reading.message } : { kind: 'UNPROVEN' }
    }
    case 404:
      return { kind: 'MISSING' }
    default:
      return { kind: 'UNPROVEN' }
  }
}
