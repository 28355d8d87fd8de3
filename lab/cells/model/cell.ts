import { createBatches } from './batches.ts'
import type { Costs } from './costs.ts'
import { createProcessor, createThread } from './processor.ts'
import type { Timeline } from './timeline.ts'

export interface CellOptions {
  readonly costs: Costs
  /** Of creates; as the gateway's settings are by default where nothing is said. */
  readonly rowsMax?: number
  readonly inFlightMax?: number
  /** False: payments are created and nothing else, as in the measurement of creates. */
  readonly hasWorker?: boolean
}

/** One installation: a process for the API, one worker, PostgreSQL. */
export interface Cell {
  /** `onAnswered` hears whether it was accepted (201) or not (500 with Retry-After); `onEnded`, when the merchant was told of its end. */
  create(onAnswered: (isAccepted: boolean) => void, onEnded?: () => void): void
  loseDatabase(): void
  findDatabase(): void
  /** Accepted, and their merchants not yet told of their end. */
  unfinished(): number
  /** Of a core, until now. */
  used(): { readonly gatewayMs: number; readonly postgresMs: number }
}

/** TOLLGATE_BATCH_ROWS_MAX, TOLLGATE_BATCHES_IN_FLIGHT_MAX, and the waiters of docs/performance.md. */
const ROWS_MAX = 128
const IN_FLIGHT_MAX = 2
const WAITING_MAX = 5_000
/** Of the gateway, and as many of PostgreSQL: the machine that was measured had two. */
const CORES = 1

/**
 * Left out, since no figure was measured for each: garbage collection, checkpoints, the load generator on the same cores,
 * and what the later steps of a payment cost in small batches.
 */
export function createCell(timeline: Timeline, options: CellOptions): Cell {
  const { costs, hasWorker = true } = options
  const gateway = createProcessor(timeline, CORES)
  const database = createProcessor(timeline, CORES)
  const api = createThread(gateway)
  const { create, rest } = costs
  const creates = createBatches({
    timeline,
    thread: api,
    database,
    limits: {
      rowsMax: options.rowsMax ?? ROWS_MAX,
      inFlightMax: options.inFlightMax ?? IN_FLIGHT_MAX,
      waitingMax: WAITING_MAX,
    },
    gatewayMs: () => create.gateway.batchMs,
    databaseMs: (rows) => create.postgres.batchMs + rows * create.postgres.rowMs,
    isPatient: false,
  })
  const steps = createBatches({
    timeline,
    thread: createThread(gateway),
    database,
    // What waits for the worker waits in the database.
    limits: { rowsMax: ROWS_MAX, inFlightMax: IN_FLIGHT_MAX, waitingMax: Infinity },
    gatewayMs: (rows) => rows * rest.gatewayMs,
    databaseMs: (rows) => rows * rest.postgresMs,
    isPatient: true,
  })
  let unfinished = 0

  function finish(onEnded: () => void): void {
    unfinished += 1
    steps.add(() => {
      unfinished -= 1
      onEnded()
    })
  }

  return {
    create(onAnswered, onEnded = () => undefined) {
      const answer = (isAccepted: boolean): void => {
        if (isAccepted && hasWorker) finish(onEnded)
        onAnswered(isAccepted)
      }
      api.run(
        () => create.gateway.rowMs,
        () => creates.add(answer),
      )
    },
    loseDatabase() {
      database.dropAll()
      creates.loseDatabase()
      steps.loseDatabase()
    },
    findDatabase() {
      creates.findDatabase()
      steps.findDatabase()
    },
    unfinished: () => unfinished,
    used: () => ({ gatewayMs: gateway.usedMs(), postgresMs: database.usedMs() / costs.waiting }),
  }
}
