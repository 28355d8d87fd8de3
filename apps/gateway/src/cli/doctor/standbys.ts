import { type Finding, fail, ok, skipped, warn } from './finding.ts'
import type { ServerFacts } from './store.ts'

const NAME = 'standbys'
/** With these a COMMIT waits until the payment is on a standby's disk. */
const WAITING = ['on', 'remote_apply']
const COUNT_NEEDED = /^\s*(?:(?:first|any)\s+)?(\d+)\s*\(/i

/** Whether what is accepted is on a second disk, where the server is told to wait for one. */
export function examineStandbys({ durability, standbys }: ServerFacts): Finding {
  const { names, isStandby, confirming, hidden } = standbys
  if (isStandby) return skipped(NAME, 'This server is a standby itself. The primary knows.')
  if (names === '')
    return ok(NAME, 'None is waited for: what was accepted is on the disk of this server alone.')
  const commit = durability.synchronous_commit
  if (!WAITING.includes(commit))
    return warn(
      NAME,
      `synchronous_commit = ${commit}: payments are accepted before a standby has them on its disk.`,
      'Set synchronous_commit = on in postgresql.conf.',
    )
  const needed = Number(COUNT_NEEDED.exec(names)?.[1] ?? 1)
  const setting = `synchronous_standby_names = '${names}'`
  if (confirming >= needed) return ok(NAME, `${setting}: ${confirming} can confirm, ${needed} must.`)
  if (hidden > 0) return skipped(NAME, `${setting}: only pg_monitor and superusers see who confirms.`)
  return fail(
    NAME,
    `${setting}: ${needed} must confirm and ${confirming} can, so every write waits and nothing is accepted.`,
    'Bring a standby back, or decide to go on alone: "When a standby stops" in docs/failover.md.',
  )
}
