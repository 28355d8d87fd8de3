import { type Finding, fail, ok, skipped, warn } from './finding.ts'
import type { ServerFacts, StandbyFacts } from './store.ts'

const NAME = 'standbys'
/** With these a COMMIT waits until the payment is on a standby's disk. */
const WAITING = ['on', 'remote_apply']
const COUNT_NEEDED = /^\s*(?:(?:first|any)\s+)?(\d+)\s*\(/i
const LIST = /\(([^)]*)\)/
const ANYBODY = '*'

/** Whether what is accepted is on a second disk, where the server is told to wait for one. */
export function examineStandbys({
  durability,
  standbys,
}: Pick<ServerFacts, 'durability' | 'standbys'>): Finding {
  const { names, isStandby } = standbys
  if (isStandby) return skipped(NAME, 'This server is a standby itself. The primary knows.')
  if (names === '')
    return ok(NAME, 'No synchronous standby: accepted payments are on the disk of this server only.')
  if (namesIn(names).includes(ANYBODY)) return anybodyConfirms(names)
  const commit = durability.synchronous_commit
  if (!WAITING.includes(commit))
    return warn(
      NAME,
      `synchronous_commit = ${commit}: payments are accepted before a standby has them on its disk.`,
      'Set synchronous_commit = on in postgresql.conf.',
    )
  return judgePresent(standbys)
}

/** The standbys that the setting names, as PostgreSQL compares them: without regard to case. */
function namesIn(setting: string): readonly string[] {
  const list = COUNT_NEEDED.test(setting) ? (LIST.exec(setting)?.[1] ?? '') : setting
  return list.split(',').map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase(),
  )
}

const anybodyConfirms = (names: string): Finding =>
  fail(
    NAME,
    `synchronous_standby_names = '${names}': whoever streams the log confirms, also pg_receivewal, a subscriber or a copy for reports. ` +
      'What only such a one has is lost when another is promoted.',
    'Name the standbys that may be promoted: "Standbys" in docs/failover.md.',
  )

function judgePresent({ names, confirming, present, hidden }: StandbyFacts): Finding {
  const needed = Number(COUNT_NEEDED.exec(names)?.[1] ?? 1)
  const setting = `synchronous_standby_names = '${names}'`
  if (hidden > 0 && confirming < needed)
    return skipped(NAME, `${setting}: only pg_monitor and superusers see who confirms.`)
  if (confirming < needed)
    return fail(
      NAME,
      `${setting}: ${needed} must confirm and ${confirming} can, so every write waits and nothing is accepted.`,
      'Bring a standby back, or decide to go on alone: "When a standby stops" in docs/failover.md.',
    )
  const connected = present.map((name) => name.toLowerCase())
  const missing = namesIn(names).filter((name) => !connected.includes(name))
  if (missing.length > 1 || (missing.length === 1 && !mayBeSelf(names, present)))
    return warn(
      NAME,
      `${setting}: ${confirming} can confirm, ${needed} must; not connected: ${missing.join(', ')}.`,
      'Bring it back: when one more stops, nothing is accepted.',
    )
  return ok(NAME, `${setting}: ${confirming} can confirm, ${needed} must.`)
}

/** The same list on each server of three names the primary, too. With fewer names, one that is not there is missing. */
const mayBeSelf = (names: string, present: readonly string[]): boolean =>
  namesIn(names).length >= 3 && present.length >= 2
