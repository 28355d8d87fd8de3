import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@tollgate/runtime'
import type { ClockMove } from '../../platform/clock-move.ts'
import { type Database, isRetryable, type Tx } from '../../platform/database.ts'
import { rejection } from '../../platform/refusal.ts'
import type { MerchantClock } from './model.ts'
import { findClock, insertAdvance, listAdvances, lockClock, type NewAdvance } from './store.ts'

interface ClockDeps {
  readonly db: Database
  /** Each makes what is due in a room due earlier. In the order in which everyone else locks these rows. */
  readonly moves: readonly ((tx: Tx, move: ClockMove) => Promise<void>)[]
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Each names the leases under which workers do something for the merchant now. */
  readonly leases: readonly ((tx: Tx, merchantId: string) => Promise<readonly string[]>)[]
  /** Whether the merchant has a payment of real money, of a time when the installation was live. */
  readonly hasRealPayments: (tx: Tx, merchantId: string) => Promise<boolean>
}

/** The clocks of merchants, for operators of the sandbox. */
export interface ClockService {
  read(merchantId: string): Promise<MerchantClock>
  /** Lets so much time pass for the merchant. Throws CLOCK_NOT_MOVABLE. */
  advance(advance: NewAdvance): Promise<MerchantClock>
}

const ADVANCES_SHOWN_MAX = 20
const TRIES_MAX = 5
/** An attempt or a question that takes longer plans what follows by the real time. */
const LEASES_WAIT_MS = 20_000
const LEASES_POLL_MS = 20

export function createClockService(deps: ClockDeps): ClockService {
  const read: ClockService['read'] = async (merchantId) => {
    const { seconds, now } = await findClock(deps.db, merchantId)
    return {
      advancedSeconds: seconds,
      now,
      advances: await listAdvances(deps.db, merchantId, ADVANCES_SHOWN_MAX),
    }
  }
  return {
    read,
    async advance(wanted) {
      await untilReleased(deps, wanted.merchantId)
      await withoutDeadlock(() => deps.db.transaction((tx) => advanceIn(deps, tx, wanted)))
      return read(wanted.merchantId)
    },
  }
}

/**
 * What workers are doing at this moment, such as a call that the merchant's server has just received, ends first: it plans what
 * follows, and that becomes due earlier. What they begin meanwhile counts as begun after the advance.
 */
async function untilReleased({ db, clock, leases }: ClockDeps, merchantId: string): Promise<void> {
  const held = async (): Promise<readonly string[]> =>
    (await Promise.all(leases.map((list) => list(db, merchantId)))).flat()
  const atFirst = new Set(await held())
  const deadlineMs = clock.monotonicMs() + LEASES_WAIT_MS
  while (atFirst.size > 0 && clock.monotonicMs() < deadlineMs) {
    if (!(await held()).some((lease) => atFirst.has(lease))) return
    await sleep(LEASES_POLL_MS)
  }
}

async function advanceIn({ moves, hasRealPayments }: ClockDeps, tx: Tx, wanted: NewAdvance): Promise<void> {
  const { merchantId, seconds } = wanted
  await lockClock(tx, merchantId)
  if (await hasRealPayments(tx, merchantId))
    throw rejection([
      {
        code: 'CLOCK_NOT_MOVABLE',
        message: 'This merchant has payments of real money, so its clock cannot be moved.',
      },
    ])
  const { isNewDay } = await insertAdvance(tx, wanted)
  for (const move of moves) await move(tx, { merchantId, seconds, isNewDay })
}

/** All rows of a merchant are locked at once, while workers lock theirs: PostgreSQL may end one of two that wait for each other. */
async function withoutDeadlock(work: () => Promise<void>): Promise<void> {
  for (let triesLeft = TRIES_MAX - 1; ; triesLeft -= 1) {
    try {
      await work()
      return
    } catch (error) {
      if (!isRetryable(error) || triesLeft === 0) throw error
    }
  }
}
