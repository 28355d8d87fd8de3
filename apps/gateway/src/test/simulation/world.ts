import { AsyncLocalStorage } from 'node:async_hooks'
import type { KeyObject } from 'node:crypto'
import { createRandom, type Random } from '../../../../../lab/rig/random.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Bank, type BankPayment, createBank, RAIL_CODE } from './bank.ts'
import { createServer, type Server, type TakeOver } from './database.ts'
import { createDisk, type Disk } from './disk.ts'
import { createMemory, type Engine, makePatient } from './engine.ts'
import { createFaults } from './faults.ts'
import { type Api, callbackKeyOf, createIds, openApi, type Surroundings, startWorkers } from './gateway.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import { MERCHANTS, openShop, receiverHost } from './shop.ts'
import type { Session, Statements } from './statements.ts'
import { APPROVAL_STATEMENTS } from './statements-approvals.ts'
import { CALLBACK_STATEMENTS } from './statements-callbacks.ts'
import { CONFIGURATION_STATEMENTS } from './statements-configuration.ts'
import { CONFIRMATION_STATEMENTS } from './statements-confirmations.ts'
import { HAND_OVER_STATEMENTS } from './statements-hand-overs.ts'
import { LEDGER_STATEMENTS } from './statements-ledger.ts'
import { NOTIFICATION_STATEMENTS } from './statements-notifications.ts'
import { PAYMENT_STATEMENTS } from './statements-payments.ts'
import { TASK_STATEMENTS } from './statements-tasks.ts'
import { createTime, type Life, type VirtualTime, within } from './time.ts'

/** Everything that the stores of the simulated rooms ask of a database. */
export const STATEMENTS: Statements = {
  ...PAYMENT_STATEMENTS,
  ...TASK_STATEMENTS,
  ...HAND_OVER_STATEMENTS,
  ...APPROVAL_STATEMENTS,
  ...CONFIRMATION_STATEMENTS,
  ...LEDGER_STATEMENTS,
  ...CALLBACK_STATEMENTS,
  ...NOTIFICATION_STATEMENTS,
  ...CONFIGURATION_STATEMENTS,
  confirm_seen({ disk }: Session) {
    disk.emit()
    return [{}]
  },
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
  /** What an operator does, in a process of its own; false when it came to nothing that the operator heard of. */
  operate(work: (db: Database) => Promise<unknown>): Promise<boolean>
  /** Whether the API answers. */
  isOpen(): boolean
  /** The database goes away, and its standby takes over. */
  failOver(failover: Failover): void
  /** Whether the standby hears nothing, and has not taken over yet. */
  isFailingOver(): boolean
  /** How often a standby took over. */
  failovers(): number
  crash(name: ProcessName): void
  /** Ends all processes, and with them what they have open in the database. */
  close(): Promise<void>
  /** Sets the wall clock of a process. */
  skew(name: ProcessName, ms: number): void
  /** How often processes ended. */
  crashes(): number
  /** The most calls of the database that any one request took. */
  callsMax(): number
}

export interface Failover extends TakeOver {
  /** For so long before, the primary is there and its standby hears nothing. */
  readonly cutOffMs: number
}

