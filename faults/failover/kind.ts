import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageFault } from '@tollgate/testkit'
import type { Call, Finding } from '../check/facts.ts'
import { nowMs } from '../driver/history.ts'
import { pairOf, type ServerPair } from '../house/server-pair.ts'
import type { Stage } from '../house/stage.ts'
import type { FaultKind } from '../kinds/kind.ts'
import type { Random } from '../random.ts'

const PAUSE_MS_MAX = 3_000
const SILENCE_MS = { from: 2_000, to: 8_000 } as const
const FIRST_201_MS_MAX = 30_000
const POLL_MS = 20

/** Every message, until the standby connects anew. */
const EVERYTHING: MessageFault = { kind: 'BLACK_HOLE', marker: '', times: Number.MAX_SAFE_INTEGER }

/** What was wrong with the standby before. Takes it back. */
type Restore = () => void

/**
 * The primary is killed and its standby promoted; the old primary never comes back, and a new standby takes its place. Before,
 * the standby may stand still or be cut off for some seconds, in which nothing is acknowledged. Needs a stage on a pair.
 */
export const failover: FaultKind = {
  name: 'failover',
  title:
    'SIGKILL of the primary and promotion of its synchronous standby, which may have stood still or been cut off before',
  async strike(stage, random) {
    const pair = pairOf(stage.server)
    await sleep(random.below(PAUSE_MS_MAX))
    const restore = await silence(stage, pair, random)
    stage.kills.note('primary')
    const killedAtMs = nowMs()
    await pair.killPrimary()
    restore()
    await pair.promoteStandby()
    const [call] = await firstAccepted(stage, killedAtMs)
    if (call === undefined) stage.notes.broken(tooLate)
    await pair.renewStandby()
  },
}

const tooLate: Finding = {
  invariant: 'failover',
  says: `no payment was accepted within ${FIRST_201_MS_MAX / 1000} s after the primary was killed`,
}

/** Two times in three nothing is heard of the standby for a while, and nothing may be acknowledged. */
async function silence(stage: Stage, pair: ServerPair, random: Random): Promise<Restore> {
  const how = random.pick(['NOT', 'STALLED', 'CUT_OFF'] as const)
  if (how === 'NOT') return () => undefined
  const restore = how === 'STALLED' ? await pair.freezeStandby() : cutOff(pair)
  stage.notes.count(`failovers with a standby that was ${how === 'STALLED' ? 'stalled' : 'cut off'} before`)
  const sinceMs = nowMs()
  await sleep(random.between(SILENCE_MS.from, SILENCE_MS.to))
  const [call] = acceptedSince(stage, sinceMs)
  if (call !== undefined)
    stage.notes.broken({
      invariant: 'failover',
      says: 'accepted while nobody heard the standby',
      name: call.name,
    })
  return restore
}

/** Nothing passes any more between the primary and its standby. */
export function cutOff({ link }: ServerPair): Restore {
  link.plan(EVERYTHING)
  return () => link.plan({ ...EVERYTHING, times: 0 })
}

/** Payments that were accepted of those that were sent since then. */
export function acceptedSince({ history }: Stage, sinceMs: number): readonly Call[] {
  return history.calls.filter(({ httpStatus, invokedAtMs }) => httpStatus === 201 && invokedAtMs >= sinceMs)
}

/** The first payment that was accepted of those that were sent since then; none when it takes too long. */
async function firstAccepted(stage: Stage, sinceMs: number): Promise<readonly Call[]> {
  for (;;) {
    const accepted = acceptedSince(stage, sinceMs)
    if (accepted.length > 0 || nowMs() - sinceMs > FIRST_201_MS_MAX) return accepted
    await sleep(POLL_MS)
  }
}
