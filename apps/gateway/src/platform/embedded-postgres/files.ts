import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { systemCode } from './failure.ts'

/** The text of a file, or undefined when there is no such file. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The bytes a file holds; 0 when it does not exist. */
export function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The text of a file from an offset on, at most its last `bytesMax` bytes. */
export function readTail(path: string, offset: number, bytesMax: number): string {
  const size = fileBytes(path)
  const start = Math.max(Math.min(offset, size), size - bytesMax, 0)
  if (size === start) return ''
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(size - start)
    const read = readSync(file, buffer, 0, buffer.length, start)
    return buffer.toString('utf8', 0, read)
  } finally {
    closeSync(file)
  }
}
