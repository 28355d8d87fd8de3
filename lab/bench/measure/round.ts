import { cpuOf, idleShare, machineTime, residentMib } from '../../rig/kernel.ts'
import { runLoad } from '../load/drive.ts'
import { type Latencies, latenciesOf } from '../load/histogram.ts'
import type { LoadPlan, LoadResult } from '../load/plan.ts'
import type { DatabaseGauge, WalReading } from './database.ts'

/** What one contender did in one round. */
export interface Round {
  readonly perSecond: number
  readonly requests: number
  readonly latencyMs: Latencies | null
  /** Processor time per request, in microseconds; 0 for what took no part. */
  readonly cpuMicroseconds: {
    readonly contender: number
    readonly postgres: number
    readonly generator: number
  }
  /** Of the contender's largest process, at the end of the round. */
  readonly residentMib: number
  readonly walBytesPerRequest: number
  /** Of them, those of full-page images. */
  readonly fullPageBytesPerRequest: number
  readonly fsyncsPerRequest: number
  /** The share of all processors that was idle. */
  readonly idleShare: number
}

export interface LoadRound {
  readonly gauge: DatabaseGauge
  /** The process under test, and others that do its work. */
  readonly pids: readonly number[]
  readonly plan: LoadPlan
  /** False for a contender that has no database: nothing is waited for then. */
  readonly usesDatabase: boolean
  /** True while work goes on beside the load: whoever does it must not find sessions cut. */
  readonly keepsSessions?: boolean
}

interface CpuReading {
  readonly contender: number
  readonly postgres: number
}

/** Loads a contender once. Throws LoadFailed at the first answer that is not the expected one. */
export async function runRound(order: LoadRound): Promise<Round> {
  const { gauge, pids, plan, usesDatabase } = order
  const read = (): CpuReading => ({ contender: sum(pids.map(cpuOf)), postgres: gauge.cpu() })
  if (usesDatabase) await gauge.checkpoint()
  const walBefore = await readWal(order)
  let before = read()
  let after = before
  let machineBefore = machineTime()
  let machineAfter = machineBefore
  const result = await runLoad(plan, {
    onMeasuring: () => {
      before = read()
      machineBefore = machineTime()
    },
    onMeasured: () => {
      after = read()
      machineAfter = machineTime()
    },
  })
  const memory = Math.max(0, ...pids.map(residentMib))
  const walAfter = await readWal(order)
  const requests = requestsOf(result)
  const perRequest = (microseconds: number): number => microseconds / Math.max(1, requests)
  return {
    perSecond: requests / result.seconds,
    requests,
    latencyMs: latenciesOf(result.labels.flatMap(({ latencies }) => latencies)) ?? null,
    cpuMicroseconds: {
      contender: perRequest(after.contender - before.contender),
      postgres: usesDatabase ? perRequest(after.postgres - before.postgres) : 0,
      generator: perRequest(result.cpuMicroseconds),
    },
    residentMib: memory,
    walBytesPerRequest: (walAfter.bytes - walBefore.bytes) / Math.max(1, result.requestsInAll),
    fullPageBytesPerRequest:
      (usesDatabase ? await gauge.fullPageBytes(walBefore, walAfter) : 0) / Math.max(1, result.requestsInAll),
    fsyncsPerRequest: (walAfter.fsyncs - walBefore.fsyncs) / Math.max(1, result.requestsInAll),
    idleShare: idleShare(machineBefore, machineAfter),
  }
}

const NO_WAL = { bytes: 0, fsyncs: 0 }

async function readWal({ gauge, usesDatabase, keepsSessions = false }: LoadRound): Promise<WalReading> {
  if (!usesDatabase) return NO_WAL
  return keepsSessions ? gauge.walInPassing() : gauge.wal()
}

function requestsOf({ labels }: LoadResult): number {
  return sum(labels.map(({ requests }) => requests))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
