import {
  type Demo,
  type GatewayProcess,
  type GatewayStart,
  issueToken,
  prepareInstallation,
  startGateway,
} from '../rig/gateway.ts'
import { fundMerchants } from '../rig/merchants.ts'
import { closeAtSignal } from '../rig/programs.ts'
import { type DurableServer, startDurableServer } from '../rig/server.ts'
import type { RunOptions } from './arguments.ts'
import type { LoadPlan, RequestTemplate } from './load/plan.ts'
import { createDatabaseGauge, type DatabaseGauge } from './measure/database.ts'
import { type LoadRound, type Round, runRound } from './measure/round.ts'

/** What every part of a run shares: the server, the installation, and a gateway with its defaults. */
export interface Bench {
  readonly options: RunOptions
  readonly server: DurableServer
  readonly gauge: DatabaseGauge
  readonly demo: Demo
  readonly gateway: GatewayProcess
  /** Of the merchant of the sandbox. */
  readonly token: string
  /** Another gateway, which ends with the run. */
  startGateway(start: GatewayStart): Promise<GatewayProcess>
  /** To be called at the end of the run, last in first out. */
  atEnd(stop: () => Promise<void>): void
  say(line: string): void
  close(): Promise<void>
}

/** Starts everything. Throws NotDurable when the server is not. */
export async function openBench(options: RunOptions): Promise<Bench> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  const stops: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  closeAtSignal(close)
  try {
    const server = await startDurableServer(options.dataDir)
    stops.push(() => server.stop())
    say(settingsLine(server))
    const demo = await prepareInstallation(server)
    await fundMerchants(server.sql)
    const start = async (options: GatewayStart): Promise<GatewayProcess> => {
      const gateway = await startGateway(server, options)
      stops.push(() => gateway.stop())
      return gateway
    }
    const gateway = await start({})
    return {
      options,
      server,
      gauge: await createDatabaseGauge(server.sql),
      demo,
      gateway,
      token: await issueToken(gateway.port, demo),
      startGateway: start,
      atEnd: (stop) => stops.push(stop),
      say,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function settingsLine({ settings }: DurableServer): string {
  const shown = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return `PostgreSQL: ${shown.join(' ')}`
}

/** Loads a gateway once, as the options of the run say. */
export function loadGateway(
  { options, gauge }: Bench,
  gateway: GatewayProcess,
  templates: readonly RequestTemplate[],
  changes: Partial<LoadPlan> & Partial<Pick<LoadRound, 'pids' | 'keepsSessions'>> = {},
): Promise<Round> {
  const { pids = [gateway.program.pid], keepsSessions = false, ...plan } = changes
  return runRound({
    gauge,
    usesDatabase: true,
    keepsSessions,
    pids,
    plan: planFor(options, gateway.port, templates, plan),
  })
}

export function planFor(
  options: RunOptions,
  port: number,
  templates: readonly RequestTemplate[],
  changes: Partial<LoadPlan> = {},
): LoadPlan {
  const { connections, seconds, warmupSeconds } = options
  return { port, connections, seconds, warmupSeconds, templates, ...changes }
}
