import { createRandom, type Random } from '../../../../../faults/random.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Bank, type BankPayment, createBank, RAIL_CODE } from './bank.ts'
import { createMemory, createServer, type Engine, makePatient, type Server } from './database.ts'
import { createDisk, type Disk } from './disk.ts'
import { createFaults } from './faults.ts'
import { type Api, createIds, openApi, type Surroundings, startWorkers } from './gateway.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import type { Statements } from './statements.ts'
import { CALLBACK_STATEMENTS } from './statements-callbacks.ts'
import { LEDGER_STATEMENTS } from './statements-ledger.ts'
import { NOTIFICATION_STATEMENTS } from './statements-notifications.ts'
import { PAYMENT_STATEMENTS } from './statements-payments.ts'
import { TASK_STATEMENTS } from './statements-tasks.ts'
import { createTime, type Life, type VirtualTime, within } from './time.ts'

/** Everything that the stores of the simulated rooms ask of a database. */
export const STATEMENTS: Statements = {
  ...PAYMENT_STATEMENTS,
  ...TASK_STATEMENTS,
  ...LEDGER_STATEMENTS,
  ...CALLBACK_STATEMENTS,
  ...NOTIFICATION_STATEMENTS,
  // What is committed here is safe at once.
  confirm_seen: () => [{}],
}

