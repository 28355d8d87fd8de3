import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deriveKeys, type PaymentState, readHandOver, signAnswer } from '@tollgate/rail-protocol'
import type { TestLife } from '@tollgate/testkit'

const SECRET = Buffer.alloc(32, 9)
const KEYS = deriveKeys(SECRET)

/** What the institution does with what it is asked. */
interface Behaviour {
  /** TAKE: pays at once. LOSE: nothing arrives, and nobody answers. */
  put: 'TAKE' | 'LOSE' | (() => Promise<void>)
  /** Of what it does not have: a 404 that is signed, or one that is not. */
  missing: 'SIGNED' | 'UNSIGNED'
}

/** An institution's adapter of the open rail protocol, with its own truth. */
interface TestAdapter {
  readonly behaviour: Behaviour
  /** Requests as they came: `PUT 7KQ2M8X4TJ5N`. */
  readonly requests: readonly string[]
  /** What it has paid. */
  readonly paid: ReadonlyMap<string, PaymentState>
  /** For the gateway, whose rail `code` it is. */
  readonly settings: Readonly<Record<string, string>>
}

/** Starts it; it ends with the test. */
export async function startAdapter(t: TestLife, code: string): Promise<TestAdapter> {
  const behaviour: Behaviour = { put: 'TAKE', missing: 'SIGNED' }
  const requests: string[] = []
  const paid = new Map<string, PaymentState>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void answer(Buffer.concat(chunks)))
    const reference = request.url?.split('/')[2] ?? ''
    const signature = request.headers['tollgate-signature']
    async function answer(body: Buffer): Promise<void> {
      requests.push(`${request.method ?? ''} ${reference}`)
      if (request.method === 'PUT' && behaviour.put !== 'TAKE') {
        if (behaviour.put !== 'LOSE') await behaviour.put()
        response.destroy()
        return
      }
      if (request.method === 'PUT') take(body)
      const state = paid.get(reference)
      const status = state === undefined ? 404 : 200
      const text = JSON.stringify(state ?? { code: 'NOT_FOUND', message: 'No such payment.' })
      const isSigned = status === 200 || behaviour.missing === 'SIGNED'
      const signed = isSigned
        ? signatureOn(text, { status, requestSignature: String(signature).replace('v1=', '') })
        : {}
      response.writeHead(status, { 'content-type': 'application/json', ...signed }).end(text)
    }
    function take(body: Buffer): void {
      const reading = readHandOver(body)
      if (!reading.ok || paid.has(reference)) return
      const { merchantCode, direction, money } = reading.message
      const updatedAt = new Date().toISOString()
      const institutionReference = `BANK-${reference}`
      const about = { reference, merchantCode, direction, money, institutionReference }
      paid.set(reference, { ...about, status: 'SUCCEEDED', updatedAt })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-adapter-'))
  t.after(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the adapter has no port')
  const url = `http://127.0.0.1:${address.port}`
  writeFileSync(join(folder, 'secret'), SECRET.toString('base64'))
  const rail = { code, keyId: `${code}-1`, secretFile: 'secret', baseUrl: url, customerUrl: url }
  writeFileSync(join(folder, 'rails.json'), JSON.stringify([{ ...rail, directions: ['PAYOUT'], flows: [] }]))
  return { behaviour, requests, paid, settings: { TOLLGATE_OPEN_RAILS_FILE: join(folder, 'rails.json') } }
}

function signatureOn(
  body: string,
  answer: { readonly status: number; readonly requestSignature: string },
): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000)
  return signAnswer(KEYS.institution, { ...answer, body, timestampSeconds })
}
