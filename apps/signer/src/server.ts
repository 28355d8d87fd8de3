import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  deriveKeys,
  PROTOCOL_BODY_BYTES_MAX,
  type ProtocolKeys,
  signAnswer,
  verifyRequest,
} from '@tollgate/rail-protocol'
import type { Log } from '@tollgate/runtime'
import { readSignRequest, SIGN_PATH, SIGNER_KEY_ID, STATUS_PATH } from '@tollgate/signer-protocol'
import type { Signer } from './signer.ts'

interface ServerOptions {
  readonly socket: string
  readonly secret: Uint8Array
  readonly signer: Signer
  readonly log: Log
  readonly nowMs: () => number
  /** Is told when nothing may be signed any more, since the record cannot be written. */
  readonly onBroken: (error: unknown) => void
}

/** Owner and group: the gateway's user is in the group of the signer's. */
const SOCKET_MODE = 0o660

/** Answers over the socket until it is closed. Whoever calls this holds the record alone: what is there is what a killed signer left. */
export async function serveSigner(options: ServerOptions): Promise<{ close(): Promise<void> }> {
  const { socket } = options
  rmSync(socket, { force: true })
  const keys = deriveKeys(options.secret)
  const server = createServer((request, response) => {
    respond(options, keys, request, response).catch((error: unknown) => {
      options.log.error({ err: error }, 'a question could not be answered')
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, () => resolve())
  })
  chmodSync(socket, SOCKET_MODE)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** What is answered, as a status and JSON. */
interface Said {
  readonly status: number
  readonly value: object
}

async function respond(
  { signer, log, nowMs, onBroken }: ServerOptions,
  keys: ProtocolKeys,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request)
  const [method, path] = [request.method ?? '', request.url ?? '']
  if (body === undefined) {
    send(response, { status: 413, value: { message: 'the question is too long' } })
    return
  }
  const verdict = verifyRequest(keys.gateway, {
    keyId: SIGNER_KEY_ID,
    method,
    path,
    headers: request.headers,
    nowMs: nowMs(),
    body,
  })
  if (!verdict.ok) {
    log.warn({ why: verdict.why }, 'a question does not prove that it is the gateway’s')
    send(response, { status: 401, value: { message: verdict.why } })
    return
  }
  const said = await answer({ signer, log, onBroken }, `${method} ${path}`, body.toString('utf8'))
  const text = JSON.stringify(said.value)
  const headers = signAnswer(keys.institution, {
    status: said.status,
    requestSignature: verdict.signature,
    body: text,
    timestampSeconds: Math.floor(nowMs() / 1000),
  })
  send(response, said, headers)
}

async function answer(
  { signer, log, onBroken }: Pick<ServerOptions, 'signer' | 'log' | 'onBroken'>,
  wish: string,
  body: string,
): Promise<Said> {
  if (wish === `GET ${STATUS_PATH}`) return { status: 200, value: { address: signer.address } }
  if (wish !== `POST ${SIGN_PATH}`) return { status: 404, value: { message: 'there is no such question' } }
  const asked = readSignRequest(body)
  if (asked === undefined)
    return { status: 400, value: { message: 'this is no question to sign a transfer' } }
  const { chainId, reference, nonce, units, token, payee } = asked
  try {
    const value = await signer.sign(asked)
    const what = { chainId, reference, nonce, units, contract: token, payee }
    if (value.kind === 'SIGNED') log.info({ ...what, hash: value.hash, nonce: value.nonce }, 'signed')
    else log.warn({ ...what, refusal: value.refusal, why: value.message }, 'refused')
    return { status: 200, value }
  } catch (error) {
    onBroken(error)
    return { status: 503, value: { message: 'the record cannot be written; nothing is signed' } }
  }
}

function send(
  response: ServerResponse,
  { status, value }: Said,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** Undefined for a body that is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > PROTOCOL_BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
