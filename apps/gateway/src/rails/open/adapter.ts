import { setTimeout as sleep } from 'node:timers/promises'
import {
  type HandOverRequest,
  type PaymentState,
  paymentPath,
  readProblem,
  readState,
} from '@tollgate/rail-protocol'
import { type AdapterAddress, callAdapter } from '../../platform/outbound/index.ts'

/** What an adapter replied, as far as it is proven. */
export type Reply =
  | { readonly kind: 'STATE'; readonly state: PaymentState }
  /** It refuses the payment: 400 or 409. */
  | { readonly kind: 'REFUSED'; readonly status: 400 | 409; readonly code: string; readonly message: string }
  /** It does not know the reference. That is not to say that it never will: what was sent may still be on its way. */
  | { readonly kind: 'MISSING' }
  /** No connection came about, so not a byte has reached it. */
  | { readonly kind: 'UNSENT' }
  /** No answer, or one that does not prove to be the adapter's to this question; `why` says what is wrong with it. */
  | { readonly kind: 'UNPROVEN'; readonly why?: string }

/** The requests of the protocol. None throws: trouble of any kind is a reply. */
interface Adapter {
  handOver(reference: string, payment: HandOverRequest, signal: AbortSignal): Promise<Reply>
  /** Tries again while no connection comes about, as long as there is time: the adapter may just be starting. */
  handOverPatiently(reference: string, payment: HandOverRequest, signal: AbortSignal): Promise<Reply>
  inquire(reference: string, signal: AbortSignal): Promise<Reply>
  cancel(reference: string, signal: AbortSignal): Promise<Reply>
}

const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000] as const

/** Builds the client of an adapter. */
export function createAdapter(options: AdapterAddress): Adapter {
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

async function ask(address: AdapterAddress, question: Parameters<typeof callAdapter>[1]): Promise<Reply> {
  const answer = await callAdapter(address, question)
  return answer.kind === 'PROVEN' ? replyFrom(answer) : answer
}

/** Of an answer that is proven. */
function replyFrom({ status, body }: { readonly status: number; readonly body: Uint8Array }): Reply {
  switch (status) {
    case 200:
    case 201: {
      const reading = readState(body)
      return reading.ok ? { kind: 'STATE', state: reading.message } : { kind: 'UNPROVEN', why: reading.why }
    }
    case 400:
    case 409: {
      const reading = readProblem(body)
      return reading.ok
        ? { kind: 'REFUSED', status, ...reading.message }
        : { kind: 'UNPROVEN', why: reading.why }
    }
    case 404:
      return { kind: 'MISSING' }
    default:
      return { kind: 'UNPROVEN', why: `the protocol has no answer with the status ${status}` }
  }
}
