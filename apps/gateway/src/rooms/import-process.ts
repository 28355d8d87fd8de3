import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Overloaded } from '../platform/batch.ts'
import { sharedCompileCache } from '../programs/compile-cache.ts'
import {
  type FromImporter,
  faultFromText,
  type ImportJob,
  type Outcome,
  type Task,
} from './import-messages.ts'
import type { Parts } from './parts.ts'

const MAIN = fileURLToPath(new URL('../importer.ts', import.meta.url))

/** Documents above this size are read by a process of their own. */
const LARGE_BYTES = 1_048_576
const RUNNING_MAX = 1
const WAITING_MAX = 8
/** A small young generation, and old objects collected long before they have doubled: it trades a little time for memory. */
const HEAP_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=40']
/** Threads share their free memory. */
const ARENAS = { MALLOC_ARENA_MAX: '2' }

/** Hands a large document to a process of its own, so that what it needs is gone with it. */
export interface ImportProcesses {
  /** Whether a document of so many bytes is worth a process. */
  isFor(byteCount: number): boolean
  /** Throws what the task threw, and Overloaded when too many documents wait. */
  run(task: Task): Promise<Outcome>
}

export function createImportProcesses(parts: Parts): ImportProcesses {
  const waiting: (() => void)[] = []
  let running = 0

  async function admit(): Promise<void> {
    if (running < RUNNING_MAX) {
      running += 1
      return
    }
    if (waiting.length >= WAITING_MAX)
      throw new Overloaded(
        'too many large documents are being read',
        'Too many large documents are being read: try again in a minute.',
      )
    // Who ends hands its place over.
    await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    isFor: (byteCount) => byteCount > LARGE_BYTES,
    async run(task) {
      await admit()
      try {
        const { config, databaseUrl, secrets } = parts
        const answer = await answerOf({ config, databaseUrl, rootKey: secrets.rootKey(), task })
        if (answer.kind === 'FAULT') throw faultFromText(answer.fault)
        for (const { labels, value } of answer.payments) parts.metrics.payments.inc(labels, value)
        return answer.outcome
      } finally {
        leave()
      }
    },
  }
}

/** Resolves when the process has ended. */
function answerOf(job: ImportJob): Promise<FromImporter> {
  const { promise, resolve, reject } = Promise.withResolvers<FromImporter>()
  const child = fork(MAIN, {
    execArgv: [...process.execArgv, ...HEAP_FLAGS],
    // All of it: the driver of the database reads PGPASSWORD and others.
    // eslint-disable-next-line no-restricted-properties -- nothing of ours is read from it here
    env: { ...process.env, ...sharedCompileCache(), ...ARENAS },
    serialization: 'advanced',
  })
  let answer: FromImporter | undefined
  child.on('message', (message: FromImporter) => {
    answer = message
  })
  child.on('error', reject)
  child.on('exit', (code, signal) => {
    if (answer === undefined) reject(new Error(`the process that imports ended with ${code ?? signal}`))
    else resolve(answer)
  })
  child.send(job, (error) => {
    if (error !== null) reject(error)
  })
  return promise
}
