import { type CallbackEvent, CallbackInvalid, type Gateway, verifyCallback } from '@tollgate/sdk'
import type { WebhookInput } from './medusa.ts'

const KEYS_FRESH_MS = 60_000

/** Verifies callbacks. Keys are fetched when they are needed, and again for a signature that none of them made. */
export type Verifier = (webhook: WebhookInput) => Promise<CallbackEvent>

/** A verifier with the keys of the gateway's merchant. It rejects with CallbackInvalid. */
export function createVerifier(gateway: Gateway, nowMs: () => number = Date.now): Verifier {
  let keys: Promise<readonly string[]> | undefined
  let fetchedAtMs = 0

  async function publicKeys(): Promise<readonly string[]> {
    if (keys === undefined) {
      fetchedAtMs = nowMs()
      keys = gateway.merchantInfo().then(({ callbackPublicKeys }) => callbackPublicKeys)
    }
    try {
      return await keys
    } catch (error) {
      keys = undefined
      throw error
    }
  }

  return async ({ rawData, headers }) => {
    const callback = { headers: textsOf(headers), body: rawData }
    try {
      return await verifyCallback({ ...callback, publicKeys: await publicKeys(), nowMs: nowMs() })
    } catch (error) {
      // Keys change. Forged callbacks must not make us ask for them each time.
      const mayBeNew = error instanceof CallbackInvalid && error.reason === 'SIGNATURE_INVALID'
      if (!mayBeNew || nowMs() - fetchedAtMs < KEYS_FRESH_MS) throw error
      keys = undefined
      return await verifyCallback({ ...callback, publicKeys: await publicKeys(), nowMs: nowMs() })
    }
  }
}

function textsOf(headers: WebhookInput['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
