import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Overloaded } from '../platform/batch.ts'
import { sharedCompileCache } from '../programs/compile-cache.ts'
import {
  type FromImporter,
  faultFromText,
  type HandedIn,
  type ImportJob,
  type Taken,
} from './import-messages.ts'
import type { Parts } from './parts.ts'

const MAIN = fileURLToPath(new URL('../importer.ts', import.meta.url))

/** Files above this size are imported by a process of their own. */
const LARGE_BYTES = 1_048_576
const RUNNING_MAX = 1
const WAITING_MAX = 8
/** A small young generation, and old objects collected long before they have doubled: it trades a little time for memory. */
const HEAP_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=40']
/** Threads share their free memory. */
const ARENAS = { MALLOC_ARENA_MAX: '2' }

/** Hands a large statement to a process of its own, so that what the import needs is gone with it. */
export interface ImportProcesses {
  /** Whether the file is so large that it is worth a process. */
  isFor(order: Pick<HandedIn, 'bytes'>): boolean
  /** Throws what the import threw, and Overloaded when too many files wait. */
  run(handsIn: ImportJob['handsIn'], order: HandedIn): Promise<Taken>
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
        'too many large statements are being imported',
        'Too many large statements are being imported: hand this one in again in a minute.',
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
    isFor: ({ bytes }) => bytes.length > LARGE_BYTES,
    async run(handsIn, order) {
      await admit()
      try {
        const { config, databaseUrl, secrets } = parts
        const answer = await answerOf({ config, databaseUrl, rootKey: secrets.rootKey(), handsIn, order })
        if (answer.kind === 'FAULT') throw faultFromText(answer.fault)
        for (const { labels, value } of answer.payments) parts.metrics.payments.inc(labels, value)
        return answer.taken
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
