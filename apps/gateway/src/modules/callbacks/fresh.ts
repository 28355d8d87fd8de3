import { type Clock, type Ids, stopwatch } from '@tollgate/runtime'
import type { ClaimedCallback, Lane, NewCallbackEvent } from './model.ts'

/**
 * The callbacks of one transaction, as far as a worker of this process sends them itself as soon as they are durable: nobody
 * has to look for them and lease them. They are written leased, so that no other worker takes them meanwhile. When the process
 * dies, or never hears whether the transaction was committed, the leases run out, and the attempts are made by whoever finds them.
 */
export interface FreshCallbacks {
  readonly leaseSeconds: number
  /** The token under which the event is to be written; undefined when it is to be due at once, for a claim. */
  lease(event: NewCallbackEvent, receiver: string): string | undefined
  /** When the events were written that were leased since the last time, by the database's clock, in seconds since 1970. */
  noteWritten(atSeconds: number): void
  /** Makes the attempts. Only after the commit. */
  send(): void
  /** Gives back the slots of what was not sent. */
  drop(): void
}

/** A first attempt, and when its event was written; undefined when that is not known to have happened. */
export interface FreshAttempt {
  readonly callback: Omit<ClaimedCallback, 'startedAtSeconds'>
  /** Since it was leased. */
  readonly passedSeconds: () => number
  readonly startedAtSeconds: Promise<number | undefined>
}

interface FreshDeps {
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly leaseSeconds: number
  /** Whether there is room for it, and nothing older that it would overtake. */
  readonly mayTake: (lane: Lane) => boolean
  /** Takes its slots now, and makes the attempt when the event is durable. */
  readonly take: (attempt: FreshAttempt) => void
}

interface Waiting {
  readonly resolve: (startedAtSeconds: number | undefined) => void
  writtenAtSeconds: number | undefined
}

/** For one transaction, tried once. */
export function openFreshCallbacks(deps: FreshDeps): FreshCallbacks {
  const leaseToken = deps.ids.uuid()
  const waiting: Waiting[] = []
  const end = (startOf: (each: Waiting) => number | undefined): void => {
    for (const each of waiting.splice(0)) each.resolve(startOf(each))
  }
  return {
    leaseSeconds: deps.leaseSeconds,
    lease({ eventId, merchantId, kind, idEntity, idTold, url }, receiver) {
      if (!deps.mayTake({ receiver, merchantId })) return undefined
      const { promise, resolve } = Promise.withResolvers<number | undefined>()
      waiting.push({ resolve, writtenAtSeconds: undefined })
      deps.take({
        callback: {
          eventId,
          merchantId,
          kind,
          idEntity: idTold ?? idEntity,
          isRefund: idTold !== undefined,
          url,
          receiver,
          attemptNo: 1,
          leaseToken,
        },
        passedSeconds: stopwatch(deps.clock),
        startedAtSeconds: promise,
      })
      return leaseToken
    },
    noteWritten(atSeconds) {
      for (const each of waiting) each.writtenAtSeconds ??= atSeconds
    },
    send: () => end((each) => each.writtenAtSeconds),
    drop: () => end(() => undefined),
  }
}
