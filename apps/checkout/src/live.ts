import type { Api, Look, Subject } from './api-client.ts'

/** Somebody whose screen follows a payment. */
interface Follower {
  /** Hears of every look at the payment. */
  heard(looked: Look): void
  /** Nothing more will be heard: the page stops, or the token does not permit to look. */
  ended(): void
}

/** Looks at payments on behalf of everybody who waits for them: one question for all who watch the same payment. */
export interface Watch {
  /** Tells the follower until the answer is called. Undefined when too many follow: at all, this payment, or from there. */
  add(subject: Subject, follower: Follower, where: Where): (() => void) | undefined
  /** Ends them all. */
  stop(): void
  /** Followers at present. */
  readonly count: number
}

interface Where {
  readonly isForOnePayment: boolean
  /** Where the follower is: many who are at the same place may be one. */
  readonly address: string
}

interface Watched {
  readonly key: string
  readonly subject: Subject
  readonly followers: Set<Follower>
  readonly pauseMs: number
  timer: NodeJS.Timeout | undefined
}

const PAUSE_MS = 2_000
/** A token for everything spends what the shop may ask: it is used sparingly. */
const PAUSE_SHARED_MS = 5_000
const BUSY_FACTOR = 3
const FOLLOWERS_MAX = 10_000
const FOLLOWERS_OF_ONE_MAX = 20
/** Carriers put many customers behind one address; whoever is refused asks instead of listening. */
const FOLLOWERS_OF_ADDRESS_MAX = 200

export function createWatch(api: Pick<Api, 'look'>): Watch {
  const watched = new Map<string, Watched>()
  const places = createPlaces()
  let isStopped = false

  async function lookAgain(entry: Watched): Promise<void> {
    const looked = await api.look(entry.subject)
    for (const follower of entry.followers) follower.heard(looked)
    if (looked.kind === 'DENIED') end(entry)
    if (isStopped || entry.followers.size === 0 || watched.get(entry.key) !== entry) return
    const factor = looked.kind === 'BUSY' || looked.kind === 'UNREACHABLE' ? BUSY_FACTOR : 1
    entry.timer = setTimeout(() => void lookAgain(entry), entry.pauseMs * factor)
  }

  /** What was denied once would be denied again, and again. */
  function end(entry: Watched): void {
    if (watched.get(entry.key) === entry) watched.delete(entry.key)
    for (const follower of [...entry.followers]) follower.ended()
  }

  return {
    add(subject, follower, { isForOnePayment, address }) {
      const key = `${subject.idPayin} ${subject.token}`
      const entry = watched.get(key) ?? newlyWatched({ key, subject, isForOnePayment })
      const isFull = isStopped || entry.followers.size >= FOLLOWERS_OF_ONE_MAX
      if (isFull || !places.take(address)) return undefined
      entry.followers.add(follower)
      if (!watched.has(key)) {
        watched.set(key, entry)
        void lookAgain(entry)
      }
      return () => {
        if (!entry.followers.delete(follower)) return
        places.giveBack(address)
        if (entry.followers.size > 0) return
        clearTimeout(entry.timer)
        if (watched.get(key) === entry) watched.delete(key)
      }
    },
    stop() {
      isStopped = true
      for (const entry of [...watched.values()]) {
        clearTimeout(entry.timer)
        end(entry)
      }
    },
    get count() {
      return places.count
    },
  }
}

interface Places {
  /** False where none is left. */
  take(address: string): boolean
  giveBack(address: string): void
  readonly count: number
}

/** So many may follow at all, and so many of them from one address. */
function createPlaces(): Places {
  const addresses = new Map<string, number>()
  let count = 0
  return {
    take(address) {
      const there = addresses.get(address) ?? 0
      if (count >= FOLLOWERS_MAX || there >= FOLLOWERS_OF_ADDRESS_MAX) return false
      count += 1
      addresses.set(address, there + 1)
      return true
    },
    giveBack(address) {
      const there = (addresses.get(address) ?? 0) - 1
      count -= 1
      if (there > 0) addresses.set(address, there)
      else addresses.delete(address)
    },
    get count() {
      return count
    },
  }
}

function newlyWatched({
  isForOnePayment,
  ...rest
}: Pick<Watched, 'key' | 'subject'> & Pick<Where, 'isForOnePayment'>): Watched {
  return {
    ...rest,
    followers: new Set(),
    pauseMs: isForOnePayment ? PAUSE_MS : PAUSE_SHARED_MS,
    timer: undefined,
  }
}
