import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url))

/**
 * What `npm run simulate` says with these arguments. Throws, with the seed, when something went wrong. A process of its own,
 * since the test runner follows every promise of its processes: millions of them take three times as long there.
 */
export async function simulate(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args])
  return stdout
}
