import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '@tollgate/runtime/log'
import { rootKeyDeps } from '../../../apps/gateway/src/keys/open-secrets.ts'
import { openDatabase } from '../../../apps/gateway/src/platform/database.ts'
import { readMasterKeys } from '../../../apps/gateway/src/platform/master-key.ts'
import { openRootKey } from '../../../apps/gateway/src/platform/root-key.ts'
import type { Settings } from '../../rig/programs.ts'
import type { Random } from '../../rig/random.ts'
import type { DurableServer } from '../../rig/server.ts'
import { type EarlierVersion, findEarlierVersion } from '../setup/earlier-version.ts'
import type { Member } from '../setup/member.ts'
import type { PreparedFault } from './kind.ts'
import { inTurns, restart } from './restart.ts'

const PAUSE_MS_MAX = 3_000
/** From the version on that brought it, the root key is in the database. */
const ROOT_KEY_MIGRATION = '0027_root_key_create'

/** Two processes of one role: the one of the earlier version, and the other. */
interface Couple {
  earlier: Member
  current: Member
}

/** An upgrade that stops in the middle, and goes to and fro: half of the processes are of an earlier version, on the newer schema. */
export const twoVersions: PreparedFault = {
  name: 'two-versions',
  isLongOnly: true,
  title:
    'of the API and of the workers one process each of an earlier version, on the schema of this one; they change places by SIGKILL or SIGTERM',
  missing() {
    const version = findEarlierVersion()
    return 'reason' in version ? version.reason : undefined
  },
  async prepare(stage, random) {
    const version = findEarlierVersion()
    if ('reason' in version) throw new Error(version.reason)
    stage.say(`two-versions: ${version.commit}, whose newest migration is ${version.migrations.at(-1) ?? ''}`)
    const settings = await settingsFor(version, stage.server)
    const revive = (member: Member): Promise<void> => member.revive(settings, version.root)
    const couples: readonly [Couple, Couple] = [
      { earlier: stage.apis[0], current: stage.apis[1] },
      { earlier: stage.workers[0], current: stage.workers[1] },
    ]
    for (const { earlier } of couples) {
      await earlier.stop()
      await revive(earlier)
    }
    return {
      async strike() {
        await sleep(random.below(PAUSE_MS_MAX))
        await changePlaces(random.pick(couples), random, revive)
        stage.notes.count(
          `two versions: a process of ${version.commit} and one of this version changed places`,
        )
      },
      async end() {
        await inTurns(stage, (member) => restart(member))
      },
    }
  },
}

/** `reviveEarlier` starts a process as the earlier version. */
async function changePlaces(
  couple: Couple,
  random: Random,
  reviveEarlier: (member: Member) => Promise<void>,
): Promise<void> {
  const { earlier, current } = couple
  await endSomehow(earlier, random)
  await earlier.revive()
  await endSomehow(current, random)
  await reviveEarlier(current)
  couple.earlier = current
  couple.current = earlier
}

const endSomehow = (member: Member, random: Random): Promise<void> =>
  random.share() < 0.5 ? member.kill() : member.stop()

/**
 * A version that knows no root key derives everything from its master key. In an installation that comes from there both are the
 * same; in this one it is given the root key for its master key.
 */
async function settingsFor({ migrations }: EarlierVersion, server: DurableServer): Promise<Settings> {
  if (migrations.includes(ROOT_KEY_MIGRATION)) return {}
  const { url, dataDir } = server
  const db = openDatabase({
    url,
    poolMax: 1,
    applicationName: 'faults',
    log: createLog({ level: 'silent' }),
  })
  try {
    const rootKey = await openRootKey(rootKeyDeps({ db, masterKeys: readMasterKeys({ dataDir }) }))
    const file = join(dataDir, 'earlier-master.key')
    writeFileSync(file, rootKey.toString('base64'), { mode: 0o600 })
    return { TOLLGATE_MASTER_KEY_FILE: file }
  } finally {
    await db.close()
  }
}
