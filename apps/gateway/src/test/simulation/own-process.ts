import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url))

/** The same lives and histories each time: a change is judged by what it changes. `npm run simulate` draws others. */
const SEED = '20301'

/**
 * What `npm run simulate` says with these arguments. Throws, with the seed, when something went wrong. A process of its own,
 * since the test runner follows every promise of its processes: millions of them take three times as long there.
 */
export async function simulate(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--seed', SEED, ...args])
  return stdout
}
