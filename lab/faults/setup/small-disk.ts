import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that lies on a disk of its own, in memory, whose size can be changed. */
export interface SmallDisk {
  /** Not a byte more fits in. */
  fill(): void
  /** There is room again. */
  relieve(): void
  /** Puts the folder back where it was. Nobody may use it meanwhile. The second time there is nothing to do. */
  remove(): void
}

const ROOM_BYTES = 1024 ** 3
/** More than is ever copied to a disk; none of it is taken before it is used. */
const FIRST_SIZE = '64g'
const NAME = 'tollgate-faults'

/** Why there can be no such disks here; undefined when there can. */
export function missingForSmallDisks(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), `${NAME}-disk-`))
  try {
    mountAt(folder)
    run('umount', folder)
    return undefined
  } catch {
    return 'file systems cannot be mounted here'
  } finally {
    rmdirSync(folder)
  }
}

/** Moves a folder to such a disk. Nobody may use it meanwhile. */
export function moveToSmallDisk(folder: string): SmallDisk {
  const kept = `${folder}.kept`
  renameSync(folder, kept)
  mkdirSync(folder)
  mountAt(folder)
  copyTo(folder, kept)
  const resize = (roomBytes: number): void =>
    run('mount', '-o', `remount,size=${usedBytes(folder) + roomBytes}`, folder)
  resize(ROOM_BYTES)
  let isThere = true
  return {
    fill: () => resize(0),
    relieve: () => resize(ROOM_BYTES),
    remove() {
      if (!isThere) return
      isThere = false
      rmSync(kept, { recursive: true })
      mkdirSync(kept)
      copyTo(kept, folder)
      run('umount', folder)
      rmdirSync(folder)
      renameSync(kept, folder)
    },
  }
}

const mountAt = (folder: string): void =>
  run('mount', '-t', 'tmpfs', '-o', `size=${FIRST_SIZE}`, NAME, folder)

/** Everything, with owners and modes, those of the folder itself as well. */
const copyTo = (to: string, from: string): void => run('cp', '-a', `${from}/.`, to)

function usedBytes(folder: string): number {
  const { blocks, bfree, bsize } = statfsSync(folder)
  return (blocks - bfree) * bsize
}

function run(program: string, ...args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.trim()}`)
}
