import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { randomIds } from '@tollgate/runtime'
import { createCallbackSigner, createMerchantService } from '../../modules/merchants/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { findSigner, type Signer, signatureHeaders } from '../callback-signature.ts'
import { CommandFailure } from '../failure.ts'
import { harmless } from '../harmless.ts'
import { findDatabaseUrl, withInstallation } from '../installation.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'

const HOST = '127.0.0.1'
const BODY_BYTES_MAX = 64 * 1024
const SHOWN_CHARACTERS_MAX = 200
const SIGNERS_MAX = 1000
/** Callbacks whose repeats are counted. */
const EVENTS_REMEMBERED_MAX = 10_000

interface Wish {
  readonly port: number
  readonly status: number
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
    `Listening on http://localhost:${port}: use it as callbackUrl. Each callback is answered ${wish.status}. Ctrl-C ends.`,
  )
  if (!(await keys.isThere())) shell.note('No installation runs here, so signatures are not checked.')
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
  const arrival = await judge(receiving, request, body)
  response.writeHead(receiving.wish.status).end()
  receiving.shell.print(receiving.shell.isJson() ? JSON.stringify(arrival) : sentence(arrival))
}

async function judge(
  { shell, wish, keys, deliveries }: Receiving,
  request: IncomingMessage,
  body: Buffer,
): Promise<Arrival> {
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
    answered: wish.status,
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

function readSigners(shell: Shell): Promise<readonly Signer[]> {
  return withInstallation(shell, async (installation) => {
    const merchants = await createMerchantService({ ...installation, ids: randomIds }).list()
    const changes = watchConfiguration({ ...installation, clock: shell.clock })
    const signer = createCallbackSigner({ ...installation, changes })
    return merchants
      .slice(0, SIGNERS_MAX)
      .map((merchant) => ({ merchantCode: merchant.merchantCode, publicKeys: signer.publicKeys(merchant) }))
  })
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
