import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '@tollgate/testkit'
import type { Plan } from '../driver/plans.ts'
import { createStaff, type Staff } from '../driver/staff.ts'
import type { Stage } from '../house/stage.ts'
import type { Random } from '../random.ts'
import type { FaultKind, Prepared } from './kind.ts'

const CUSTOMERS = 3
const PAUSE_MS_MAX = 600
const REPEAT_PAUSE_MS = 200
const TRIES_MAX = 300
/** Of who asks, in the history; merchants have lower numbers. */
const CLIENT = 900

const SETTINGS = { TOLLGATE_SECOND_PERSON: 'on' } as const

/** Statements come in by hand, and are confirmed, while the processes that take them die. */
export const killUploads: FaultKind = {
  name: 'kill-uploads',
  isKill: true,
  title:
    'SIGKILL of processes of the API and of workers while one operator hands statements in and another one confirms them',
  async prepare(stage, random) {
    await restart(stage, SETTINGS)
    const staff = createStaff({
      ...{ dataDir: stage.server.dataDir, random: random.fork(), say: stage.say },
      ports: stage.apis.map(({ operatorPort }) => operatorPort),
    })
    const crew = { isRunning: true }
    const customers = Array.from({ length: CUSTOMERS }, (_, index) =>
      pay({ stage, staff, crew, random: random.fork(), client: CLIENT + index }),
    )
    return strikes(stage, random, async () => {
      crew.isRunning = false
      await Promise.all(customers)
      await restart(stage)
    })
  },
}

function strikes(stage: Stage, random: Random, end: () => Promise<void>): Prepared {
  return {
    async strike() {
      await sleep(random.below(PAUSE_MS_MAX))
      await killSome(stage, random)
    },
    end,
  }
}

/** As `kill-processes`, and started again with the setting. */
async function killSome({ apis, workers }: Stage, random: Random): Promise<void> {
  const [api, worker] = [random.pick(apis), random.pick(workers)]
  const victims = random.pick([[api], [worker], [api, worker]])
  await Promise.all(victims.map((victim) => victim.kill()))
  await Promise.all(victims.map((victim) => victim.revive(SETTINGS)))
}

async function restart({ apis, workers }: Stage, settings = {}): Promise<void> {
  for (const member of [...apis, ...workers]) {
    await member.stop()
    await member.revive(settings)
  }
}

interface Customer {
  readonly stage: Stage
  readonly staff: Staff
  readonly crew: { readonly isRunning: boolean }
  readonly random: Random
  readonly client: number
}

/** Payins that are paid by a transfer, which the bank's statement tells of. */
async function pay({ stage, staff, crew, random, client }: Customer): Promise<void> {
  while (crew.isRunning) {
    const plan = stage.plans.wired(random)
    const reference = await referenceOf(stage, plan, { random, client })
    if (reference !== undefined) await staff.bring({ reference, money: plan.money })
    await sleep(random.below(PAUSE_MS_MAX))
  }
}

/** Creates the payin, as often as it takes, and reads what its customer is told. */
async function referenceOf(
  { wire }: Stage,
  plan: Plan,
  { random, client }: { readonly random: Random; readonly client: number },
): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const asked = { plan, client, api: random.below(wire.apiCount) }
    const created = await wire.create(asked)
    if (created.outcome === 'ok') {
      const { body } = created.httpStatus === 201 ? created : await wire.read(asked)
      const reference = at(body, 'paymentMethodResponse', 'reference')
      if (typeof reference === 'string') return reference
    }
    await sleep(REPEAT_PAUSE_MS)
  }
  return undefined
}
