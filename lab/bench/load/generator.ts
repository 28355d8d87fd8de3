// The load generator: a process of its own, because what it burns must not look like the gateway's.
// One request in flight on each connection, bytes prepared beforehand, and of an answer only status and length are read.
import { connect, type Socket } from 'node:net'
import { createAnswerReader } from './answers.ts'
import { openCallbackServers } from './callbacks.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import { createLives } from './lives.ts'
import type { FromGenerator, LoadPlan, LoadResult } from './plan.ts'
import { createChooser, labelsOf, type Prepared } from './templates.ts'

const READ_BUFFER_BYTES = 65_536
/** Requests that are due and find no free connection. */
const LATE_MAX = 200_000
const TICK_MS = 1
const BODY_CHARACTERS_SHOWN = 300

interface Connection {
  readonly send: (intendedMs: number) => void
}

interface Tally {
  readonly requests: number[]
  readonly histograms: readonly Histogram[]
  requestsInAll: number
}

process.once('message', (plan: LoadPlan) => {
  run(plan).then(
    (result) => tell({ kind: 'ENDED', result }),
    (error: unknown) =>
      tell({ kind: 'FAILED', message: error instanceof Error ? error.message : String(error) }),
  )
})
process.once('disconnect', () => process.exit(1))

function tell(message: FromGenerator): void {
  process.send?.(message)
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const labels = labelsOf(plan.templates)
  const tally: Tally = {
    requests: labels.map(() => 0),
    histograms: labels.map(() => createHistogram()),
    requestsInAll: 0,
  }
  const load = createLoad(plan, tally)
  const connections = await Promise.all(Array.from({ length: plan.connections }, () => load.open()))
  const measured = await load.run(connections)
  return {
    ...measured,
    requestsInAll: tally.requestsInAll,
    labels: labels.map((label, index) => ({
      label,
      requests: tally.requests[index] ?? 0,
      latencies: tally.histograms[index]?.counts() ?? [],
    })),
  }
}

interface Load {
  open(): Promise<Connection>
  run(connections: readonly Connection[]): Promise<Pick<LoadResult, 'seconds' | 'cpuMicroseconds'>>
}

/** Between when answers are counted, by `performance.now()`. */
interface Window {
  fromMs: number
  toMs: number
  isOver: boolean
}

function createLoad(plan: LoadPlan, tally: Tally): Load {
  const choose = createChooser(plan.templates)
  const sockets: Socket[] = []
  const window: Window = { fromMs: Infinity, toMs: Infinity, isOver: false }
  const rate = plan.ratePerSecond === undefined ? undefined : createRate(plan.ratePerSecond)
  const failure = Promise.withResolvers<never>()
  // Whoever runs the load hears of it.
  failure.promise.catch(() => undefined)
  const lives =
    plan.lives &&
    createLives(plan.lives, (prepared, intendedMs) =>
      count(tally, window, { prepared, intendedMs, nowMs: performance.now() }),
    )

  function onAnswered(connection: Connection, prepared: Prepared, intendedMs: number): void {
    const nowMs = performance.now()
    if (lives === undefined) count(tally, window, { prepared, intendedMs, nowMs })
    if (window.isOver) return
    if (rate !== undefined) rate.onFree(connection)
    else if (lives !== undefined) lives.onFree(connection)
    else connection.send(nowMs)
  }

  return {
    async open() {
      const opened = await openConnection(plan.port, {
        choose,
        onAnswered,
        onSent: (prepared, dueMs) => lives?.onSent(prepared, dueMs),
        // Idle connections may be closed while the last callbacks come.
        fail: (error) => window.isOver || failure.reject(error),
      })
      sockets.push(opened.socket)
      return opened.connection
    },
    async run(connections) {
      await openCallbackServers(plan.lives?.ports ?? [], (id) => lives?.onCallback(id))
      const startMs = performance.now()
      window.fromMs = startMs + plan.warmupSeconds * 1000
      window.toMs = window.fromMs + plan.seconds * 1000
      if (rate !== undefined)
        rate.start(connections, { startMs, isOver: () => window.isOver, fail: failure.reject })
      else if (lives !== undefined) for (const connection of connections) lives.onFree(connection)
      else for (const connection of connections) connection.send(startMs)
      const result = await Promise.race([measure(window), failure.promise])
      window.isOver = true
      await Promise.race([lives?.end(), failure.promise])
      for (const socket of sockets) socket.destroy()
      return result
    },
  }
}

