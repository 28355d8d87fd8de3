import { at } from '@tollgate/testkit'
import type { Plan } from '../driver/plans.ts'
import { type Member, startCrew, tryOften } from './crew.ts'
import { killProcesses } from './kill-processes.ts'
import type { PreparedFault } from './kind.ts'

/** Of who asks, in the history; others have lower numbers. */
const CLIENT = 970

/** Payins are paid, and given back in parts, all at the same moment, while the processes that take the refunds die. */
export const killRefunds: PreparedFault = {
  name: 'kill-refunds',
  isKill: true,
  title:
    'SIGKILL of processes of the API and of workers while merchants refund payins in parts, asking for all parts at once and for a little too much',
  prepare(stage, random) {
    const crew = startCrew(stage, random, { jobs: [giveBack, giveBack, giveBack], client: CLIENT })
    return Promise.resolve({
      strike: () => killProcesses.strike(stage, random),
      end: () => crew.stop(),
    })
  },
}

async function giveBack(member: Member): Promise<void> {
  const { stage, random } = member
  const payin = stage.plans.given(random)
  if ((await askFor(member, payin)) !== 'ok' || !(await isPaid(member, payin))) return
  const refunds = stage.plans.refundsOf(payin)
  const outcomes = await Promise.all(refunds.map((refund) => askFor(member, refund)))
  const refused = outcomes.filter((outcome) => outcome === 'fail').length
  // What is too much is found by the checks; also what is left has to be given back.
  if (refused > 1)
    stage.notes.broken({
      invariant: 'I22',
      name: payin.name,
      says: `${refused} of ${refunds.length} refunds were refused, and one alone is too much`,
    })
}

/** As often as it takes to know; another process each time. */
function askFor({ stage: { wire }, random, client }: Member, plan: Plan): Promise<'ok' | 'fail' | undefined> {
  return tryOften(async () => {
    const { outcome, httpStatus } = await wire.create({ plan, client, api: random.below(wire.apiCount) })
    return outcome === 'ok' || (outcome === 'fail' && httpStatus === REJECTED) ? outcome : undefined
  })
}

const REJECTED = 406

async function isPaid({ stage: { wire }, random, client }: Member, plan: Plan): Promise<boolean> {
  const isSeen = await tryOften(async () => {
    const { body } = await wire.read({ plan, client, api: random.below(wire.apiCount) })
    return at(body, 'process', 'status') === 'SUCCESS' ? true : undefined
  })
  return isSeen === true
}
