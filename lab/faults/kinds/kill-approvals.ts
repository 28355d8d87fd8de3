import type { Plan } from '../driver/plans.ts'
import { type Member, startCrew, tryOften } from './crew.ts'
import { killProcesses } from './kill-processes.ts'
import type { PreparedFault } from './kind.ts'

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
    const crew = startCrew(stage, random, { jobs: [payOut, payOut, payOut, doubt], client: CLIENT })
    return Promise.resolve({
      strike: () => killProcesses.strike(stage, random),
      end: () => crew.stop(),
    })
  },
}

/** A payout that two operators have to approve; most of them are on hold for a while before. */
async function payOut(member: Member): Promise<void> {
  const { stage, staff, random } = member
  const plan = stage.plans.approved(random)
  if (!(await create(member, plan))) return
  if (random.share() < HELD_SHARE) await staff.holdAndRelease(plan.name)
  await staff.approve(plan.name)
}

/** A payout of which its institution says nothing: two operators say what became of it. */
async function doubt(member: Member): Promise<void> {
  const plan = member.stage.plans.unsure(member.random)
  if (await create(member, plan)) await member.staff.review(plan.name)
}

async function create({ stage: { wire }, random, client }: Member, plan: Plan): Promise<boolean> {
  const isAccepted = await tryOften(async () => {
    const { outcome } = await wire.create({ plan, client, api: random.below(wire.apiCount) })
    return outcome === 'ok' ? true : undefined
  })
  return isAccepted === true
}
