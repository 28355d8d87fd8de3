import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'

const age = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

const ROOT = join(import.meta.dirname, '..')

/**
 * The folder, named from the root of the repository, with its packages installed: by the first run that needs them, and again when its lock file has
 * changed. Everything that only some of us need, and that is large, comes this way.
 */
export function onDemand(path: string): string {
  const folder = join(ROOT, path)
  if (age(join(folder, 'node_modules/.package-lock.json')) >= age(join(folder, 'package-lock.json')))
    return folder
  // What is said of the install is no answer of the program.
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`)
  return folder
}
