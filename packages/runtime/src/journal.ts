import { closeSync, fsyncSync, openSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** An append-only file of JSON lines. What was appended is in memory at once, and on the disk when `settled` resolves. */
export interface Journal<Line> {
  /**
   * Opens the file, makes it if needed, and reads it from its beginning. A torn last line is cut off; any other line
   * that cannot be read throws JournalDamaged. Only one process may have it open: whoever calls this has made sure.
   */
  open(): Promise<Opened<Line>>
  /** Takes a line; it is written with all that gathered meanwhile, in order, by one write and one fsync. */
  append(line: Line): void
  /** Resolves when everything appended so far is on the disk. Rejects for good once a write has failed. */
  settled(): Promise<void>
  /** Waits for what is under way and closes the file. */
  close(): Promise<void>
}

/** What was in a journal. */
interface Opened<Line> {
  readonly lines: readonly Line[]
  /** Bytes of a last line that a crash cut off; it was never acknowledged, and it is gone now. */
  readonly tornBytes: number
}

/** A journal that cannot be read: another program's file, or a damaged one. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged'
}

const FILE_MODE = 0o600
const LINE_FEED = 0x0a

/** A journal that is not open yet. `read` makes a line of parsed JSON, or undefined when it is none. */
export function createJournal<Line extends object>(
  file: string,
  read: (value: unknown) => Line | undefined,
): Journal<Line> {
  let handle: FileHandle | undefined
  let gathered: string[] = []
  let isScheduled = false
  let last = Promise.resolve()
  const flush = async (): Promise<void> => {
    const text = gathered.join('')
    gathered = []
    isScheduled = false
    if (handle === undefined) throw new Error('the journal is not open')
    await handle.appendFile(text)
    await handle.datasync()
  }
  return {
    async open() {
      await mkdir(dirname(file), { recursive: true })
      const opened = await open(file, 'a', FILE_MODE)
      try {
        const whole = await readWhole(opened, { file, read })
        handle = opened
        return whole
      } catch (error) {
        await opened.close()
        throw error
      }
    },
    append(line) {
      gathered.push(`${JSON.stringify(line)}\n`)
      if (isScheduled) return
      isScheduled = true
      // After a failure nothing is written any more: a later line on the disk would hide that one is missing.
      last = last.then(flush)
      last.catch(() => undefined)
    },
    settled: () => last,
    async close() {
      await last.catch(() => undefined)
      await handle?.close()
      handle = undefined
    },
  }
}

async function readWhole<Line>(handle: FileHandle, reader: Reader<Line>): Promise<Opened<Line>> {
  const bytes = await readFile(reader.file)
  const wholeBytes = bytes.lastIndexOf(LINE_FEED) + 1
  const lines = readLines(bytes.subarray(0, wholeBytes).toString('utf8'), reader)
  if (wholeBytes < bytes.length) await handle.truncate(wholeBytes)
  await handle.sync()
  synchronizeFolder(dirname(reader.file))
  return { lines, tornBytes: bytes.length - wholeBytes }
}

interface Reader<Line> {
  readonly file: string
  readonly read: (value: unknown) => Line | undefined
}

function readLines<Line>(text: string, { file, read }: Reader<Line>): readonly Line[] {
  const texts = text.split('\n').slice(0, -1)
  return texts.map((each, index) => {
    const line = read(parse(each))
    if (line === undefined) throw new JournalDamaged(`Line ${index + 1} of ${file} cannot be read.`)
    return line
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Otherwise a crash of the machine could take a new file's name away. */
function synchronizeFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
