import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '@tollgate/testkit'
import type { Random } from '../../rig/random.ts'
import type { Plan } from '../driver/plans.ts'
import type { Stage } from '../setup/stage.ts'
import { type Member, startCrew, tryOften } from './crew.ts'
import type { FaultKind, Prepared } from './kind.ts'

const PAUSE_MS_MAX = 600
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
    const crew = startCrew(stage, random, { jobs: [pay, pay, pay], client: CLIENT })
    return strikes(stage, random, async () => {
      await crew.stop()
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

/** A payin that is paid by a transfer, which the bank's statement tells of. */
async function pay(member: Member): Promise<void> {
  const { stage, staff, random } = member
  const plan = stage.plans.wired(random)
  const reference = await tryOften(() => referenceOf(member, plan))
  if (reference !== undefined) await staff.bring({ reference, money: plan.money })
}

/** Creates the payin, and reads what its customer is told. */
async function referenceOf(
  { stage: { wire }, random, client }: Member,
  plan: Plan,
): Promise<string | undefined> {
  const asked = { plan, client, api: random.below(wire.apiCount) }
  const created = await wire.create(asked)
  if (created.outcome !== 'ok') return undefined
  const { body } = created.httpStatus === 201 ? created : await wire.read(asked)
  const reference = at(body, 'paymentMethodResponse', 'reference')
  return typeof reference === 'string' ? reference : undefined
}
