import {
  PROTOCOL_BODY_BYTES_MAX,
  type ProtocolKeys,
  signatureOf,
  signRequest,
  verifyAnswer,
} from '@tollgate/rail-protocol'
import type { Clock } from '@tollgate/runtime'
import type { OutboundClient } from './client.ts'

/** An adapter of the open rail protocol, and the secret that it shares with the gateway. */
export interface AdapterAddress {
  /** The name of the shared secret, so that the adapter knows which one is meant. */
  readonly keyId: string
  readonly keys: ProtocolKeys
  /** It may have a path. */
  readonly baseUrl: string
  readonly outbound: Pick<OutboundClient, 'call'>
  readonly clock: Pick<Clock, 'nowMs'>
}

interface AdapterQuestion {
  readonly method: 'GET' | 'PUT' | 'POST'
  /** With the path of the base URL. */
  readonly path: string
  readonly body: string
  readonly signal: AbortSignal
}

/** What came back, as far as it is proven. */
type AdapterAnswer =
  | { readonly kind: 'PROVEN'; readonly status: number; readonly body: Uint8Array }
  /** No connection came about, so not a byte has reached it. */
  | { readonly kind: 'UNSENT'; readonly failure?: string }
  /** No answer, for which `failure` is the reason; or one that does not prove to be the adapter's to this question: `why` says what is wrong with it. */
  | { readonly kind: 'UNPROVEN'; readonly why?: string; readonly failure?: string }

/** A rail is given up after 20 s; an answer is awaited for less, so that it can still be used. */
const DEADLINE_MS = 15_000

/** Asks an adapter, signed, and believes nothing that is not signed for this very question. Does not throw. */
export async function callAdapter(
  { keyId, keys, baseUrl, outbound, clock }: AdapterAddress,
  { method, path, body, signal }: AdapterQuestion,
): Promise<AdapterAnswer> {
  const timestampSeconds = Math.floor(clock.nowMs() / 1000)
  const signed = signRequest(keys.gateway, { keyId, method, path, timestampSeconds, body })
  const answer = await outbound.call({
    method,
    url: new URL(path, baseUrl).href,
    headers: { ...signed, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { body }),
    deadlineMs: DEADLINE_MS,
    bodyBytesMax: PROTOCOL_BODY_BYTES_MAX,
    signal,
  })
  if (answer.kind === 'failed')
    return { kind: answer.mayHaveArrived ? 'UNPROVEN' : 'UNSENT', failure: answer.message }
  const { status, headers, bodyStart } = answer
  const verdict = verifyAnswer(keys.institution, {
    status,
    headers,
    body: bodyStart,
    requestSignature: signatureOf(signed),
    nowMs: clock.nowMs(),
  })
  return verdict.ok
    ? { kind: 'PROVEN', status, body: Buffer.from(bodyStart) }
    : { kind: 'UNPROVEN', why: verdict.why }
}
