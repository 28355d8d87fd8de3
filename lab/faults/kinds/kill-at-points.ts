import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, faultProxy } from '@tollgate/testkit'
import type { Settings } from '../../rig/programs.ts'
import type { Member } from '../setup/member.ts'
import type { Stage } from '../setup/stage.ts'
import type { PreparedFault } from './kind.ts'
import { API_POINTS, type Point, turns, WORKER_POINTS } from './points.ts'
import { inTurns, restart } from './restart.ts'

/** How long a process is waited for at a point; it may have nothing to do there. */
const ARRIVAL_MS_MAX = 8_000
const POLL_MS = 5
const RECEIVER_POINT = 'callbacks at their receiver, not yet answered'

/** A process with proxies of its own, so that what is seen there is its doing. */
interface Watched {
  readonly member: Member
  readonly settings: Settings
  readonly proxies: Readonly<Record<Point['at'], FaultProxy>>
}

/** Processes are killed just where they have said something and not yet heard, or heard and not yet said. */
export const killAtPoints: PreparedFault = {
  name: 'kill-at-points',
  isKill: true,
  title: 'SIGKILL at chosen points: of an API process and of a worker, or of both workers',
  async prepare(stage, random) {
    const { apis, workers } = await inTurns(stage, (member) => watch(stage, member))
    const nextApi = turns(apis, random)
    const nextWorker = turns(workers, random)
    const nextApiPoint = turns(API_POINTS, random)
    const nextWorkerPoint = turns([...WORKER_POINTS, RECEIVER_POINT] as const, random)
    return {
      async strike() {
        const point = nextWorkerPoint()
        await Promise.all([
          killAt(stage, nextApi(), nextApiPoint()),
          point === RECEIVER_POINT ? killAtReceiver(stage, workers) : killAt(stage, nextWorker(), point),
        ])
      },
      async end() {
        await inTurns(stage, (member) => restart(member))
        const proxies = [...apis, ...workers].flatMap((watched) => Object.values(watched.proxies))
        await Promise.all(proxies.map((proxy) => proxy.close()))
      },
    }
  },
}

/** Starts the process again behind its own proxies. */
async function watch({ server, bank, atEnd }: Stage, member: Member): Promise<Watched> {
  const life = { after: (clean: () => void | Promise<void>) => atEnd(async () => clean()) }
  const proxies = { DATABASE: await faultProxy(life, server.url), BANK: await faultProxy(life, bank.url) }
  const settings = {
    TOLLGATE_DATABASE_URL: proxies.DATABASE.url,
    TOLLGATE_SIMULATOR_PORT: String(proxies.BANK.port),
  }
  await restart(member, settings)
  return { member, settings, proxies }
}

async function killAt(stage: Stage, watched: Watched, { name, at, fault }: Point): Promise<void> {
  const proxy = watched.proxies[at]
  let ended: Promise<void> | undefined
  const onFault = (): void => {
    ended = watched.member.kill()
  }
  proxy.plan({ ...fault, onFault })
  await arrival(() => ended !== undefined)
  proxy.plan({ ...fault, times: 0 })
  await comeBack(stage, { name, ended, killed: [watched] })
}

/** The receiver does not see which worker it is that calls. */
async function killAtReceiver(stage: Stage, workers: readonly Watched[]): Promise<void> {
  let ended: Promise<unknown> | undefined
  stage.receivers.watch(() => {
    ended = Promise.all(workers.map(({ member }) => member.kill()))
  })
  await arrival(() => ended !== undefined)
  stage.receivers.watch(undefined)
  await comeBack(stage, { name: RECEIVER_POINT, ended, killed: workers })
}

async function arrival(hasCome: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + ARRIVAL_MS_MAX
  while (!hasCome() && performance.now() < deadlineMs) await sleep(POLL_MS)
}

interface Killed {
  readonly name: string
  /** Undefined: nobody came to the point. */
  readonly ended: Promise<unknown> | undefined
  readonly killed: readonly Watched[]
}

async function comeBack({ notes }: Stage, { name, ended, killed }: Killed): Promise<void> {
  if (ended === undefined) return
  notes.count(`killed at a point: ${name}`)
  await ended
  await Promise.all(killed.map(({ member, settings }) => member.revive(settings)))
}
