import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

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

/**
 * The files that lie in the folder, by name, but for those named in `settings`, which say how to read the others. Makes the
 * folder, and those for what is done, where they are not there.
 */
export async function listWaitingFiles(
  directory: string,
  settings: readonly string[],
): Promise<readonly SeenFile[]> {
  for (const each of [directory, join(directory, DONE), join(directory, FAILED)])
    await mkdir(each, { recursive: true })
  const names = (await readdir(directory))
    .filter((name) => !UNFINISHED.test(name) && !settings.includes(name))
    .toSorted()
  const seen: SeenFile[] = []
  for (const name of names.slice(0, FILES_MAX)) {
    const path = join(directory, name)
    const stat = await lstat(path).catch(() => undefined)
    if (stat?.isFile() === true) seen.push({ name, path, stamp: `${stat.size} ${stat.mtimeMs} ${stat.ino}` })
  }
  return seen
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
