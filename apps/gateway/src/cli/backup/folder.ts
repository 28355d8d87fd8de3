import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from '../../platform/embedded-postgres/index.ts'
import { freeBytesAt } from '../../platform/free-space.ts'
import { syncFolder } from '../../platform/whole-file.ts'
import { CommandFailure } from '../failure.ts'

/**
 * Makes a folder that gets its name only when it is full and on the disk, readable by the owner alone. Work that fails
 * leaves nothing. Throws a sentence when the name is taken.
 */
export async function intoNewFolder<Result>(
  folder: string,
  fill: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  if (existsSync(folder)) throw new CommandFailure('CONFLICT', `${folder} exists already. Name a new folder.`)
  const unfinished = `${folder}.unfinished`
  makeFolder(unfinished)
  try {
    const result = await fill(unfinished)
    syncFolder(unfinished)
    renameSync(unfinished, folder)
    syncFolder(dirname(folder))
    return result
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST')
      throw new CommandFailure(
        'CONFLICT',
        `${folder} exists: a backup is being written to it, or one was killed. If none runs, remove it.`,
      )
    if (code === undefined) throw error
    throw new CommandFailure('USAGE', `${folder} cannot be made: ${code}.`)
  }
}

/** Throws a sentence when the disk under a folder that exists has less room than this. */
export function requireSpace(folder: string, bytes: number): void {
  const free = freeBytesAt(folder)
  if (free >= bytes) return
  throw new CommandFailure(
    'USAGE',
    `There is not enough room in ${folder}: ${sizeOf(bytes)} are needed, ${sizeOf(free)} are free.`,
  )
}

const MEGA = 1_000_000

/** `48.6 MB`. */
export const sizeOf = (bytes: number): string => `${(bytes / MEGA).toFixed(1)} MB`
