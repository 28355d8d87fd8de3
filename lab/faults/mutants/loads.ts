import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageFault } from '@tollgate/testkit'
import { nowMs } from '../driver/history.ts'
import { acceptedSince } from '../failover/accepted.ts'
import { cutOff } from '../failover/kind.ts'
import { FAULT_KINDS, type FaultKind } from '../kinds/index.ts'
import type { PlainFault } from '../kinds/kind.ts'
import { holdBalance } from '../kinds/taken-sessions.ts'
import { pairOf } from '../setup/server-pair.ts'

// What mutants run under where a kind of the normal run would have to be lucky.

const PAUSE_MS = 500
const CALM_MS = 1_000

/** The load and the receivers alone. */
export const calm: PlainFault = {
  name: 'calm',
  title: 'nothing is broken from outside',
  strike: () => sleep(CALM_MS),
}

/** Everybody who wants to change a balance comes at the same moment. */
export const heldBalances: PlainFault = {
  name: 'held-balances',
  title: 'a balance locked by others, again and again',
  strike: holdBalance,
}

/** A statement does not arrive, and its connection is lost. */
const lost = (statement: string): PlainFault['strike'] => {
  const fault: MessageFault = { kind: 'REQUEST_LOST', marker: statement }
  return async ({ proxies }) => {
    for (const proxy of [proxies.api, proxies.worker]) proxy.plan(fault)
    await sleep(PAUSE_MS)
  }
}

export const lostNotices: PlainFault = {
  name: 'lost-notices',
  title: 'the statement that notes callbacks is lost on its way to the database',
  strike: lost('callbacks_insert_events'),
}

/** Its transaction has noted the callbacks, and is rolled back. */
export const lostBookings: PlainFault = {
  name: 'lost-bookings',
  title: 'the statement that books what was paid is lost on its way to the database',
  strike: lost('ledger_insert_transfers'),
}

const UNHEARD_MS = 1_500
/** Shorter than the pause after which merchants ask again, who would find what is committed and not at the standby. */
const ANSWER_MS_MAX = 60
const POLL_MS = 5
const CANCEL_WAITS = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`

/** PostgreSQL then says that all is committed, and warns: what it has said so is lost with the primary. */
export const cancelledWaits: PlainFault = {
  name: 'cancelled-waits',
  title:
    'the standby cut off, the commits that wait for it cancelled, the primary killed, the standby promoted',
  async strike(stage) {
    const pair = pairOf(stage.server)
    const sinceMs = nowMs()
    const heal = cutOff(pair)
    await sleep(UNHEARD_MS)
    await pair.sql(CANCEL_WAITS)
    for (let waitedMs = 0; waitedMs < ANSWER_MS_MAX; waitedMs += POLL_MS) {
      if (acceptedSince(stage, sinceMs).length > 0) break
      await sleep(POLL_MS)
    }
    stage.kills.note('primary')
    await pair.killPrimary()
    heal()
    await pair.promoteStandby()
    await pair.renewStandby()
  },
}

/** Whether the kind strikes a primary with its standby instead of a single server. */
export const needsStandby = (kind: FaultKind): boolean => kind === cancelledWaits

/** The kinds of these names, joined by commas: of the normal run, or from here. Throws for a name that is none. */
export function kindsNamed(names: string): readonly FaultKind[] {
  const known = [calm, heldBalances, lostNotices, lostBookings, cancelledWaits, ...FAULT_KINDS]
  return names.split(',').map((name) => {
    const kind = known.find((each) => each.name === name)
    if (kind === undefined) throw new Error(`there is no kind of fault ${name}`)
    return kind
  })
}
