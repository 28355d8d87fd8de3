import { createWriteStream, fchmodSync, fstatSync, openSync, renameSync, type WriteStream } from 'node:fs'
import type { DestinationStream } from 'pino'

const PRIVATE = 0o600
const BYTES_MAX = 20_000_000
const OLD_FILES_MAX = 4

interface LogFileOptions {
  /** After how many bytes a new file is begun. Default: 20 MB. */
  readonly bytesMax?: number
  /** How many full files are kept beside it, as `<path>.1` (the newest), `<path>.2`… Default: 4. */
  readonly oldFilesMax?: number
}

/**
 * Appends lines to a file that only its owner may read, and begins a new one when it is full. A log that cannot be written, as on
 * a full disk, loses lines and stops nothing. For one process.
 */
export function openLogFile(path: string, options: LogFileOptions = {}): DestinationStream {
  const { bytesMax = BYTES_MAX, oldFilesMax = OLD_FILES_MAX } = options
  let current = open(path)
  const rotate = (): void => {
    current.stream.end()
    for (let number = oldFilesMax; number > 0; number -= 1)
      moveIfThere(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`)
    current = open(path)
  }
  return {
    write(line) {
      try {
        if (current.isBroken) current = open(path)
        if (current.bytes > 0 && current.bytes + Buffer.byteLength(line) > bytesMax) rotate()
      } catch {
        // The next line tries again.
        current.isBroken = true
        return
      }
      current.bytes += Buffer.byteLength(line)
      current.stream.write(line)
    },
  }
}

interface OpenFile {
  readonly stream: WriteStream
  bytes: number
  isBroken: boolean
}

/** A file of an earlier version may be readable by others. */
function open(path: string): OpenFile {
  const fd = openSync(path, 'a', PRIVATE)
  fchmodSync(fd, PRIVATE)
  const file: OpenFile = {
    stream: createWriteStream(path, { fd }),
    bytes: fstatSync(fd).size,
    isBroken: false,
  }
  file.stream.on('error', () => {
    file.isBroken = true
  })
  return file
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
