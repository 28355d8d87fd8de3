import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { cleanEnvironment, ROOT } from '../../rig/programs.ts'
import { nowMs } from '../driver/history.ts'
import { mustAccept } from '../failover/accepted.ts'
import type { Stage } from '../setup/stage.ts'
import type { FaultKind } from './kind.ts'
import { inTurns, restart } from './restart.ts'

const COMMAND = 'apps/gateway/bin/tollgate.mjs'
const PAUSE_MS_MAX = 3_000
const FIRST_201_MS_MAX = 30_000

const TOOK = 'seconds that `tollgate migrate` took under load'

/**
 * An upgrade as docs/operations.md says: `tollgate migrate` of this version while those of the one before work, for a while both on
 * the new schema, then one process after the other. Needs a stage that begins with an earlier version; one strike does it all.
 */
export const upgrade: FaultKind = {
  name: 'upgrade',
  title:
    '`tollgate migrate` under load, and every process replaced by one of this version, one after the other',
  async strike(stage, random) {
    await sleep(random.below(PAUSE_MS_MAX))
    if (stage.notes.figures.has(TOOK)) return
    const sinceMs = nowMs()
    await migrate(stage)
    stage.notes.least(TOOK, (nowMs() - sinceMs) / 1000)
    await mustAccept(stage, nowMs(), { what: 'the schema was migrated', withinMs: FIRST_201_MS_MAX })
    await sleep(random.below(PAUSE_MS_MAX))
    await inTurns(stage, (member) => restart(member))
    await mustAccept(stage, nowMs(), { what: 'all processes were replaced', withinMs: FIRST_201_MS_MAX })
  },
}

async function migrate({ server }: Stage): Promise<void> {
  const env = {
    ...cleanEnvironment(),
    TOLLGATE_DATA_DIR: server.dataDir,
    TOLLGATE_DATABASE_URL: server.url,
  }
  await promisify(execFile)(process.execPath, [join(ROOT, COMMAND), 'migrate'], { cwd: ROOT, env })
}
