import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'

/** One life of a process: from its start to its crash. What it waits for ends with it. */
export interface Life {
  readonly name: string
  readonly time: VirtualTime
  /** Calls to the outside that have not come back. */
  callsUnderWay: number
  isOver: boolean
}

/** Asked anew each time: it may change while somebody waits. */
export const isOver = (life: Life): boolean => life.isOver

/** A clock that stands still until everything that could happen now has happened, and then jumps to the next timer. */
export interface VirtualTime {
  /** Whole milliseconds since 1970. */
  nowMs(): number
  /** Runs the work in so many milliseconds, unless the life is over by then. Timers without a life are the world's own. */
  after(ms: number, work: () => void, life?: Life): Timer
  /** Looks for changes of the configuration again and again. Looks that would find nothing are left out. */
  every(ms: number, look: () => void, life: Life): Pick<Timer, 'cancel'>
  /** Lets time pass until the moment, or until `isDone`. Real work that is counted in `realWork` is waited for. */
  passUntil(untilMs: number, isDone?: () => boolean): Promise<void>
  /** Waits for real work, a database's, before time goes on. */
  awaitReal<Result>(work: Promise<Result>): Promise<Result>
  /** How many timers have fired. */
  events(): number
}

interface Timer {
  readonly atMs: number
  cancel(): void
}

interface Entry extends Timer {
  atMs: number
  readonly no: number
  readonly work: () => void
  readonly life: Life | undefined
  /** Of a look: from one to the next. */
  readonly pollMs: number | undefined
  /** Of a look: when there is something to find. */
  readonly dueMs: () => number
  /** Whether its life is at work as long as this waits. */
  readonly isWork: boolean
  isCancelled: boolean
}

interface TimeOptions {
  readonly startMs: number
  /** When the next durable work falls due, in milliseconds; Infinity when there is none. */
  readonly nextDueMs: () => number
  /** Whether the configuration has changed since the process has read it. */
  readonly isBehind: (life: Life) => boolean
}

/**
 * For how long the workers sleep between two looks at their queues. Looks that would find nothing are left out: while
 * nothing is due and nothing else happens, a sleeper of these is put to the first of its looks that could find something.
 */
const POLLS_MS: ReadonlySet<number> = new Set([100, 250, 1_001])
/** So long is also the first pause of a hand-over for which no connection came about. */
const RETRY_TOO_MS = 250
/** Sweeping keeps nobody awake. */
const SWEEP_MS = 3_600_000

const lives = new AsyncLocalStorage<Life>()

/** Runs the work as part of the life: its timers are the life's. */
export function within<Result>(life: Life, work: () => Result): Result {
  return lives.run(life, work)
}

export const isSimulated = (): boolean => lives.getStore() !== undefined

/** Runs the work as part of no life: its timers are real. */
export function outside<Result>(work: () => Result): Result {
  return lives.exit(work)
}

/** The life that the code belongs to which is running now. Throws outside of all lives. */
export function lifeOfNow(): Life {
  const life = lives.getStore()
  if (life === undefined) throw new Error('this is not part of a simulated process')
  return life
}

export function createTime({ startMs, nextDueMs, isBehind }: TimeOptions): VirtualTime {
  const timers = createQueue()
  const polls = createQueue()
  /** Timers of a life that are no polls: a process that waits for something else is not idle. */
  const busy = new Map<Life, number>()
  let nowMs = startMs
  let count = 0
  let realWork = 0
  let waiting: (() => void)[] = []

  const isIdle = (life: Life): boolean => life.callsUnderWay === 0 && (busy.get(life) ?? 0) === 0
  const note = (entry: Entry, change: 1 | -1): void => {
    if (entry.life !== undefined && entry.isWork) busy.set(entry.life, (busy.get(entry.life) ?? 0) + change)
  }

  function after(ms: number, work: () => void, life?: Life): Timer {
    const whole = Math.max(0, Math.ceil(ms))
    const pollMs = life !== undefined && POLLS_MS.has(whole) ? whole : undefined
    return add(whole, { work, life, pollMs, dueMs: nextDueMs })
  }

  function add(whole: number, timer: Pick<Entry, 'work' | 'life' | 'pollMs' | 'dueMs'>): Entry {
    count += 1
    const isWork = timer.pollMs === undefined && whole !== SWEEP_MS
    const entry: Entry = {
      ...timer,
      atMs: nowMs + whole,
      no: count,
      isWork,
      isCancelled: false,
      cancel() {
        if (!entry.isCancelled) note(entry, -1)
        entry.isCancelled = true
      },
    }
    note(entry, 1)
    ;(timer.pollMs === undefined ? timers : polls).push(entry)
    return entry
  }

  function every(ms: number, look: () => void, life: Life): Pick<Timer, 'cancel'> {
    const dueMs = (): number => (isBehind(life) ? nowMs : Number.POSITIVE_INFINITY)
    const again = (): Entry => add(ms, { work, life, pollMs: ms, dueMs })
    const work = (): void => {
      next = again()
      look()
    }
    let next = again()
    return { cancel: () => next.cancel() }
  }

  /** Puts a look that would find nothing to the first one that could; false when it must be made. */
  function putOff(poll: Entry, untilMs: number): boolean {
    const { life, pollMs, dueMs } = poll
    const horizonMs = Math.min(dueMs(), timers.peek()?.atMs ?? Number.POSITIVE_INFINITY, untilMs + 1)
    if (life === undefined || pollMs === undefined || poll.atMs >= horizonMs) return false
    // A process that talks to an institution may be waiting for its next try.
    if (pollMs === RETRY_TOO_MS && !isIdle(life)) return false
    if (life.isOver || poll.isCancelled) return true
    poll.atMs += pollMs * Math.ceil((horizonMs - poll.atMs) / pollMs)
    polls.push(poll)
    return true
  }

  /** The next timer to fire, at the latest at the moment. */
  function nextTimer(untilMs: number): Entry | undefined {
    for (;;) {
      const [timer, poll] = [timers.peek(), polls.peek()]
      if (poll === undefined || (timer !== undefined && comesBefore(timer, poll)))
        return timer !== undefined && timer.atMs <= untilMs ? timers.pop() : undefined
      if (poll.atMs > untilMs) return undefined
      polls.pop()
      if (!putOff(poll, untilMs)) return poll
    }
  }

  async function settle(): Promise<void> {
    await turn()
    while (realWork > 0) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
      await turn()
    }
  }

  return {
    nowMs: () => nowMs,
    after,
    every,
    events: () => count,
    async awaitReal(work) {
      realWork += 1
      try {
        return await work
      } finally {
        realWork -= 1
        const woken = waiting
        waiting = []
        for (const wake of woken) wake()
      }
    },
    async passUntil(untilMs, isDone = () => false) {
      await settle()
      while (!isDone()) {
        const entry = nextTimer(untilMs)
        if (entry === undefined) break
        if (entry.isCancelled) continue
        entry.isCancelled = true
        note(entry, -1)
        if (entry.life?.isOver === true) continue
        nowMs = Math.max(nowMs, entry.atMs)
        entry.work()
        await settle()
      }
      if (!isDone()) nowMs = Math.max(nowMs, untilMs)
    },
  }
}

