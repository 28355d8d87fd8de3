import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  deriveKeys,
  type PayeeQuestion,
  readPayeeQuestion,
  signAnswer,
  verifyRequest,
} from '@tollgate/rail-protocol'
import type { TestLife } from './test-life.ts'

/** What it answers: a result, or whatever a test makes of it. */
export interface PayeeReply {
  readonly status?: number
  readonly body?: unknown
  /** NOT: without a signature. WRONG_KEY: as the gateway would sign. OTHER: for another question. */
  readonly sign?: 'NOT' | 'WRONG_KEY' | 'OTHER'
}

export interface PayeeAdapter {
  readonly url: string
  /** What it was asked, in order; what is not signed by the gateway is not heard. */
  readonly asked: readonly PayeeQuestion[]
  /** What it says of a payee; by default that name and account belong together. */
  reply: (question: PayeeQuestion) => PayeeReply
}

/** Starts an adapter that is asked about payees, on a free port of the loopback. */
export async function startPayeeAdapter(life: TestLife, secret: Uint8Array): Promise<PayeeAdapter> {
  const keys = deriveKeys(secret)
  const asked: PayeeQuestion[] = []
  const adapter = {
    url: '',
    asked,
    reply: (_question: PayeeQuestion): PayeeReply => ({ body: { result: 'MATCH' } }),
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const { method = '', url: path = '', headers } = request
    const verdict = verifyRequest(keys.gateway, {
      keyId: 'payees-1',
      method,
      path,
      headers,
      body,
      nowMs: Date.now(),
    })
    const reading = readPayeeQuestion(body)
    if (!verdict.ok || !reading.ok || path !== '/adapter/payee-checks') {
      response.writeHead(401).end()
      return
    }
    asked.push(reading.message)
    const { status = 200, body: content = {}, sign } = adapter.reply(reading.message)
    const text = JSON.stringify(content)
    response.writeHead(status, signatureFor(sign, { status, text, of: verdict.signature })).end(text)
  }
  function signatureFor(
    sign: PayeeReply['sign'],
    { status, text, of }: { readonly status: number; readonly text: string; readonly of: string },
  ): Readonly<Record<string, string>> {
    if (sign === 'NOT') return {}
    return signAnswer(sign === 'WRONG_KEY' ? keys.gateway : keys.institution, {
      status,
      body: text,
      timestampSeconds: Math.floor(Date.now() / 1000),
      requestSignature: sign === 'OTHER' ? 'a'.repeat(64) : of,
    })
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  life.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the adapter does not listen')
  return Object.assign(adapter, { url: `http://127.0.0.1:${String(address.port)}/adapter` })
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
