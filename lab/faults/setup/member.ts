import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@tollgate/testkit'
import { startGateway, startWorker } from '../../rig/gateway.ts'
import type { Program, Settings } from '../../rig/programs.ts'
import type { DurableServer } from '../../rig/server.ts'
import type { Kills } from './kills.ts'

const START_TRIES_MAX = 20
const START_PAUSE_MS = 500

/** A process of the gateway that is started again as often as it ends, with the same settings. */
export interface Member {
  /** SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>
  /** SIGTERM: it finishes what is under way. */
  stop(): Promise<void>
  /**
   * Starts it when it has ended, this time with further settings if there are any, and from other sources if a folder is
   * named; waits until it is ready. Throws when it cannot be started.
   */
  revive(further?: Settings, root?: string): Promise<void>
  /** Whether it has ended, by itself or not. */
  hasEnded(): boolean
  /** Stands still for so long. */
  freeze(ms: number): Promise<void>
  pid(): number
  /** The last that it has said, and what it said before it was started again since it was last asked. */
  takeOutput(): string
}

interface MemberOptions {
  readonly server: DurableServer
  readonly settings: Settings
  readonly kills: Kills
  /** Where the sources are with which it begins, if not here. Revived, it is of these. */
  readonly root?: string | undefined
}

/** A process of the API on its own port. */
export interface ApiMember extends Member {
  readonly number: number
  readonly port: number
  readonly operatorPort: number
}

export async function startApi(number: number, options: MemberOptions): Promise<ApiMember> {
  const [port, operatorPort] = await Promise.all([freePort(), freePort()])
  const ports = { TOLLGATE_API_PORT: String(port), TOLLGATE_OPERATOR_PORT: String(operatorPort) }
  const settings = { ...options.settings, ...ports }
  const name = `tollgate serve ${number}`
  const start: Start = async (further, root) =>
    (await startGateway(options.server, { name, settings: { ...settings, ...further }, root })).program
  const member = createMember(await start(undefined, options.root), start, () =>
    options.kills.note('API', number),
  )
  return { ...member, number, port, operatorPort }
}

export async function startWorkerMember({
  server,
  settings,
  kills,
  root: first,
}: MemberOptions): Promise<Member> {
  const start: Start = (further, root) => startWorker(server, { ...settings, ...further }, root)
  return createMember(await start(undefined, first), start, () => kills.note('worker'))
}

type Start = (further?: Settings, root?: string) => Promise<Program>

function createMember(first: Program, start: Start, noteKill: () => void): Member {
  let program = first
  let saidBefore = ''
  return {
    pid: () => program.pid,
    takeOutput() {
      const output = saidBefore + program.output()
      saidBefore = ''
      return output
    },
    async kill() {
      noteKill()
      await program.kill()
    },
    stop: () => program.stop(),
    hasEnded: () => program.hasEnded(),
    async revive(further, root) {
      if (!program.hasEnded()) return
      saidBefore += program.output()
      program = await startPatiently(() => start(further, root))
    },
    async freeze(ms) {
      program.pause()
      await sleep(ms)
      program.resume()
    },
  }
}

/** A process that finds no database ends after a while, and whoever looks after it tries again. */
async function startPatiently(start: () => Promise<Program>): Promise<Program> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      if (tries === START_TRIES_MAX) throw error
      await sleep(START_PAUSE_MS)
    }
  }
}
