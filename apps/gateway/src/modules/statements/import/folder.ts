import { lstat, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FileProblem } from '../errors.ts'
import { type CsvMapping, readCsvMapping } from '../formats/csv-mapping.ts'
import { FILE_BYTES_MAX } from '../formats/parsed.ts'

/** Beside the files: what is in which column of the CSV files of this folder. */
const MAPPING_FILE = 'mapping.json'
const DONE = 'done'
const FAILED = 'failed'

/** Of one look; the others follow in the next. */
const FILES_MAX = 1_000
const SAME_NAMES_MAX = 10_000
/** What programs write while they have not finished. */
const UNFINISHED = /^\.|\.(?:part|partial|tmp|temp|crdownload|filepart)$|~$/i

/** A file as it was seen: when it looks the same the next time, whoever writes it has finished. */
export interface SeenFile {
  readonly name: string
  readonly path: string
  readonly stamp: string
}

/** The files that lie in the folder, by name. Makes the folder, and those for what is done, where they are not there. */
export async function listWaitingFiles(directory: string): Promise<readonly SeenFile[]> {
  for (const each of [directory, join(directory, DONE), join(directory, FAILED)])
    await mkdir(each, { recursive: true })
  const names = (await readdir(directory))
    .filter((name) => !UNFINISHED.test(name) && name !== MAPPING_FILE)
    .toSorted()
  const seen: SeenFile[] = []
  for (const name of names.slice(0, FILES_MAX)) {
    const path = join(directory, name)
    const stat = await lstat(path).catch(() => undefined)
    if (stat?.isFile() === true) seen.push({ name, path, stamp: `${stat.size} ${stat.mtimeMs} ${stat.ino}` })
  }
  return seen
}

/** The bytes and, for CSV, the mapping that lies beside. Throws FileProblem for what cannot be a statement. */
export async function readWaitingFile(
  directory: string,
  { name, path }: SeenFile,
): Promise<{ readonly bytes: Buffer; readonly mapping: CsvMapping | undefined }> {
  const { size } = await lstat(path)
  if (size > FILE_BYTES_MAX) throw new FileProblem(`the file has ${size} bytes, more than ${FILE_BYTES_MAX}.`)
  const bytes = await readFile(path)
  if (!/\.csv$/i.test(name)) return { bytes, mapping: undefined }
  const text = await readFile(join(directory, MAPPING_FILE), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new FileProblem(`a CSV file needs its mapping: put it as ${MAPPING_FILE} into ${directory}.`)
  return { bytes, mapping: readCsvMapping(text) }
}

/** Moves a file that was taken away. A file of the same name stays what it is. */
export async function moveToDone(directory: string, file: SeenFile): Promise<void> {
  await move(file.path, await freePath(join(directory, DONE), file.name))
}

/** Moves a file that cannot be taken away, with the reason in a text beside it. */
export async function moveToFailed(directory: string, file: SeenFile, reason: string): Promise<void> {
  const path = await freePath(join(directory, FAILED), file.name)
  // The reason first: a file that lies there always has one.
  await writeFile(`${path}.error.txt`, `${reason}\n`)
  await move(file.path, path)
}

async function freePath(directory: string, name: string): Promise<string> {
  for (let number = 1; number <= SAME_NAMES_MAX; number += 1) {
    const path = join(directory, number === 1 ? basename(name) : `${basename(name)}.${number}`)
    const isTaken = await lstat(path).then(
      () => true,
      () => false,
    )
    if (!isTaken) return path
  }
  throw new Error(`${directory} holds ${SAME_NAMES_MAX} files named ${name}`)
}

/** Another worker on the same folder may have moved it a moment ago. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
}
