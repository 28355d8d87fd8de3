import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageFault } from '@tollgate/testkit'
import type { Random } from '../../rig/random.ts'
import { nowMs } from '../driver/history.ts'
import type { FaultKind } from '../kinds/kind.ts'
import { type FrozenPrimary, pairOf, type ServerPair } from '../setup/server-pair.ts'
import type { Stage } from '../setup/stage.ts'
import { acceptedSince, mustAccept, mustBeNone } from './accepted.ts'

const PAUSE_MS_MAX = 3_000
const SILENCE_MS = { from: 2_000, to: 8_000 } as const
/** How long a primary stands still before somebody notices, and how long it is then led to, and goes on beside the other. */
const FROZEN_MS = { from: 500, to: 5_000 } as const
const STALE_MS = { from: 500, to: 6_000 } as const
const BESIDE_MS = { from: 500, to: 3_000 } as const
const FIRST_201_MS_MAX = 30_000

/** Every message, until the standby connects anew. */
const EVERYTHING: MessageFault = { kind: 'BLACK_HOLE', marker: '', times: Number.MAX_SAFE_INTEGER }

/** What was wrong with the standby before. Takes it back. */
type Restore = () => void

/**
 * The primary is lost and its standby promoted; a new standby takes its place. Half of them are killed. The others stand still,
 * and go on when the standby has been promoted, with their sessions, and nobody has told them. Before, the standby may stand
 * still or be cut off for some seconds, in which nothing is acknowledged. Needs a stage on a pair.
 */
export const failover: FaultKind = {
  name: 'failover',
  title:
    'promotion of the synchronous standby, which may have stood still or been cut off before; the primary was killed, or stood still and goes on then',
  async strike(stage, random) {
    const pair = pairOf(stage.server)
    await sleep(random.below(PAUSE_MS_MAX))
    const restore = await silence(stage, pair, random)
    if (random.share() < 0.5) await losePrimary(stage, pair, restore)
    else await outlivePrimary(stage, pair, { restore, random })
    await pair.renewStandby()
  },
}

/** Two times in three nothing is heard of the standby for a while, and nothing may be acknowledged. */
async function silence(stage: Stage, pair: ServerPair, random: Random): Promise<Restore> {
  const how = random.pick(['NOT', 'STALLED', 'CUT_OFF'] as const)
  if (how === 'NOT') return () => undefined
  const restore = how === 'STALLED' ? await pair.freezeStandby() : cutOff(pair)
  stage.notes.count(`failovers with a standby that was ${how === 'STALLED' ? 'stalled' : 'cut off'} before`)
  const sinceMs = nowMs()
  await sleep(random.between(SILENCE_MS.from, SILENCE_MS.to))
  mustBeNone(stage, acceptedSince(stage, sinceMs), 'accepted while nobody heard the standby')
  return restore
}

/** The primary is killed, and never comes back. */
async function losePrimary(stage: Stage, pair: ServerPair, restore: Restore): Promise<void> {
  stage.kills.note('primary')
  const killedAtMs = nowMs()
  await pair.killPrimary()
  restore()
  await pair.promoteStandby()
  await mustAccept(stage, killedAtMs, { what: 'the primary was killed', withinMs: FIRST_201_MS_MAX })
}

/** The primary comes back when another has its place: for a while it is even led to, and still it must acknowledge nothing. */
async function outlivePrimary(
  stage: Stage,
  pair: ServerPair,
  { restore, random }: { readonly restore: Restore; readonly random: Random },
): Promise<void> {
  stage.notes.count('failovers from a primary that stood still, and went on when its standby was promoted')
  const old = await pair.freezePrimary()
  await sleep(random.between(FROZEN_MS.from, FROZEN_MS.to))
  restore()
  await pair.promote()
  await comeBack(stage, old, random.between(STALE_MS.from, STALE_MS.to))
  stage.kills.note('frozen primary')
  const movedAtMs = nowMs()
  pair.moveAddress()
  await mustAccept(stage, movedAtMs, { what: 'the address left the old primary', withinMs: FIRST_201_MS_MAX })
  await sleep(random.between(BESIDE_MS.from, BESIDE_MS.to))
  old.kill()
}

async function comeBack(stage: Stage, old: FrozenPrimary, ms: number): Promise<void> {
  const sinceMs = nowMs()
  old.thaw()
  await sleep(ms)
  mustBeNone(stage, acceptedSince(stage, sinceMs), 'accepted by a primary whose standby had been promoted')
}

/** Nothing passes any more between the primary and its standby. */
export function cutOff({ link }: ServerPair): Restore {
  link.plan(EVERYTHING)
  return () => link.plan({ ...EVERYTHING, times: 0 })
}
