import { request as httpRequest } from 'node:http'
import {
  deriveKeys,
  PROTOCOL_BODY_BYTES_MAX,
  signatureOf,
  signRequest,
  verifyAnswer,
} from '@tollgate/rail-protocol'
import type { WallClock } from '@tollgate/runtime'
import {
  readSignAnswer,
  readSignerStatus,
  SIGN_PATH,
  SIGNER_KEY_ID,
  type SignAnswer,
  type SignRequest,
  STATUS_PATH,
} from '@tollgate/signer-protocol'
import { SignerFault } from '../errors.ts'

/** The process that has the wallet's key. Throws SignerFault where it does not answer, or does not prove that it is the one. */
export interface SignerClient {
  sign(request: SignRequest, signal: AbortSignal): Promise<SignAnswer>
  /** The wallet that it signs for; in lower case. */
  address(signal: AbortSignal): Promise<string>
}

interface ClientOptions {
  /** Its Unix socket. */
  readonly socketPath: string
  readonly secret: Uint8Array
  readonly clock: WallClock
}

const DEADLINE_MS = 15_000

export function createSignerClient({ socketPath, secret, clock }: ClientOptions): SignerClient {
  const keys = deriveKeys(secret)

  async function ask(method: string, path: string, body: string, signal: AbortSignal): Promise<string> {
    const request = { keyId: SIGNER_KEY_ID, method, path, body }
    const headers = signRequest(keys.gateway, {
      ...request,
      timestampSeconds: Math.floor(clock.nowMs() / 1000),
    })
    const answer = await exchange({ socketPath, method, path, body, headers, signal })
    const verdict = verifyAnswer(keys.institution, {
      status: answer.status,
      headers: answer.headers,
      body: answer.body,
      nowMs: clock.nowMs(),
      requestSignature: signatureOf(headers),
    })
    if (!verdict.ok)
      throw fault(
        `What answers at ${socketPath} does not prove that it is the signer (${answer.status}: ${verdict.why}). Do both have the same secret and the right time?`,
      )
    if (answer.status !== 200)
      throw fault(`The signer answers with status ${answer.status}: ${answer.body.slice(0, 200)}`)
    return answer.body
  }

  return {
    async sign(request, signal) {
      const answer = readSignAnswer(await ask('POST', SIGN_PATH, JSON.stringify(request), signal))
      if (answer === undefined)
        throw fault('The signer answers in a form that is not its own: it is of another version.')
      return answer
    },
    async address(signal) {
      const status = readSignerStatus(await ask('GET', STATUS_PATH, '', signal))
      if (status === undefined)
        throw fault('The signer answers in a form that is not its own: it is of another version.')
      return status.address
    },
  }
}

const fault = (message: string): SignerFault => new SignerFault(message)

interface Exchanged {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

function exchange({
  body,
  signal,
  ...where
}: {
  readonly socketPath: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(fault(`The signer does not answer at ${where.socketPath}: ${error.message}. Is it running?`))
    const patience = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
    const asking = httpRequest({ ...where, agent: false, signal: patience }, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > PROTOCOL_BODY_BYTES_MAX) asking.destroy(new Error('it says more than it may'))
        else chunks.push(chunk)
      })
      answer.on('error', fail)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    asking.on('error', fail)
    asking.setHeader('content-type', 'application/json')
    asking.end(body)
  })
}
