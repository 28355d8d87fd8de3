import type { Clock } from '@tollgate/runtime'
import { createBatcher } from '../../platform/batch.ts'
import type { Database } from '../../platform/database.ts'
import {
  deleteOldSignedRequests,
  insertSignedRequests,
  listSignedRequests,
  type SignedRequest,
} from './store.ts'

/** The signed token requests that were seen, for as long as their timestamp is accepted; all processes share them. */
export interface SignedRequests {
  /** Remembers a request unless it is known; resolves to the generation that it was first seen with. */
  remember(request: Omit<SignedRequest, 'lifeSeconds'>): Promise<number>
}

interface SignedRequestsDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly timestampToleranceSeconds: number
}

const BATCH_LIMITS = { rowsMax: 128, inFlightMax: 2, waitingMax: 5_000 } as const
/** Beyond the tolerance: clocks of processes and of the database may differ. */
const MARGIN_SECONDS = 600
const SWEEP_EVERY_MS = 60_000

export function createSignedRequests(deps: SignedRequestsDeps): SignedRequests {
  const { db, clock } = deps
  const lifeSeconds = deps.timestampToleranceSeconds + MARGIN_SECONDS
  let sweptAtMs = clock.monotonicMs() - SWEEP_EVERY_MS

  /** The next one does what one could not. */
  function sweep(): void {
    if (clock.monotonicMs() - sweptAtMs < SWEEP_EVERY_MS) return
    sweptAtMs = clock.monotonicMs()
    deleteOldSignedRequests(db).catch(() => undefined)
  }

  const remember = createBatcher<SignedRequest, number>({
    limits: BATCH_LIMITS,
    run: async (requests) => {
      sweep()
      const isNew = await insertSignedRequests(db, requests)
      if (requests.every((request) => isNew(request))) return requests.map(({ generation }) => generation)
      const known = await listSignedRequests(db, requests)
      return requests.map((request) => known(request) ?? request.generation)
    },
    isPoison: () => false,
  })
  return { remember: (request) => remember({ ...request, lifeSeconds }) }
}
