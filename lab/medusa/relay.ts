import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What happens to the next callbacks on their way to Medusa. */
interface Behaviour {
  /** Before Medusa gets it. */
  readonly before?: () => Promise<unknown>
  /** How often Medusa gets it, at once; default 1. */
  readonly copies?: number
  /** Once Medusa has answered, before the gateway hears of it. */
  readonly after?: (status: number) => Promise<unknown>
}

/** Stands between the gateway's callbacks and Medusa. */
export interface Relay {
  readonly url: string
  /** What Medusa answered, in order. 502: it was not there. */
  readonly answers: readonly number[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

const HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])
const NO_ANSWER = 502
const TIMEOUT_MS = 30_000

export async function startRelay(medusaUrl: () => string): Promise<Relay> {
  const answers: number[] = []
  let behaviour: Behaviour = {}

  async function forward(request: IncomingMessage, body: Buffer): Promise<number> {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      HOP.has(name) || typeof value !== 'string' ? [] : [[name, value] as const],
    )
    try {
      const { status } = await fetch(`${medusaUrl()}${request.url ?? ''}`, {
        method: 'POST',
        headers: Object.fromEntries(headers),
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return status
    } catch {
      return NO_ANSWER
    }
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk)
    const { before, copies = 1, after } = behaviour
    await before?.()
    const body = Buffer.concat(chunks)
    const statuses = await Promise.all(Array.from({ length: copies }, () => forward(request, body)))
    answers.push(...statuses)
    const [status = NO_ANSWER] = statuses
    await after?.(status)
    response.writeHead(status).end()
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the relay has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    answers,
    behave: (next) => {
      behaviour = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
