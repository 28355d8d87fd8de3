import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tollgate/runtime'
import type { Redis } from 'ioredis'

/** How long Redis may take for an answer: whoever waits is a customer. */
const ANSWER_TIMEOUT_MS = 200
/** A new connection needs several round trips, with TLS some more. */
const CONNECT_TIMEOUT_MS = 1_000
const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 2_000

/** One Lua script on a Redis that may go away and come back. */
interface RedisScript {
  /** Resolves when the first attempt to connect has ended, well or not; goes on trying until it is stopped. */
  start(): Promise<void>
  /** Whether it is worth asking. */
  isThere(): boolean
  /**
   * Runs the script. Rejects when Redis is away, answers with an error, or takes longer than 200 ms: it then counts as away
   * until the proof works on a new connection, so that nobody else waits.
   */
  run(keys: readonly string[], args: readonly number[]): Promise<unknown>
  stop(): void
}

interface RedisScriptOptions {
  /** `redis://` or, with TLS, `rediss://`; user, password and number of the database may be in it. */
  readonly url: string
  readonly lua: string
  /** What the script is run with to see whether it works: a Redis that only answers PING may be one that cannot write. */
  readonly proof: { readonly keys: readonly string[]; readonly args: readonly number[] }
  readonly log: Log
  /** What is lost while Redis is away, for the log. */
  readonly consequence: string
}

/** Thrown instead of asking a Redis that is away, and when it takes too long. */
class RedisAway extends Error {
  override readonly name = 'RedisAway'
}

/** The script on a connection of its own. Nothing is opened before the start. */
export function createRedisScript({ lua, proof, ...options }: RedisScriptOptions): RedisScript {
  const call = callerOf(lua)
  const connection = keepConnection({
    ...options,
    prove: (client) => call(client, proof.keys, proof.args),
  })
  return {
    start: connection.start,
    stop: connection.stop,
    isThere: () => connection.current() !== undefined,
    async run(keys, args) {
      const client = connection.current()
      if (client === undefined) throw new RedisAway('Redis is away')
      try {
        return await inTime(call(client, keys, args), ANSWER_TIMEOUT_MS)
      } catch (error) {
        connection.lose(client, error)
        throw error
      }
    },
  }
}

interface ConnectionOptions extends Pick<RedisScriptOptions, 'url' | 'log' | 'consequence'> {
  readonly prove: (client: Redis) => Promise<unknown>
}

interface Connection extends Pick<RedisScript, 'start' | 'stop'> {
  current(): Redis | undefined
  /** The first who notices tells the log and begins to look for another connection. */
  lose(client: Redis, error: unknown): void
}

/** One connection at a time. It is never mended: one that is broken is replaced. */
function keepConnection({ url, prove, log, consequence }: ConnectionOptions): Connection {
  const stopping = new AbortController()
  let current: Redis | undefined

  async function open(): Promise<void> {
    const client = await proven(await newClient(url), prove)
    if (stopping.signal.aborted) {
      client.disconnect()
      return
    }
    current = client
    client.once('end', () => lose(client, new RedisAway('the connection to Redis was closed')))
  }

  function lose(client: Redis, error: unknown): void {
    if (client !== current) return
    current = undefined
    client.disconnect()
    beginOutage(error)
  }

  function beginOutage(error: unknown): void {
    if (stopping.signal.aborted) return
    log.warn({ err: error }, `Redis is away: ${consequence}`)
    void keepOpening()
  }

  async function keepOpening(): Promise<void> {
    for (let pauseMs = RETRY_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, RETRY_MS_MAX)) {
      try {
        await sleep(pauseMs, undefined, { signal: stopping.signal })
        await open()
        if (current !== undefined) log.info({}, 'Redis is back')
        return
      } catch {
        if (stopping.signal.aborted) return
      }
    }
  }

  return {
    current: () => current,
    lose,
    start: () => open().catch(beginOutage),
    stop() {
      stopping.abort()
      const client = current
      current = undefined
      client?.disconnect()
    },
  }
}

/** The same client, connected and seen to work in time. */
async function proven(client: Redis, prove: ConnectionOptions['prove']): Promise<Redis> {
  try {
    await inTime(
      client.connect().then(() => prove(client)),
      CONNECT_TIMEOUT_MS,
    )
    return client
  } catch (error) {
    client.disconnect()
    throw error
  }
}

/** The driver is read only where somebody wants it. */
async function newClient(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A connection that ends stays ended: opening another one, and when, is decided here.
    retryStrategy: () => null,
    disableClientInfo: true,
    connectionName: 'tollgate',
  })
  // Whoever waits for an answer hears of it.
  client.on('error', () => undefined)
  return client
}

type Call = (client: Redis, keys: readonly string[], args: readonly number[]) => Promise<unknown>

/** Sends the script's digest; and the script, when this Redis has not seen it yet. */
function callerOf(lua: string): Call {
  const digest = createHash('sha1').update(lua).digest('hex')
  return async (client, keys, args) => {
    try {
      return await client.evalsha(digest, keys.length, ...keys, ...args)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.eval(lua, keys.length, ...keys, ...args)
    }
  }
}

/**
 * Rejects when the work takes longer. An answer that lies in the socket by then counts: where this process was held up, its
 * timers fire before it reads, and it was not Redis that was late.
 */
function inTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new RedisAway(`Redis did not answer within ${timeoutMs} ms`))
    const timer = setTimeout(() => setImmediate(late), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
