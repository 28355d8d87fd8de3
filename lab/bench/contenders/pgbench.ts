import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOf } from '../../rig/kernel.ts'
import { cleanEnvironment } from '../../rig/programs.ts'
import type { BenchScript } from './pgbench-script.ts'

/** PostgreSQL's own load generator. */
export interface Pgbench {
  readonly version: string
  run(order: PgbenchOrder): Promise<PgbenchResult>
}

export interface PgbenchOrder {
  readonly script: BenchScript
  readonly clients: number
  readonly seconds: number
  readonly planCacheMode: PlanCacheMode
  /** Writes every latency down, which costs pgbench a little; for few clients only. */
  readonly withLatencies?: boolean
}

export const PLAN_CACHE_MODES = ['force_custom_plan', 'force_generic_plan'] as const
type PlanCacheMode = (typeof PLAN_CACHE_MODES)[number]

export interface PgbenchResult {
  readonly transactions: number
  readonly throughputPerSecond: number
  readonly latencyMeanMs: number
  /** Of every transaction, in microseconds; empty unless they were asked for. */
  readonly latenciesMicroseconds: readonly number[]
  /** pgbench's own, in microseconds. */
  readonly cpuMicroseconds: number
}

export const PGBENCH_MISSING =
  'pgbench is not installed: apt-get install postgresql-contrib (or the client tools of your PostgreSQL)'

const GRACE_MS = 30_000
const CPU_POLL_MS = 50
const THREADS_MAX = 2
const LOG_LATENCY_FIELD = 2

/** The pgbench of this machine; undefined when there is none. */
export function findPgbench(options: { readonly url: string; readonly folder: string }): Pgbench | undefined {
  const found = spawnSync('pgbench', ['--version'], { encoding: 'utf8' })
  if (found.status !== 0) return undefined
  return { version: found.stdout.trim(), run: (order) => run(options, order) }
}

async function run(
  { url, folder }: { readonly url: string; readonly folder: string },
  order: PgbenchOrder,
): Promise<PgbenchResult> {
  const file = join(folder, `pgbench-${process.pid}.sql`)
  const logPrefix = join(folder, `pgbench-${process.pid}-log`)
  writeFileSync(file, order.script.text)
  try {
    const { output, pid, cpuMicroseconds } = await runProgram(url, order, [
      '--no-vacuum',
      '--protocol=prepared',
      `--file=${file}`,
      `--client=${order.clients}`,
      `--jobs=${Math.min(THREADS_MAX, order.clients)}`,
      `--time=${Math.ceil(order.seconds)}`,
      ...(order.withLatencies === true ? ['--log', `--log-prefix=${logPrefix}`] : []),
      ...order.script.variables.map(([name, value]) => `--define=${name}=${value}`),
    ])
    return {
      ...parseReport(output),
      cpuMicroseconds,
      latenciesMicroseconds: order.withLatencies === true ? readLatencies(`${logPrefix}.${pid}`) : [],
    }
  } finally {
    rmSync(file, { force: true })
  }
}

function runProgram(
  url: string,
  order: PgbenchOrder,
  args: readonly string[],
): Promise<{ readonly output: string; readonly pid: number; readonly cpuMicroseconds: number }> {
  const child = spawn('pgbench', [...args, url], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...cleanEnvironment(),
      PGOPTIONS: `-c plan_cache_mode=${order.planCacheMode} -c random_page_cost=1.1`,
    },
    timeout: order.seconds * 1000 + GRACE_MS,
  })
  const pid = child.pid ?? 0
  let output = ''
  const collect = (text: string): void => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  let cpuMicroseconds = 0
  const poll = setInterval(() => {
    cpuMicroseconds = Math.max(cpuMicroseconds, cpuOf(pid))
  }, CPU_POLL_MS)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearInterval(poll)
      if (code === 0) resolve({ output, pid, cpuMicroseconds })
      else reject(new Error(`pgbench failed: ${output}`))
    })
  })
}

/** What pgbench says at its end. Throws when a transaction failed. */
export function parseReport(
  output: string,
): Pick<PgbenchResult, 'transactions' | 'throughputPerSecond' | 'latencyMeanMs'> {
  const number = (pattern: RegExp): number => {
    const found = pattern.exec(output)?.[1]
    if (found === undefined) throw new Error(`pgbench said something else than expected: ${output}`)
    return Number(found)
  }
  const failed = /number of failed transactions: (\d+)/.exec(output)?.[1] ?? '0'
  if (failed !== '0') throw new Error(`${failed} transactions of pgbench failed: ${output}`)
  const transactions = number(/number of transactions actually processed: (\d+)/)
  // A short trial on a busy machine may get nothing done, and then pgbench gives no speed.
  if (transactions === 0) return { transactions, throughputPerSecond: 0, latencyMeanMs: 0 }
  return {
    transactions,
    throughputPerSecond: number(/^tps = ([\d.]+) \(without initial connection time\)/m),
    latencyMeanMs: number(/latency average = ([\d.]+) ms/),
  }
}

function readLatencies(file: string): readonly number[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  rmSync(file, { force: true })
  return lines.map((line) => Number(line.split(' ')[LOG_LATENCY_FIELD]))
}