function count(
  tally: Tally,
  window: Window,
  answer: { readonly prepared: Prepared; readonly intendedMs: number; readonly nowMs: number },
): void {
  const { prepared, intendedMs, nowMs } = answer
  tally.requestsInAll += 1
  if (nowMs < window.fromMs || nowMs >= window.toMs) return
  tally.requests[prepared.labelIndex] = (tally.requests[prepared.labelIndex] ?? 0) + 1
  tally.histograms[prepared.labelIndex]?.add((nowMs - intendedMs) * 1000)
}

async function measure(window: Window): Promise<Pick<LoadResult, 'seconds' | 'cpuMicroseconds'>> {
  await until(window.fromMs)
  tell({ kind: 'MEASURING' })
  const before = process.cpuUsage()
  await until(window.toMs)
  const { user, system } = process.cpuUsage(before)
  tell({ kind: 'MEASURED' })
  return { seconds: (window.toMs - window.fromMs) / 1000, cpuMicroseconds: user + system }
}

function until(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms - performance.now()))
  })
}

interface Rate {
  start(
    connections: readonly Connection[],
    options: {
      readonly startMs: number
      readonly isOver: () => boolean
      readonly fail: (error: Error) => void
    },
  ): void
  onFree(connection: Connection): void
}

/** Sends on time. A request that finds no free connection waits, and its latency counts from when it was due. */
function createRate(ratePerSecond: number): Rate {
  const everyMs = 1000 / ratePerSecond
  const idle: Connection[] = []
  const late: number[] = []
  let sent = 0

  function sendDue(startMs: number): void {
    const nowMs = performance.now()
    for (let dueMs = startMs + sent * everyMs; dueMs <= nowMs; dueMs = startMs + sent * everyMs) {
      sent += 1
      // In turns, so that the server finds none of them idle for so long that it closes it.
      const connection = idle.shift()
      if (connection === undefined) late.push(dueMs)
      else connection.send(dueMs)
    }
  }

  return {
    start(connections, { startMs, isOver, fail }) {
      idle.push(...connections)
      const tick = (): void => {
        if (isOver()) return
        sendDue(startMs)
        if (late.length > LATE_MAX) fail(new Error(`${late.length} requests wait for a free connection`))
        else setTimeout(tick, TICK_MS)
      }
      tick()
    },
    onFree(connection) {
      const dueMs = late.shift()
      if (dueMs === undefined) idle.push(connection)
      else connection.send(dueMs)
    },
  }
}

interface ConnectionHandlers {
  readonly choose: () => Prepared
  readonly onAnswered: (connection: Connection, prepared: Prepared, intendedMs: number) => void
  readonly onSent: (prepared: Prepared, dueMs: number) => void
  readonly fail: (error: Error) => void
}

/** Every connection reads into the same memory: what was read is done with before the next read. */
const readBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES)

function openConnection(
  port: number,
  { choose, onAnswered, onSent, fail }: ConnectionHandlers,
): Promise<{ readonly socket: Socket; readonly connection: Connection }> {
  let prepared: Prepared | undefined
  let intendedMs = 0
  const reader = createAnswerReader({
    onAnswer(status, body) {
      const sent = prepared
      if (sent?.expectedStatus !== status) {
        fail(
          new Error(
            `an answer was ${status}, not ${String(sent?.expectedStatus)}: ${body().slice(0, BODY_CHARACTERS_SHOWN)}`,
          ),
        )
        return
      }
      onAnswered(connection, sent, intendedMs)
    },
  })
  const onread = {
    buffer: readBuffer,
    callback(length: number): boolean {
      try {
        reader.read(readBuffer.subarray(0, length), length)
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
      return true
    },
  }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
  const connection: Connection = {
    send(dueMs) {
      intendedMs = dueMs
      prepared = choose()
      socket.write(prepared.next())
      onSent(prepared, dueMs)
      // The bytes are used again for the next request, so they must be gone.
      if (socket.writableLength > 0) fail(new Error('a request could not be sent at once'))
    },
  }
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve({ socket, connection }))
    socket.once('error', (error) => {
      reject(error)
      fail(error)
    })
    socket.once('end', () => fail(new Error('the server closed a connection')))
  })
}
