import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan } from '../driver/plans.ts'
import { createStaff, type Staff } from '../driver/staff.ts'
import type { Stage } from '../house/stage.ts'
import type { Random } from '../random.ts'
import { killProcesses } from './kill-processes.ts'
import type { PreparedFault } from './kind.ts'

const MERCHANTS = 3
const PAUSE_MS_MAX = 600
const REPEAT_PAUSE_MS = 200
const TRIES_MAX = 300
const HELD_SHARE = 0.6
/** Of who asks, in the history; others have lower numbers. */
const CLIENT = 950

/**
 * Payouts wait for two operators, are put on hold and released, or end by what two operators say, while the processes that take
 * their word die.
 */
export const killApprovals: PreparedFault = {
  name: 'kill-approvals',
  isKill: true,
  title:
    'SIGKILL of processes of the API and of workers while two operators approve payouts, put them on hold, release them, and say what became of others',
  prepare(stage, random) {
    const staff = createStaff({
      ...{ dataDir: stage.server.dataDir, random: random.fork(), say: stage.say },
      ports: stage.apis.map(({ operatorPort }) => operatorPort),
    })
    const crew = { isRunning: true }
    const merchants = Array.from({ length: MERCHANTS }, (_, index) =>
      payOut({ stage, staff, crew, random: random.fork(), client: CLIENT + index }),
    )
    const unsure = doubt({ stage, staff, crew, random: random.fork(), client: CLIENT + MERCHANTS })
    return Promise.resolve({
      strike: () => killProcesses.strike(stage, random),
      async end() {
        crew.isRunning = false
        await Promise.all([...merchants, unsure])
      },
    })
  },
}

interface Merchant {
  readonly stage: Stage
  readonly staff: Staff
  readonly crew: { readonly isRunning: boolean }
  readonly random: Random
  readonly client: number
}

/** Payouts that two operators have to approve; most of them are on hold for a while before. */
async function payOut({ stage, staff, crew, random, client }: Merchant): Promise<void> {
  while (crew.isRunning) {
    const plan = stage.plans.approved(random)
    const isAccepted = await create(stage, plan, { random, client })
    if (isAccepted && random.share() < HELD_SHARE) await staff.holdAndRelease(plan.name)
    if (isAccepted) await staff.approve(plan.name)
    await sleep(random.below(PAUSE_MS_MAX))
  }
}

/** Payouts of which their institution says nothing: two operators say what became of them. */
async function doubt({ stage, staff, crew, random, client }: Merchant): Promise<void> {
  while (crew.isRunning) {
    const plan = stage.plans.unsure(random)
    if (await create(stage, plan, { random, client })) await staff.review(plan.name)
    await sleep(random.below(PAUSE_MS_MAX))
  }
}

/** As often as it takes. */
async function create(
  { wire }: Stage,
  plan: Plan,
  { random, client }: { readonly random: Random; readonly client: number },
): Promise<boolean> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { outcome } = await wire.create({ plan, client, api: random.below(wire.apiCount) })
    if (outcome === 'ok') return true
    await sleep(REPEAT_PAUSE_MS)
  }
  return false
}
