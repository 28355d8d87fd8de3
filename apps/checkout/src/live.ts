import type { Api, Look, Subject } from './api-client.ts'

/** Hears of every look at a payment. */
export type Listener = (looked: Look) => void

/** Looks at payments on behalf of everybody who waits for them: one question for all who watch the same payment. */
export interface Watch {
  /** Listens until the answer is called. Undefined when too many do. */
  add(subject: Subject, listener: Listener, isForOnePayment: boolean): (() => void) | undefined
  stop(): void
}

interface Watched {
  readonly subject: Subject
  readonly listeners: Set<Listener>
  readonly pauseMs: number
  timer: NodeJS.Timeout | undefined
}

const PAUSE_MS = 2_000
/** A token for everything spends what the shop may ask: it is used sparingly. */
const PAUSE_SHARED_MS = 5_000
const BUSY_FACTOR = 3
const LISTENERS_MAX = 10_000
const LISTENERS_OF_ONE_MAX = 20

export function createWatch(api: Pick<Api, 'look'>): Watch {
  const watched = new Map<string, Watched>()
  let count = 0
  let isStopped = false

  async function lookAgain(entry: Watched): Promise<void> {
    const looked = await api.look(entry.subject)
    for (const listener of entry.listeners) listener(looked)
    if (isStopped || entry.listeners.size === 0) return
    const factor = looked.kind === 'BUSY' || looked.kind === 'UNREACHABLE' ? BUSY_FACTOR : 1
    entry.timer = setTimeout(() => void lookAgain(entry), entry.pauseMs * factor)
  }

  return {
    add(subject, listener, isForOnePayment) {
      const key = `${subject.idPayin} ${subject.token}`
      const entry: Watched = watched.get(key) ?? {
        subject,
        listeners: new Set(),
        pauseMs: isForOnePayment ? PAUSE_MS : PAUSE_SHARED_MS,
        timer: undefined,
      }
      if (isStopped || count >= LISTENERS_MAX || entry.listeners.size >= LISTENERS_OF_ONE_MAX)
        return undefined
      count += 1
      entry.listeners.add(listener)
      if (!watched.has(key)) {
        watched.set(key, entry)
        void lookAgain(entry)
      }
      return () => {
        if (!entry.listeners.delete(listener)) return
        count -= 1
        if (entry.listeners.size > 0) return
        clearTimeout(entry.timer)
        watched.delete(key)
      }
    },
    stop() {
      isStopped = true
      for (const { timer } of watched.values()) clearTimeout(timer)
    },
  }
}