export interface WorldOptions {
  readonly seed: number
  /** Whether chance may let things go wrong now. */
  readonly isFaulty?: (nowMs: number) => boolean
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

/** The requests that are being answered, with how often each has called the database. */
const requests = new AsyncLocalStorage<{ calls: number }>()

function noteCall(): void {
  const request = requests.getStore()
  if (request !== undefined) request.calls += 1
}

interface Running {
  readonly life: Life
  /** Undefined for workers. */
  readonly api: Api | undefined
}

export function createWorld(options: WorldOptions): World {
  const random = createRandom(options.seed)
  const disk = createDisk()
  const watched = new WeakMap<Life, ConfigurationChanges>()
  const isBehind = (life: Life): boolean => {
    const staleMs = watched.get(life)?.staleMs() ?? 0
    return time.nowMs() - staleMs <= server.configurationChangedMs()
  }
  const time: VirtualTime = createTime({
    startMs: START_MS,
    isBehind,
    nextDueMs: () => engine.nextDueMs(),
  })
  openShop(disk)
  const running = new Map<ProcessName, Running>()
  const skews = new Map<ProcessName, number>()
  const ids = createIds(random.fork())
  const latencies = random.fork()
  const latencyMs = (): number => 1 + latencies.below(LATENCY_MS)
  let [crashes, failovers] = [0, 0]
  let isFailingOver = false

  function end(life: Life): void {
    if (life.isOver) return
    life.isOver = true
    crashes += 1
    time.after(0, () => void server.drop(life))
    const name = PROCESSES.find((each) => each === life.name)
    if (name !== undefined) time.after(200 + random.below(RESTART_MS_MAX), () => start(name))
  }
  const faults = createFaults({
    random: random.fork(),
    onCrash: end,
    isOn: () => options.isFaulty?.(time.nowMs()) ?? false,
  })
  const engine: Engine = engineFor(options, disk, time)
  const server = createServer({
    engine,
    time,
    random: random.fork(),
    faults,
    onStatement: options.onStatement,
    onCall: noteCall,
  })
  const bank = createBank({
    time,
    faults,
    latencyMs,
    onHandOver: (reference, payment) => options.onHandOver?.(world, reference, payment),
  })
  const receivers = createReceivers({ time, faults, latencyMs, keysOf: (host) => keysOf(disk, time, host) })

  function start(name: ProcessName): void {
    const life: Life = { name, time, callsUnderWay: 0, isOver: false }
    const surroundings: Surroundings = {
      life,
      time,
      ids,
      bank,
      receivers,
      db: server.connect(life),
      skewMs: () => skews.get(name) ?? 0,
      onWatch: (changes) => void watched.set(life, changes),
      isBehind: () => isBehind(life),
    }
    running.set(name, { life, api: undefined })
    within(life, () => {
      const opened = name === 'api' ? openApi(surroundings) : startWorkers(surroundings)
      opened.then(
        (api) => void running.set(name, { life, api: api ?? undefined }),
        // What cannot start ends, and is started again.
        () => end(life),
      )
    })
  }
  for (const name of PROCESSES) start(name)

  let callsMax = 0
  const reach = createClient({ time, latencyMs, api: () => running.get('api') })
  const world: World = {
    time,
    random,
    disk,
    server,
    bank,
    receivers,
    faults,
    crashes: () => crashes,
    callsMax: () => callsMax,
    request: (status, work) =>
      reach((api) =>
        requests.run({ calls: 0 }, async () => {
          const answer = await answerOf(status, () => work(api))
          callsMax = Math.max(callsMax, requests.getStore()?.calls ?? 0)
          return answer
        }),
      ),
    async notify(message) {
      const answer = await reach(async (api) => {
        const reception = await api.notifications.accept(RAIL_CODE, message)
        return { status: reception === 'TAKEN' ? 200 : 401, code: reception }
      })
      return answer.status === 200
    },
    isOpen: () => running.get('api')?.api !== undefined,
    operate(work) {
      const life: Life = { name: 'operator', time, callsUnderWay: 0, isOver: false }
      return new Promise<boolean>((resolve) => {
        time.after(CLIENT_PATIENCE_MS, () => resolve(false))
        within(life, () => work(server.connect(life))).then(
          () => resolve(true),
          () => resolve(false),
        )
      }).finally(() => {
        life.isOver = true
        void server.drop(life)
      })
    },
    failOver({ cutOffMs, ...how }) {
      if (isFailingOver) return
      isFailingOver = true
      server.cutOff()
      time.after(cutOffMs, () => {
        void server.takeOver(how).then(() => {
          isFailingOver = false
          failovers += 1
        })
      })
    },
    isFailingOver: () => isFailingOver,
    failovers: () => failovers,
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

/** What operators changed counts everywhere within so long, even when the database was away. */
export const TAKEN_IN_MS = 10_000

/** The key of the host's merchant that is in force, and those that were until just now. */
function keysOf(disk: Disk, time: VirtualTime, host: string): readonly KeyObject[] {
  const merchantId = MERCHANTS.find((each) => receiverHost(each) === host) ?? ''
  const current = disk.merchants.get(merchantId)?.callback_key_generation ?? 0
  const sinceMs = time.nowMs() - TAKEN_IN_MS
  const changes = [...disk.changedConfiguration.values()].filter(
    ({ scope, merchant_id, changed_at }) =>
      scope === 'MERCHANT' && merchant_id === merchantId && changed_at >= sinceMs * 1_000,
  )
  const count = Math.min(current, 1 + changes.length)
  return Array.from({ length: count }, (_, ago) => callbackKeyOf(merchantId, current - ago))
}

/** The configuration is in memory, whatever holds the rest. */
function engineFor(
  { statements = STATEMENTS, isPatient, engine }: WorldOptions,
  disk: Disk,
  time: VirtualTime,
): Engine {
  const quick = createMemory(disk, statements, time)
  const memory = isPatient === true ? makePatient(quick, time) : quick
  const other = engine?.(time)
  if (other === undefined) return memory
  const routed =
    (run: Engine['run']): Engine['run'] =>
    (statement, values) =>
      (statement.name in CONFIGURATION_STATEMENTS ? memory.run : run)(statement, values)
  return {
    log: undefined,
    nextDueMs: () => other.nextDueMs(),
    run: routed(other.run),
    async begin() {
      const transaction = await other.begin()
      return { ...transaction, run: routed(transaction.run) }
    },
  }
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
