import nodeModule from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread, ToThread } from './messages.ts'

// Started by pool.ts: does one order after the other, whatever module they name.

if (parentPort === null) throw new Error('this file is started as a thread')
const port = parentPort
if (typeof workerData === 'string') nodeModule.enableCompileCache(workerData)

let pieces: Iterator<unknown> | undefined

const tell = (message: FromThread<unknown>): void => port.postMessage(message)

port.on('message', (message: ToThread) => {
  answer(message).catch((error: unknown) => {
    pieces = undefined
    tell({ kind: 'BROKEN', said: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  })
})

async function answer(message: ToThread): Promise<void> {
  if (message.kind === 'ORDER') pieces = await begin(message.module, message.order)
  const next = pieces?.next()
  if (next !== undefined && next.done !== true) tell({ kind: 'PIECE', piece: next.value })
  else {
    pieces = undefined
    tell({ kind: 'DONE' })
  }
}

async function begin(module: string, order: unknown): Promise<Iterator<unknown>> {
  const loaded: unknown = await import(module)
  if (!isWork(loaded)) throw new Error(`${module} exports no function named work`)
  return loaded.work(order)[Symbol.iterator]()
}

interface Work {
  readonly work: (order: unknown) => Iterable<unknown>
}

const isWork = (module: unknown): module is Work =>
  typeof module === 'object' && module !== null && 'work' in module && typeof module.work === 'function'
