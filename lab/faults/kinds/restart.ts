import type { Settings } from '../../rig/programs.ts'
import type { Member } from '../setup/member.ts'
import type { Stage } from '../setup/stage.ts'

/** Ends a process in peace and starts it again, with further settings where there are any. */
export async function restart(member: Member, further?: Settings): Promise<void> {
  await member.stop()
  await member.revive(further)
}

/** Does something with every process of the gateway, with one of each role at a time, so that the other one goes on. */
export async function inTurns<Result>(
  { apis, workers }: Stage,
  work: (member: Member) => Promise<Result>,
): Promise<{ readonly apis: readonly [Result, Result]; readonly workers: readonly [Result, Result] }> {
  const [one, first] = await Promise.all([work(apis[0]), work(workers[0])])
  const [other, second] = await Promise.all([work(apis[1]), work(workers[1])])
  return { apis: [one, other], workers: [first, second] }
}
