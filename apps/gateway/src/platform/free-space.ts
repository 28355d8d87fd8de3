import { statfsSync } from 'node:fs'

/** The bytes that are free where the files of a folder lie; 0 where the system does not say, or there is no such folder. */
export function freeBytesAt(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
