import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Clock, type Log, systemClock } from '@tollgate/runtime'
import { createMetricsServer } from '@tollgate/runtime/metrics'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { sharedCompileCache } from './compile-cache.ts'
import { untilStopSignal } from './lifecycle.ts'
import { isMetricsAnswer, type MetricsQuestion, STOP } from './process-messages.ts'

// `tollgate serve --workers`: this process looks after those that serve. They share its ports.

const PROCESS_MAIN = fileURLToPath(new URL('../worker.ts', import.meta.url))
const METRICS_TIMEOUT_MS = 2_000
/** What a process may take beyond its drain. */
const END_SLACK_MS = 10_000

interface SupervisionOptions {
  readonly config: Config
  readonly log: Log
  /** How many processes serve. */
  readonly count: number
}

/**
 * Runs so many processes of the API until a signal asks for the end; starts each again that ends by itself. Resolves when
 * all have ended: to false when it gave up because they ended too often.
 */
export async function runProcesses({ config, log, count }: SupervisionOptions): Promise<boolean> {
  const stop = untilStopSignal()
  const crew = createCrew(log, count)
  // Also after the second signal: nobody is left behind.
  process.once('exit', crew.kill)
  const metricsServer = createMetricsServer(crew)
  await metricsServer.listen({ host: config.hosts.METRICS, port: config.TOLLGATE_METRICS_PORT })
  crew.start()
  const hasGivenUp = await Promise.race([stop.then(() => false), crew.hasGivenUp])
  log.info({}, 'the processes finish what is under way')
  const patience = new AbortController()
  const kill = sleep(config.TOLLGATE_DRAIN_SECONDS * 1000 + END_SLACK_MS, undefined, patience)
  kill.then(crew.kill).catch(() => undefined)
  await crew.stop()
  patience.abort()
  await metricsServer.close()
  log.info({}, 'all processes have stopped')
  return !hasGivenUp
}

/** Of all processes, each series with its `process`. */
type Exposition = Pick<Registry, 'contentType' | 'metrics'>

/** The processes that serve. */
interface Crew extends Exposition {
  start(): void
  /** Asks each to finish, and resolves when all have ended. */
  stop(): Promise<true>
  /** Ends all at once. */
  readonly kill: () => void
  /** Resolves when they have ended too often. */
  readonly hasGivenUp: Promise<true>
}

function createCrew(log: Log, count: number): Crew {
  const running = new Map<number, Worker>()
  const restarts = createRestarts(systemClock, count)
  const { noteEnd, onMessage, ...exposition } = createCrewMetrics(running)
  const { promise: hasGivenUp, resolve: giveUp } = Promise.withResolvers<true>()
  const { promise: allEnded, resolve: noteAllEnded } = Promise.withResolvers<true>()
  let isStopping = false

  function startOne(number: number): void {
    if (isStopping) return
    const worker = fork(number)
    running.set(number, worker)
    log.info({ process: String(number), pid: worker.process.pid }, 'a process of the API is started')
    worker.on('message', onMessage)
    worker.on('error', (error) => log.error({ err: error }, 'a process of the API could not be reached'))
    worker.once('exit', (code, signal) => onEnd(number, { code, signal }))
  }

  function onEnd(number: number, end: { readonly code: number; readonly signal: string }): void {
    running.delete(number)
    if (isStopping) {
      if (running.size === 0) noteAllEnded(true)
      return
    }
    noteEnd()
    const pauseMs = restarts.afterEnd()
    const process = String(number)
    log.error({ process, ...end, pauseMs }, 'a process of the API ended by itself')
    if (pauseMs === undefined) giveUp(true)
    else setTimeout(() => startOne(number), pauseMs)
  }

  return {
    start() {
      for (let number = 1; number <= count; number += 1) startOne(number)
    },
    stop() {
      isStopping = true
      if (running.size === 0) noteAllEnded(true)
      for (const worker of running.values()) if (worker.isConnected()) worker.send(STOP)
      return allEnded
    },
    kill: () => {
      for (const worker of running.values()) worker.process.kill('SIGKILL')
    },
    hasGivenUp,
    ...exposition,
  }
}

function fork(number: number): Worker {
  cluster.setupPrimary({ exec: PROCESS_MAIN, args: [String(number)] })
  return cluster.fork(sharedCompileCache())
}

interface CrewMetrics extends Exposition {
  noteEnd(): void
  readonly onMessage: (message: unknown) => void
}

function createCrewMetrics(running: ReadonlyMap<number, Worker>): CrewMetrics {
  const registry = new Registry()
  new Gauge({
    name: 'tollgate_api_processes',
    help: 'Processes of the API that run.',
    registers: [registry],
    collect() {
      this.set(running.size)
    },
  })
  const ends = new Counter({
    name: 'tollgate_api_process_ends_total',
    help: 'Processes of the API that ended by themselves.',
    registers: [registry],
  })
  const { ask, onMessage } = createQuestions()
  return {
    noteEnd: () => ends.inc(),
    onMessage,
    contentType: registry.contentType,
    async metrics() {
      const texts = await Promise.all([...running.values()].map(ask))
      return mergeExpositions([await registry.metrics(), ...texts])
    },
  }
}

interface Questions {
  /** The metrics of the process; nothing when it does not answer in time. */
  readonly ask: (worker: Worker) => Promise<string>
  readonly onMessage: (message: unknown) => void
}

function createQuestions(): Questions {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  return {
    async ask(worker) {
      if (!worker.isConnected()) return ''
      asked += 1
      const number = asked
      const answer = new Promise<string>((resolve) => void waiting.set(number, resolve))
      worker.send({ metricsQuestion: number } satisfies MetricsQuestion)
      const timeout = new AbortController()
      const late = sleep(METRICS_TIMEOUT_MS, '', timeout).catch(() => '')
      const text = await Promise.race([answer, late])
      timeout.abort()
      waiting.delete(number)
      return text
    },
    onMessage(message) {
      if (isMetricsAnswer(message)) waiting.get(message.metricsAnswer)?.(message.text)
    },
  }
}

/** One text in the format of Prometheus out of several: the series of a metric stand together, under one head. */
export function mergeExpositions(texts: readonly string[]): string {
  const series = new Map<string, string[]>()
  for (const block of texts.flatMap((text) => text.trim().split('\n\n'))) {
    const [help = '', type = '', ...lines] = block.split('\n')
    if (help === '') continue
    const head = `${help}\n${type}`
    const known = series.get(head) ?? []
    known.push(...lines)
    series.set(head, known)
  }
  return [...series].map(([head, lines]) => `${[head, ...lines].join('\n')}\n`).join('\n')
}

const WINDOW_MS = 60_000
/** So many ends within the window are no accident. More processes than that may each have their own once. */
const ENDS_MAX = 5
const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 5_000

/** Whether processes that ended are started again, and when. */
interface Restarts {
  /** Milliseconds until the process that has just ended is started again; undefined when it is time to give up. */
  afterEnd(): number | undefined
}

/** For so many processes: the more of them have ended within a minute, the longer the pause. */
export function createRestarts(clock: Pick<Clock, 'monotonicMs'>, processes: number): Restarts {
  let ends: readonly number[] = []
  return {
    afterEnd() {
      const nowMs = clock.monotonicMs()
      ends = [...ends.filter((endMs) => nowMs - endMs < WINDOW_MS), nowMs]
      if (ends.length >= Math.max(ENDS_MAX, processes + 1)) return undefined
      return Math.min(PAUSE_MS_MIN * 2 ** (ends.length - 1), PAUSE_MS_MAX)
    },
  }
}
