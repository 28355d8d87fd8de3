import { setTimeout as sleep } from 'node:timers/promises'
import { createPatientSql } from '../setup/database.ts'
import type { Stage } from '../setup/stage.ts'
import type { FaultKind } from './kind.ts'

const TAKEN_SECONDS = 3
const PAUSE_MS_MAX = 1_500
/** Time for all the others to come. */
const LOST_AFTER_SECONDS = 1
/** Who ends the gateway's sessions has one before there is no room. */
const HEAD_START_MS = 200

const HOLD_A_BALANCE = `begin;
  select from balances order by random() limit 1 for update;
  select pg_sleep(${TAKEN_SECONDS});
  commit`

/** Others have what the gateway needs of the database: every session there is, or the row of a merchant's balance. */
export const takenSessions: FaultKind = {
  name: 'taken-sessions',
  title: 'every session of the database taken while the gateway has lost its own; a balance locked by others',
  async strike(stage, random) {
    if (random.share() < 0.5) await holdBalance(stage)
    else await takeSessions(stage)
    await sleep(random.below(PAUSE_MS_MAX))
  },
}

/** Somebody else has the row of a merchant's balance for a while. */
export async function holdBalance({ server }: Stage): Promise<void> {
  await server.sql(HOLD_A_BALANCE)
}

/** More than there are: those for which there is no room come again, as the gateway does once it has lost its own. */
async function takeSessions({ server, database }: Stage): Promise<void> {
  const ending = database.terminateSessions(LOST_AFTER_SECONDS)
  await sleep(HEAD_START_MS)
  const sql = createPatientSql(server)
  const sessions = Number(server.settings['max_connections'])
  const taken = Array.from({ length: sessions }, () => sql(`select pg_sleep(${TAKEN_SECONDS})`))
  await Promise.allSettled([ending, ...taken])
}