const comesBefore = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.no < b.no)

/** A binary heap: the next timer is at the top. */
function createQueue() {
  const heap: Entry[] = []
  const at = (index: number): Entry => {
    const entry = heap[index]
    if (entry === undefined) throw new Error('there is no such place in the heap')
    return entry
  }
  function swap(a: number, b: number): void {
    const kept = at(a)
    heap[a] = at(b)
    heap[b] = kept
  }
  function sink(): void {
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      let first = index
      if (left < heap.length && comesBefore(at(left), at(first))) first = left
      if (right < heap.length && comesBefore(at(right), at(first))) first = right
      if (first === index) return
      swap(index, first)
      index = first
    }
  }
  return {
    peek: (): Entry | undefined => heap[0],
    push(entry: Entry): void {
      heap.push(entry)
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (!comesBefore(at(index), at(parent))) return
        swap(index, parent)
        index = parent
      }
    },
    pop(): Entry | undefined {
      const top = heap[0]
      const last = heap.pop()
      if (last !== undefined && last !== top) {
        heap[0] = last
        sink()
      }
      return top
    },
  }
}

const real = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  sleep: timersPromises.setTimeout,
}

/** Resolves when all that promises have to do now is done: a tick comes after them, and costs less than a turn of the loop. */
const turn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** What the code of a life gets for a timer, with what callers do to Node's own. */
class Handle {
  readonly #timer: Pick<Timer, 'cancel'>
  constructor(timer: Pick<Timer, 'cancel'>) {
    this.#timer = timer
  }
  cancel(): void {
    this.#timer.cancel()
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

function start(work: () => void, ms = 0): Handle | undefined {
  const life = lives.getStore()
  return life && new Handle(life.time.after(ms, () => within(life, work), life))
}

function repeat(work: () => void, ms: number): Handle | undefined {
  const life = lives.getStore()
  return life && new Handle(life.time.every(ms, () => within(life, work), life))
}

function sleep(ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal?.aborted === true) {
      give()
      return
    }
    const handle = start(() => resolve(value), ms)
    signal?.addEventListener('abort', () => {
      handle?.cancel()
      give()
    })
  })
}

/**
 * From now on the timers of lives are virtual, whoever in the product sets them; everybody else's are Node's own. Once per
 * process.
 */
function makeTimersVirtual(): void {
  const cancel =
    (otherwise: typeof clearTimeout) =>
    (handle: unknown): void => {
      if (handle instanceof Handle) handle.cancel()
      else Reflect.apply(otherwise, undefined, [handle])
    }
  Object.assign(globalThis, {
    setInterval: (...given: [() => void, number]) =>
      isSimulated() ? repeat(...given) : Reflect.apply(real.setInterval, undefined, given),
    clearInterval: cancel(real.clearInterval),
    setTimeout: (...given: [() => void, number]) =>
      isSimulated() ? start(...given) : Reflect.apply(real.setTimeout, undefined, given),
    setImmediate: (...given: [() => void]) =>
      isSimulated() ? start(given[0]) : Reflect.apply(real.setImmediate, undefined, given),
    clearTimeout: cancel(real.clearTimeout),
  })
  Object.assign(timersPromises, {
    setTimeout: (...given: Parameters<typeof sleep>) =>
      lives.getStore() === undefined ? Reflect.apply(real.sleep, undefined, given) : sleep(...given),
  })
  syncBuiltinESMExports()
}

makeTimersVirtual()