export const PROCESSES = ['api', 'worker-1', 'worker-2'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** An answer of the API; UNANSWERED when the client heard nothing. */
export interface Answer {
  readonly status: number | 'UNANSWERED'
  readonly code: string
  /** What the answer says, where it says something. */
  readonly body?: unknown
}

/** A gateway with everything around it, in one process and on a clock of its own. */
export interface World {
  readonly time: VirtualTime
  readonly random: Random
  readonly disk: Disk
  readonly server: Server
  readonly bank: Bank
  readonly receivers: Receivers
  readonly faults: ReturnType<typeof createFaults>
  /** Makes a request: what is done in the API once it has arrived, with the status of a success. */
  request(status: number, work: (api: Api) => Promise<unknown>): Promise<Answer>
  /** Delivers a message of the institution; false when it was not taken. */
  notify(message: Parameters<Api['notifications']['accept']>[1]): Promise<boolean>
  crash(name: ProcessName): void
  /** Ends all processes, and with them what they have open in the database. */
  close(): Promise<void>
  /** Sets the wall clock of a process. */
  skew(name: ProcessName, ms: number): void
  /** How often processes ended. */
  crashes(): number
  /** Statuses that the API gave, whether anybody heard them or not. */
  readonly given: Answer[]
}

export interface WorldOptions {
  readonly seed: number
  /** Whether chance may let things go wrong now. */
  readonly isFaulty?: () => boolean
  readonly statements?: Statements
  /** Lets the memory answer as a real database does: when all else of the moment is done. */
  readonly isPatient?: true
  /** Another database than the one in memory. */
  readonly engine?: (time: VirtualTime) => Engine
  readonly onStatement?: ((name: string, rows: readonly object[]) => void) | undefined
  readonly onHandOver?: (world: World, reference: string, payment: BankPayment) => void
}

/** The morning of an ordinary day. */
export const START_MS = Date.UTC(2030, 5, 3, 6)
const CLIENT_PATIENCE_MS = 10_000
const RESTART_MS_MAX = 3_000
const LATENCY_MS = 20

interface Running {
  readonly life: Life
  /** Undefined for workers. */
  readonly api: Api | undefined
}

export function createWorld(options: WorldOptions): World {
  const random = createRandom(options.seed)
  const disk = createDisk()
  const time: VirtualTime = createTime({ startMs: START_MS, nextDueMs: () => engine.nextDueMs() })
  const running = new Map<ProcessName, Running>()
  const skews = new Map<ProcessName, number>()
  const ids = createIds(random.fork())
  const latencies = random.fork()
  const latencyMs = (): number => 1 + latencies.below(LATENCY_MS)
  let crashes = 0

  function end(life: Life): void {
    if (life.isOver) return
    life.isOver = true
    crashes += 1
    time.after(0, () => void server.drop(life))
    const name = PROCESSES.find((each) => each === life.name)
    if (name !== undefined) time.after(200 + random.below(RESTART_MS_MAX), () => start(name))
  }
  const faults = createFaults({
    ...{ random: random.fork(), onCrash: end, isOn: options.isFaulty ?? (() => false) },
  })
  const engine: Engine = options.engine?.(time) ?? memoryFor(options, disk, time)
  const server = createServer({
    ...{ engine, time, random: random.fork(), faults, onStatement: options.onStatement },
  })
  const bank = createBank({
    ...{ time, faults, latencyMs },
    onHandOver: (reference, payment) => options.onHandOver?.(world, reference, payment),
  })
  const receivers = createReceivers({ time, faults, latencyMs })

  function start(name: ProcessName): void {
    const life: Life = { name, time, callsUnderWay: 0, isOver: false }
    const surroundings: Surroundings = {
      ...{ life, time, ids, bank, receivers, db: server.connect(life) },
      skewMs: () => skews.get(name) ?? 0,
    }
    within(life, () => {
      if (name !== 'api') startWorkers(surroundings)
      running.set(name, { life, api: name === 'api' ? openApi(surroundings) : undefined })
    })
  }
  for (const name of PROCESSES) start(name)

  const given: Answer[] = []
  const reach = createClient({ time, latencyMs, api: () => running.get('api') })
  const world: World = {
    ...{ time, random, disk, server, bank, receivers, faults, given },
    crashes: () => crashes,
    request: (status, work) =>
      reach(async (api) => {
        const answer = await answerOf(status, () => work(api))
        given.push(answer)
        return answer
      }),
    async notify(message) {
      const answer = await reach(async (api) => {
        const reception = await api.notifications.accept(RAIL_CODE, message)
        return { status: reception === 'TAKEN' ? 200 : 401, code: reception }
      })
      return answer.status === 200
    },
    crash(name) {
      const process = running.get(name)
      if (process !== undefined) end(process.life)
    },
    async close() {
      for (const { life } of running.values()) {
        life.isOver = true
        await server.drop(life)
      }
    },
    skew: (name, ms) => void skews.set(name, ms),
  }
  return world
}

function memoryFor(
  { statements = STATEMENTS, isPatient }: WorldOptions,
  disk: Disk,
  time: VirtualTime,
): Engine {
  const memory = createMemory(disk, statements, time)
  return isPatient === true ? makePatient(memory, time) : memory
}

interface Reach {
  readonly time: VirtualTime
  readonly latencyMs: () => number
  readonly api: () => Running | undefined
}

/** The way of a request to whoever is the API when it arrives, and of its answer back. */
function createClient({ time, latencyMs, api: find }: Reach) {
  return (work: (api: Api) => Promise<Answer>): Promise<Answer> =>
    new Promise((resolve) => {
      const unanswered: Answer = { status: 'UNANSWERED', code: 'NONE' }
      const patience = time.after(CLIENT_PATIENCE_MS, () => resolve(unanswered))
      const end = (answer: Answer): void => {
        patience.cancel()
        resolve(answer)
      }
      const arrive = (): void => {
        const process = find()
        if (process?.api === undefined || process.life.isOver) {
          end(unanswered)
          return
        }
        const { life, api } = process
        life.callsUnderWay += 1
        const answered = within(life, () => work(api))
        void answered
          .catch((): Answer => ({ status: 500, code: 'SYSTEM' }))
          .then((answer) => {
            life.callsUnderWay -= 1
            time.after(latencyMs(), () => end(answer), life)
          })
      }
      time.after(latencyMs(), arrive)
    })
}

async function answerOf(status: number, work: () => Promise<unknown>): Promise<Answer> {
  try {
    return { status, code: 'OK', body: await work() }
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, code: error.code }
    return { status: 500, code: error instanceof Error ? error.name : 'UNKNOWN' }
  }
}
