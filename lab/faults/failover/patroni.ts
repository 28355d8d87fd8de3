import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../rig/random.ts'
import { nowMs } from '../driver/history.ts'
import type { FaultKind } from '../kinds/kind.ts'
import { clusterOf, type PatroniCluster, type Roles } from '../setup/patroni-cluster.ts'
import type { PatroniNode } from '../setup/patroni-node.ts'
import type { Stage } from '../setup/stage.ts'
import { acceptedSince, mustAccept, mustBeNone } from './accepted.ts'

const PAUSE_MS_MAX = 3_000
/** How long the leader and its standby are both away. Longer than Patroni waits before it promotes somebody. */
const AWAY_MS = { from: 25_000, to: 40_000 } as const
/** How long a frozen leader goes on beside the one that took its place. */
const BESIDE_MS = { from: 1_000, to: 6_000 } as const
const FIRST_201_MS_MAX = 90_000
const POLL_MS = 100

/**
 * The machine of the leader is lost, and Patroni promotes the synchronous standby; or it stands still, and goes on when another has its
 * place; or leader and standby are lost at the same moment: then nobody may be promoted, and nothing accepted, until one is back.
 */
export const patroniFailover: FaultKind = {
  name: 'patroni',
  title:
    'failover by Patroni: the leader was killed, or stood still and went on beside the next one, or was killed together with its standby',
  async strike(stage, random) {
    const cluster = clusterOf(stage.server)
    const roles = await cluster.whole()
    await sleep(random.below(PAUSE_MS_MAX))
    const how = random.pick(['KILLED', 'KILLED', 'FROZEN', 'BOTH'] as const)
    if (how === 'KILLED') await loseLeader(stage, roles)
    else if (how === 'FROZEN') await outliveLeader(stage, { cluster, roles, random })
    else await loseBoth(stage, { cluster, roles, random })
    await cluster.whole()
  },
}

async function loseLeader(stage: Stage, { leader }: Roles): Promise<void> {
  stage.kills.note('primary')
  const killedAtMs = nowMs()
  leader.kill()
  await mustAccept(stage, killedAtMs, { what: 'the leader was killed', withinMs: FIRST_201_MS_MAX })
  leader.start()
}

interface Strike {
  readonly cluster: PatroniCluster
  readonly roles: Roles
  readonly random: Random
}

/** It has its sessions still, and perhaps a lock that is no longer its own. */
async function outliveLeader(stage: Stage, { cluster, roles: { leader }, random }: Strike): Promise<void> {
  stage.kills.note('frozen primary')
  const frozenAtMs = nowMs()
  leader.freeze()
  await untilFollowed(cluster, leader)
  leader.thaw()
  await mustAccept(stage, frozenAtMs, { what: 'the leader stood still', withinMs: FIRST_201_MS_MAX })
  await sleep(random.between(BESIDE_MS.from, BESIDE_MS.to))
}

async function untilFollowed(cluster: PatroniCluster, { name }: PatroniNode): Promise<void> {
  const deadlineMs = nowMs() + FIRST_201_MS_MAX
  for (;;) {
    const leader = await cluster.leaderName()
    if ((leader !== undefined && leader !== name) || nowMs() > deadlineMs) return
    await sleep(POLL_MS)
  }
}

/** The third may lack what was acknowledged, so it must stay what it is. */
async function loseBoth(stage: Stage, { cluster, roles, random }: Strike): Promise<void> {
  stage.kills.note('primary and standby')
  const { leader, standby, other } = roles
  const pair = [leader, standby] as const
  for (const node of pair) node.kill()
  const killedAtMs = nowMs()
  await sleep(random.between(AWAY_MS.from, AWAY_MS.to))
  mustBeNone(stage, acceptedSince(stage, killedAtMs), 'accepted without leader and standby')
  if ((await cluster.leaderName()) === other.name)
    stage.notes.broken({ invariant: 'failover', says: 'a node was promoted that commits had not waited for' })
  const backAtMs = nowMs()
  const first = random.pick(pair)
  first.start()
  await mustAccept(stage, backAtMs, { what: 'one of two was back', withinMs: FIRST_201_MS_MAX })
  for (const node of pair) if (node !== first) node.start()
}
