import { Refusal } from './refusal.ts'

/** How many may wait for one key; whoever comes then is told to come back. */
const WAITING_MAX = 256

/**
 * Does what concerns one key one after the other, in this process: those who would wait for one lock of the database wait here, and
 * take no connection meanwhile. It replaces no lock: other processes know nothing of it.
 */
export function createTurns(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= WAITING_MAX) throw new Refusal('SYSTEM')
    lines.set(key, line)
    line.waiting += 1
    const mine = line.last.then(work)
    line.last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      line.waiting -= 1
      if (line.waiting === 0) lines.delete(key)
    }
  }
}
