import { join } from 'node:path'
import { deriveKeys } from '@tollgate/rail-protocol'
import { type Log, randomIds, systemClock, type WallClock } from '@tollgate/runtime'
import { createJournal } from '@tollgate/runtime/journal'
import { type FastifyInstance, fastify } from 'fastify'
import { adminRoutes } from './admin-routes.ts'
import { createBank } from './bank.ts'
import { emptyBooks, post, readLine } from './books.ts'
import { chainRoutes, walletRoutes } from './chain-routes.ts'
import { createNotifier, type GatewayAddress, type Notifier } from './notifier.ts'
import { pageRoutes, showMissing } from './page-routes.ts'
import { protocolRoutes } from './protocol-routes.ts'
import { createTestChain } from './test-chain.ts'
import { createTimers } from './timers.ts'

export interface SimulatorOptions {
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Of the bank alone: its journal is in there. */
  readonly dataDir: string
  /** Shared with the gateway; at least 32 bytes. */
  readonly secret: Uint8Array
  /** The id under which the gateway knows the secret. */
  readonly keyId: string
  readonly adminKey: string
  /** Who is told of changes; nobody without it. */
  readonly gateway?: GatewayAddress | undefined
  readonly log: Log
  readonly clock?: WallClock
  /** First pause before a message is sent again, milliseconds. */
  readonly pauseMs?: number
}

/** A bank that is open. */
export interface Simulator {
  /** `http://127.0.0.1:8083`. */
  readonly url: string
  /** Finishes what is being written and closes. Requests that nobody was to answer are cut off. */
  stop(): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 15_000
const BODY_BYTES_MAX = 16_384

/** Opens a bank with its own books, as they were when it closed or fell over. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { log, clock = systemClock, gateway, keyId } = options
  const books = emptyBooks()
  const journal = createJournal(join(options.dataDir, 'bank.jsonl'), readLine)
  const timers = createTimers(clock)
  const keys = deriveKeys(options.secret)
  const ending = new AbortController()
  let notifier: Notifier | undefined
  let isOpen = false
  const bank = createBank({
    books,
    journal,
    clock,
    ids: randomIds,
    timers,
    hasGateway: gateway !== undefined,
    onOwed: (reference) => notifier?.wake(reference),
  })
  if (gateway !== undefined) notifier = createNotifier({ ...options, books, bank, gateway, keys, clock })
  const app = createServer(() => isOpen)
  protocolRoutes(app, { bank, keyId, keys, clock, ending: ending.signal })
  const chain = createTestChain({ dataDir: options.dataDir, clock })
  chainRoutes(app, chain)
  pageRoutes(app, { bank, clock }, (scope) => walletRoutes(scope, chain))
  adminRoutes(app, { bank, books, adminKey: options.adminKey })
  /** The port is held until the journal is closed, and taken before it is opened: so nobody else has it open. */
  const stop = async (): Promise<void> => {
    isOpen = false
    timers.stop()
    ending.abort()
    await notifier?.stop()
    app.server.closeAllConnections()
    await Promise.all([journal.close(), chain.close()])
    await app.close()
  }
  try {
    const url = await app.listen({ host: options.host, port: options.port })
    const { lines, tornBytes } = await journal.open()
    if (tornBytes > 0) log.warn({ tornBytes }, 'the last line of the journal was torn and is gone')
    await chain.open()
    for (const line of lines) post(books, line)
    bank.resume()
    for (const reference of books.owed.keys()) notifier?.wake(reference)
    isOpen = true
    log.info({ address: url, payments: books.payments.size }, 'the bank simulator is open')
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function createServer(isOpen: () => boolean): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    // What a body says that nobody asked for is refused, not dropped in silence.
    ajv: { customOptions: { removeAdditional: false } },
    exposeHeadRoutes: false,
  })
  app.addHook('onRequest', (_request, reply, next) => {
    if (isOpen()) next()
    else void reply.code(503).send({ code: 'CLOSED', message: 'The bank is not open.' })
  })
  app.setNotFoundHandler(showMissing)
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error)
    const code = status < 500 ? 'REQUEST_INVALID' : 'FAULT'
    const message = status < 500 && error instanceof Error ? error.message : 'The simulator failed.'
    return reply.code(status).send({ code, message })
  })
  return app
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500
  return typeof error.statusCode === 'number' ? error.statusCode : 500
}
