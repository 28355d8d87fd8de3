import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../rig/random.ts'
import { createStaff, type Staff } from '../driver/staff.ts'
import type { Stage } from '../setup/stage.ts'

const PAUSE_MS_MAX = 600
const REPEAT_PAUSE_MS = 200
const TRIES_MAX = 300

/** One of those who work on while processes die: operators, and who asks for the payments that they decide about. */
export interface Member {
  readonly stage: Stage
  readonly staff: Staff
  readonly random: Random
  /** Of who asks, in the history. */
  readonly client: number
}

/** Several who do the same again and again, until they are told to stop. */
interface Crew {
  stop(): Promise<void>
}

/** Each member does the round of one of the jobs, with a pause after it; the clients are numbered from `client` on. */
export function startCrew(
  stage: Stage,
  random: Random,
  {
    jobs,
    client,
  }: { readonly jobs: readonly ((member: Member) => Promise<void>)[]; readonly client: number },
): Crew {
  const staff = createStaff({
    dataDir: stage.server.dataDir,
    random: random.fork(),
    say: stage.say,
    ports: stage.apis.map(({ operatorPort }) => operatorPort),
  })
  let isRunning = true
  async function work(job: (member: Member) => Promise<void>, index: number): Promise<void> {
    const member = { stage, staff, random: random.fork(), client: client + index }
    while (isRunning) {
      await job(member)
      await sleep(member.random.below(PAUSE_MS_MAX))
    }
  }
  const members = jobs.map(work)
  return {
    async stop() {
      isRunning = false
      await Promise.all(members)
    },
  }
}

/** As often as it takes; undefined when it never comes to anything. */
export async function tryOften<Result>(
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await attempt()
    if (result !== undefined) return result
    await sleep(REPEAT_PAUSE_MS)
  }
  return undefined
}
