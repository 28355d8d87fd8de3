import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { findSigner, type Signer, signatureHeaders } from '../callback-signature.ts'
import { CommandFailure } from '../failure.ts'
import { harmless } from '../harmless.ts'
import { findDatabaseUrl } from '../installation.ts'
import { readMissed } from '../missed-callbacks.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'
import { readSigners } from '../signers.ts'

const HOST = '127.0.0.1'
const BODY_BYTES_MAX = 64 * 1024
const SHOWN_CHARACTERS_MAX = 200
/** Callbacks whose repeats are counted. */
const EVENTS_REMEMBERED_MAX = 10_000

/** The headers of one connection, which the next one has of its own. */
const OF_A_CONNECTION = /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect)$/
const FORWARD_MS = 10_000
const BAD_GATEWAY = 502

interface Wish {
  readonly port: number
  readonly status: number
  /** Who answers instead of `status`. */
  readonly forward?: string
}

/** A callback as it is printed. */
interface Arrival {
  readonly receivedAt: string
  readonly idEntity: string | null
  readonly eventType: string | null
  readonly eventId: string | null
  /** Which delivery of this event it is here, from 1. */
  readonly delivery: number
  readonly signature: 'VALID' | 'INVALID' | 'MISSING' | 'NOT_CHECKED'
  readonly merchantCode: string | null
  readonly answered: number
  readonly body: string
}

/** `tollgate listen`: goes on until a signal ends it. */
export async function listen(shell: Shell, wish: Wish): Promise<Report> {
  const stop = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  const keys = keepSigners(shell)
  const deliveries = new Map<string, number>()
  const server = createServer((request, response) => {
    receive({ shell, wish, keys, deliveries }, request, response).catch((error: unknown) => {
      shell.note(`A request broke off: ${error instanceof Error ? error.message : String(error)}`)
      response.destroy()
    })
  })
  const port = await open(server, wish.port)
  shell.note(
    `Listening on http://localhost:${port}: use it as callbackUrl. Each callback is ${wish.forward === undefined ? `answered ${wish.status}` : `handed on to ${wish.forward}`}. Ctrl-C ends.`,
  )
  if (await keys.isThere()) for (const missed of await readMissed(shell, port)) shell.note(missed)
  else shell.note('No installation runs here, so signatures are not checked.')
  await stop
  server.close()
  server.closeAllConnections()
  return NOTHING_MORE
}

interface Receiving {
  readonly shell: Shell
  readonly wish: Wish
  readonly keys: SignerKeys
  readonly deliveries: Map<string, number>
}

async function receive(
  receiving: Receiving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  const judged = await judge(receiving, request, body)
  const arrival = { ...judged, answered: await answerOf(receiving, request, body) }
  response.writeHead(arrival.answered).end()
  receiving.shell.print(receiving.shell.isJson() ? JSON.stringify(arrival) : sentence(arrival))
}

/** The status of the answer: the one that was wished for, or that of the program which the callback is handed on to. */
async function answerOf({ shell, wish }: Receiving, request: IncomingMessage, body: Buffer): Promise<number> {
  if (wish.forward === undefined) return wish.status
  try {
    const answer = await fetch(wish.forward, {
      method: request.method ?? 'POST',
      headers: headersOf(request),
      body: body.length === 0 ? null : new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS),
    })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    shell.note(
      isLate
        ? `${wish.forward} did not answer within ${FORWARD_MS / 1000} seconds: answer first and work later. The callback is retried.`
        : `Nothing answers at ${wish.forward}: start your server there. The callback is retried.`,
    )
    return BAD_GATEWAY
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!OF_A_CONNECTION.test(name)) for (const value of values) headers.append(name, value)
  return headers
}

async function judge(
  { shell, keys, deliveries }: Receiving,
  request: IncomingMessage,
  body: Buffer,
): Promise<Omit<Arrival, 'answered'>> {
  const [eventId, , signatures] = signatureHeaders(request.headers)
  const delivery = (deliveries.get(eventId ?? '') ?? 0) + 1
  if (eventId !== undefined && deliveries.size < EVENTS_REMEMBERED_MAX) deliveries.set(eventId, delivery)
  const eventType = request.headers['webhook-event-type']
  return {
    receivedAt: new Date(shell.clock.nowMs()).toISOString(),
    idEntity: idEntityOf(body) ?? null,
    eventType: typeof eventType === 'string' ? eventType : null,
    eventId: eventId ?? null,
    delivery,
    ...(signatures === undefined
      ? { signature: 'MISSING', merchantCode: null }
      : await keys.judge(request, body)),
    body: body.toString('utf8'),
  }
}

function idEntityOf(body: Buffer): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    if (typeof parsed !== 'object' || parsed === null || !('idEntity' in parsed)) return undefined
    return typeof parsed.idEntity === 'string' ? parsed.idEntity : undefined
  } catch {
    return undefined
  }
}

function sentence(arrival: Arrival): string {
  const time = arrival.receivedAt.slice(11, 19)
  const what =
    arrival.idEntity === null
      ? `no callback: ${arrival.body.slice(0, SHOWN_CHARACTERS_MAX)}`
      : `${arrival.eventType ?? 'callback'} ${arrival.idEntity}`
  const repeat = arrival.delivery > 1 ? `, delivery ${arrival.delivery} of ${arrival.eventId ?? ''}` : ''
  return harmless(`${time}  ${what} -> ${arrival.answered}, ${signatureText(arrival)}${repeat}`)
}

function signatureText({ signature, merchantCode }: Arrival): string {
  switch (signature) {
    case 'VALID':
      return `signed for ${merchantCode ?? ''}`
    case 'INVALID':
      return 'SIGNATURE WRONG: of no merchant of this installation'
    case 'MISSING':
      return 'not signed'
    case 'NOT_CHECKED':
      return 'signature not checked'
  }
}

interface SignerKeys {
  isThere(): Promise<boolean>
  judge(request: IncomingMessage, body: Buffer): Promise<Pick<Arrival, 'signature' | 'merchantCode'>>
}

/** The callback keys of all merchants, read anew when none fits: a merchant or a key may have come since. */
function keepSigners(shell: Shell): SignerKeys {
  let known: readonly Signer[] = []
  const isThere = async (): Promise<boolean> => (await findDatabaseUrl(await shell.config())) !== undefined
  return {
    isThere,
    async judge({ headers }, body) {
      let merchantCode = findSigner(headers, body, known)
      if (merchantCode === undefined) {
        if (!(await isThere())) return { signature: 'NOT_CHECKED', merchantCode: null }
        known = await readSigners(shell)
        merchantCode = findSigner(headers, body, known)
      }
      return merchantCode === undefined
        ? { signature: 'INVALID', merchantCode: null }
        : { signature: 'VALID', merchantCode }
    },
  }
}

async function readBody(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error(`its body has more than ${BODY_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function open(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new CommandFailure(
              'CONFLICT',
              `Port ${port} is taken by another program. Name another with --port.`,
            )
          : error,
      )
    })
    server.listen(port, HOST, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
