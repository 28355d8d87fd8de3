import { setTimeout as sleep } from 'node:timers/promises'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import {
  type AuthenticatorFaults,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '@tollgate/testkit'
import { expectSuccess } from './expectations.ts'
import type { TestGateway } from './gateway.ts'
import { textAt } from './json.ts'

/** Where the console is in the sandbox, unless a setting says otherwise. */
const CONSOLE = 'http://localhost:8082'

interface OpenedSession {
  readonly id: string
  readonly secret: string
}

/** What people with passkeys do at the operator API. Paths are below `/operator/`. */
interface PasskeyHolder {
  ask(token: string | undefined, request: Omit<RawRequest, 'token'>): Promise<RawResponse>
  /** Registers a passkey of this device, by an invitation or a session. */
  register(token: string, device: SoftwareAuthenticator, faults?: AuthenticatorFaults): Promise<RawResponse>
  beginSignIn(): Promise<{ readonly challengeId: string; readonly challenge: string }>
  finishSignIn(challengeId: string, credential: unknown): Promise<RawResponse>
  signIn(device: SoftwareAuthenticator, faults?: AuthenticatorFaults): Promise<RawResponse>
  /** Answers the answer of the last of the two requests. */
  stepUp(
    token: string,
    device: SoftwareAuthenticator,
    request: { readonly method: string; readonly path: string },
    faults?: AuthenticatorFaults,
  ): Promise<RawResponse>
}

export const newDevice = (): SoftwareAuthenticator => softwareAuthenticator(CONSOLE)

export function openedBy(answer: RawResponse): OpenedSession {
  const body = expectSuccess(answer, 201)
  return { id: textAt(body, 'session', 'id'), secret: textAt(body, 'session', 'secret') }
}

export function passkeysAt(gateway: TestGateway): PasskeyHolder {
  let addresses = 0
  /** Waits as a person would; failures count by address, so each request has its own. */
  async function ask(token: string | undefined, request: Omit<RawRequest, 'token'>): Promise<RawResponse> {
    addresses += 1
    const headers = {
      ...request.headers,
      'X-Forwarded-For': `10.1.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`,
    }
    for (;;) {
      const answer = await gateway.sendToOperators({
        ...request,
        headers,
        path: `/operator/${request.path}`,
        ...(token !== undefined && { token }),
      })
      if (answer.status !== 429) return answer
      await sleep(100)
    }
  }
  const post = (token: string | undefined, path: string, body?: unknown): Promise<RawResponse> =>
    ask(token, { method: 'POST', path, ...(body !== undefined && { body }) })
  const begunBy = (answer: RawResponse) => {
    const body = expectSuccess(answer, 200)
    return {
      challengeId: textAt(body, 'challengeId'),
      challenge: textAt(body, 'options', 'challenge'),
    }
  }
  const holder: PasskeyHolder = {
    ask,
    async register(token, device, faults) {
      const begun = await post(token, 'passkeys/!begin')
      if (begun.status !== 200) return begun
      const { challengeId, challenge } = begunBy(begun)
      const credential = device.create(challenge, faults)
      return post(token, 'passkeys/!finish', { challengeId, name: 'Laptop', credential })
    },
    beginSignIn: async () => begunBy(await post(undefined, 'sessions/passkey/!begin')),
    finishSignIn: (challengeId, credential) =>
      post(undefined, 'sessions/passkey/!finish', { challengeId, credential }),
    async signIn(device, faults) {
      const { challengeId, challenge } = await holder.beginSignIn()
      return holder.finishSignIn(challengeId, device.get(challenge, faults))
    },
    async stepUp(token, device, request, faults) {
      const begun = await post(token, 'step-ups/!begin', request)
      if (begun.status !== 200) return begun
      const { challengeId, challenge } = begunBy(begun)
      return post(token, 'step-ups/!finish', { challengeId, credential: device.get(challenge, faults) })
    },
  }
  return holder
}
