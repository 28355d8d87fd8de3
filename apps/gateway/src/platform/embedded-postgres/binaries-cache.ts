import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { systemCode } from './failure.ts'
import { readIfPresent } from './files.ts'
import { linkLibraries } from './libraries.ts'

export interface BinariesSource {
  readonly native: string
  readonly version: string
}

/** Written last into a copy: what it must hold. A copy that a cleaner of temporary files has thinned out does not match. */
const MARKER = 'complete.json'
const LEFTOVER_AGE_MS = 3_600_000

/**
 * A complete copy of the programs in `cacheFolder`, made now or earlier, that every user may run. Copies appear by one
 * rename, so processes that race use whichever came first. Undefined when the folder cannot be used, or is not safe to
 * use because someone else could change what we would run.
 */
export async function copyToCache(source: BinariesSource, cacheFolder: string): Promise<string | undefined> {
  const base = join(cacheFolder, `postgres-${source.version}`)
  const copy = join(base, 'native')
  try {
    mkdirSync(base, { recursive: true })
    if (!isOurs(cacheFolder) || !isOurs(base)) return undefined
    if (isComplete(copy)) return copy
    // Whatever the umask was: the user of the server must be able to pass.
    for (const folder of [cacheFolder, base]) chmodSync(folder, 0o755)
    const unfinished = join(base, `unfinished-${randomBytes(6).toString('hex')}`)
    mkdirSync(unfinished)
    removeLeftovers(base, lstatSync(unfinished).mtimeMs)
    makeCopy(source.native, unfinished)
    publish(unfinished, copy)
    return isComplete(copy) ? copy : undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

function isOurs(folder: string): boolean {
  const info = lstatSync(folder)
  const othersMayWrite = (info.mode & 0o022) !== 0
  return info.isDirectory() && info.uid === process.getuid?.() && !othersMayWrite
}

function isComplete(copy: string): boolean {
  const marker = readIfPresent(join(copy, MARKER))
  return marker !== undefined && marker === markerOf(copy)
}

/** The number of files and their bytes, as text. */
function markerOf(folder: string): string {
  let files = 0
  let bytes = 0
  for (const path of pathsIn(folder)) {
    const info = lstatSync(path)
    if (!info.isFile() || path === join(folder, MARKER)) continue
    files++
    bytes += info.size
  }
  return JSON.stringify({ files, bytes })
}

function makeCopy(native: string, unfinished: string): void {
  cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  const folder = join(unfinished, 'native')
  if (!linkLibraries(folder)) throw new Error(`cannot link the libraries in ${folder}`)
  for (const path of [unfinished, folder, ...pathsIn(folder)]) letEveryoneRead(path)
  writeFileSync(join(folder, MARKER), markerOf(folder))
}

function letEveryoneRead(path: string): void {
  const info = lstatSync(path)
  if (info.isSymbolicLink()) return
  const executable = info.isDirectory() || (info.mode & 0o100) !== 0
  chmodSync(path, executable ? 0o755 : 0o644)
}

function publish(unfinished: string, copy: string): void {
  if (lstatSync(copy, { throwIfNoEntry: false }) !== undefined && !isComplete(copy))
    renameSync(copy, join(unfinished, 'broken'))
  try {
    renameSync(join(unfinished, 'native'), copy)
  } catch (error) {
    const lostTheRace = ['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')
    if (!lostTheRace) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** What a killed process left behind. Young ones may belong to a process that is copying now. */
function removeLeftovers(base: string, nowMs: number): void {
  for (const name of readdirSync(base)) {
    const path = join(base, name)
    const info = statSync(path, { throwIfNoEntry: false })
    const old = info !== undefined && nowMs - info.mtimeMs > LEFTOVER_AGE_MS
    if (old && name.startsWith('unfinished-')) rmSync(path, { recursive: true, force: true })
  }
}

function pathsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}
