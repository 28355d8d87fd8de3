import nodeModule from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Overloaded } from '../batch.ts'
import type { FromThread, ToThread } from './messages.ts'

/** How many threads there may be, and what each may use. */
interface ThreadLimits {
  readonly threadsMax: number
  /** Orders that wait for a thread; whoever comes then is told to come back. */
  readonly waitingMax: number
  /** Of one order, from its start on. The thread is ended where it takes longer. */
  readonly deadlineMs: number
  /** Of one thread, for what it keeps in its heap. */
  readonly memoryMib: number
  /** A thread that has nothing to do ends after so long. */
  readonly idleMs: number
}

/** An order that a thread does. */
interface ThreadOrder {
  /** Of the module that exports `work`: a generator of pieces. */
  readonly module: URL
  /** Anything that can be cloned. */
  readonly order: unknown
  /** What is in it that is handed over instead of being copied. */
  readonly handedOver?: readonly ArrayBuffer[]
  /** The thread ends afterwards, and what it took of the memory is given back. */
  readonly isHeavy?: boolean
}

/** Why a thread was ended within its work. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
  readonly kind: 'DEADLINE' | 'MEMORY' | 'BROKEN'

  constructor(kind: 'DEADLINE' | 'MEMORY' | 'BROKEN', message: string) {
    super(message)
    this.kind = kind
  }
}

/** Work that would keep everybody waiting, done beside the event loop. */
export interface Threads {
  /**
   * The pieces of the work, in their order. Each is taken over in a turn of the event loop of its own. Throws Overloaded
   * when too many wait, and ThreadEnded when the work took too long or too much memory, or broke off.
   */
  run<Piece>(order: ThreadOrder): Promise<readonly Piece[]>
}

const THREAD = fileURLToPath(new URL('thread.ts', import.meta.url))
const YOUNG_MIB = 8
const STACK_MIB = 4

/** A pool of threads; none is started before there is work. */
export function createThreads(limits: ThreadLimits): Threads {
  const idle: Worker[] = []
  const waiting: (() => void)[] = []
  let busy = 0

  async function admit(): Promise<void> {
    if (busy < limits.threadsMax) {
      busy += 1
      return
    }
    if (waiting.length >= limits.waitingMax)
      throw new Overloaded(
        'too many documents are being read',
        'Too many documents are being read: hand this one in again in a minute.',
      )
    // Who ends hands its place over.
    await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) busy -= 1
    else next()
  }

  function keep(worker: Worker): void {
    worker.unref()
    idle.push(worker)
    setTimeout(() => {
      const place = idle.indexOf(worker)
      if (place === -1) return
      idle.splice(place, 1)
      void worker.terminate()
    }, limits.idleMs).unref()
  }

  return {
    async run<Piece>(order: ThreadOrder): Promise<readonly Piece[]> {
      await admit()
      const worker = idle.pop() ?? start(limits)
      worker.ref()
      let isKept = false
      try {
        const pieces = await piecesOf<Piece>(worker, order, limits)
        isKept = order.isHeavy !== true
        return pieces
      } finally {
        if (isKept) keep(worker)
        else await worker.terminate()
        leave()
      }
    },
  }
}

function start({ memoryMib }: ThreadLimits): Worker {
  const cache = nodeModule.getCompileCacheDir()
  const worker = new Worker(THREAD, {
    ...(cache !== undefined && { workerData: dirname(cache) }),
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMib,
      maxYoungGenerationSizeMb: YOUNG_MIB,
      stackSizeMb: STACK_MIB,
    },
  })
  // One that is being ended, or has nothing to do, may still fail.
  return worker.on('error', () => undefined)
}

function piecesOf<Piece>(
  worker: Worker,
  { module, order, handedOver }: ThreadOrder,
  { deadlineMs, memoryMib }: ThreadLimits,
): Promise<readonly Piece[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Piece[]>()
  const pieces: Piece[] = []
  const tell = (message: ToThread, transfer?: readonly ArrayBuffer[]): void =>
    worker.postMessage(message, transfer)
  const onMessage = (message: FromThread<Piece>): void => {
    if (message.kind === 'DONE') resolve(pieces)
    else if (message.kind === 'BROKEN') reject(new ThreadEnded('BROKEN', message.said))
    else {
      pieces.push(message.piece)
      tell({ kind: 'NEXT' })
    }
  }
  const onError = (error: unknown): void => reject(endOf(error, memoryMib))
  const onExit = (): void => reject(new ThreadEnded('BROKEN', 'the thread ended by itself'))
  const late = setTimeout(
    () => reject(new ThreadEnded('DEADLINE', `it took more than ${deadlineMs / 1000} s`)),
    deadlineMs,
  )
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  tell({ kind: 'ORDER', module: module.href, order }, handedOver)
  return promise.finally(() => {
    clearTimeout(late)
    worker.off('message', onMessage).off('exit', onExit)
    worker.off('error', onError)
  })
}

function endOf(error: unknown, memoryMib: number): ThreadEnded {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory) return new ThreadEnded('MEMORY', `it took more than ${memoryMib} MiB of memory`)
  return new ThreadEnded('BROKEN', error instanceof Error ? error.message : String(error))
}
