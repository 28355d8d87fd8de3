import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Answer, at, freePort, giveAnswer } from '@tollgate/testkit'
import { pickWeighted, type Random } from '../../rig/random.ts'
import type { Arrival } from '../check/facts.ts'
import { nowMs } from '../driver/history.ts'

interface Manner {
  readonly name: string
  readonly answer: Answer
  /** How often payments name such a receiver. */
  readonly weight: number
}

const ELSEWHERE = 'http://127.0.0.1:9/elsewhere'
const DRIP_INTERVAL_MS = 200

const GOOD_SERVERS = 8
const GOOD: Manner = { name: 'ok', answer: { kind: 'reply', status: 200 }, weight: 88 }
/** None of these is a 200 that is complete in time, so each such callback takes all its attempts. */
const BAD: readonly [Manner, ...Manner[]] = [
  { name: '500', answer: { kind: 'reply', status: 500 }, weight: 3 },
  { name: '204', answer: { kind: 'reply', status: 204 }, weight: 2 },
  { name: '302', answer: { kind: 'redirect', location: ELSEWHERE }, weight: 2 },
  { name: 'close', answer: { kind: 'close' }, weight: 2 },
  { name: 'hang', answer: { kind: 'hang' }, weight: 1.5 },
  { name: 'drip', answer: { kind: 'drip', status: 500, intervalMs: DRIP_INTERVAL_MS }, weight: 1.5 },
]

/** Merchants' servers, one for each manner, and the log of what came to them. */
export interface Receivers {
  readonly arrivals: readonly Arrival[]
  /** Of the servers that take callbacks; new payments name the first of them. */
  readonly goodUrls: readonly [string, ...string[]]
  /** Where a new payment is to be told. */
  urlFor(random: Random): string
  /** The good servers take another manner until `improve`. */
  spoil(random: Random): void
  improve(): void
  /** Called once, when the next callback has come and before it is answered; undefined takes it back. */
  watch(onArrival: (() => void) | undefined): void
  stop(): Promise<void>
}

export async function startReceivers(): Promise<Receivers> {
  const arrivals: Arrival[] = []
  let goodAnswer = GOOD.answer
  let watcher: (() => void) | undefined
  const servers: Server[] = []
  const announce = (): void => {
    const told = watcher
    watcher = undefined
    told?.()
  }
  const open = async (manner: Manner): Promise<Manner & { readonly url: string }> => {
    const port = await freePort()
    const server = createServer((request, response) => {
      const answer = manner === GOOD ? goodAnswer : manner.answer
      // A gateway that is killed in the middle is part of the game.
      take(request, response, { answer, arrivals, onArrival: announce }).catch(() => response.destroy())
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return { ...manner, url: `http://127.0.0.1:${port}/${manner.name}` }
  }
  const good = await open(GOOD)
  const others = await Promise.all(Array.from({ length: GOOD_SERVERS - 1 }, () => open(GOOD)))
  const all = [good, ...(await Promise.all(BAD.map(open)))] as const
  return {
    arrivals,
    goodUrls: [good.url, ...others.map(({ url }) => url)],
    urlFor: (random) => pickWeighted(random, all, ({ weight }) => weight).url,
    spoil(random) {
      goodAnswer = random.pick(BAD).answer
    },
    improve() {
      goodAnswer = GOOD.answer
    },
    watch(onArrival) {
      watcher = onArrival
    },
    async stop() {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

interface Taking {
  readonly answer: Answer
  readonly arrivals: Arrival[]
  readonly onArrival: () => void
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, arrivals, onArrival }: Taking,
): Promise<void> {
  const atMs = nowMs()
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += String(part)
  const content: unknown = JSON.parse(body)
  arrivals.push({
    eventId: String(request.headers['webhook-id']),
    id: String(at(content, 'idEntity')),
    atMs,
    isAccepted: answer.kind === 'reply' && answer.status === 200,
  })
  onArrival()
  await giveAnswer(response, answer)
}
