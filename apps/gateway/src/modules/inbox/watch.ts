import type { Log } from '@tollgate/runtime'
import { listWaitingFiles, moveToDone, moveToFailed, type SeenFile } from './folder.ts'
import type { FailedChannel } from './model.ts'
import type { FailedDocuments } from './service.ts'

interface WatchedFolder {
  readonly channel: FailedChannel
  readonly directory: string
  /** Files of this folder that say how to read the others. */
  readonly settings: readonly string[]
  /** Takes a file. Taking it twice changes nothing. */
  take(file: SeenFile): Promise<void>
  /** Whether the file itself is what is wrong: it is put aside then. For anything else it stays, and is tried again. */
  isOfFile(error: unknown): error is Error
}

interface WatchDeps {
  readonly failed: Pick<FailedDocuments, 'putAside'>
  readonly log: Log
}

/** A folder that others lay files into. Any number of processes may look into the same one. */
export interface FolderWatch {
  /** One look: what looks as it did the last time is taken, since whoever writes it has finished. */
  look(signal: AbortSignal): Promise<void>
}

export function createFolderWatch(deps: WatchDeps, folder: WatchedFolder): FolderWatch {
  let seen: ReadonlyMap<string, string> = new Map()
  return {
    async look(signal) {
      const files = await listWaitingFiles(folder.directory, folder.settings)
      for (const file of files) {
        if (signal.aborted) break
        if (seen.get(file.name) === file.stamp) await takeFile(deps, folder, file)
      }
      seen = new Map(files.map(({ name, stamp }) => [name, stamp]))
    },
  }
}

/**
 * Taking and listing come before moving: a crash in between leaves a file that is known. When the database is away the file
 * stays where it is.
 */
async function takeFile({ failed, log }: WatchDeps, folder: WatchedFolder, file: SeenFile): Promise<void> {
  const { channel, directory } = folder
  try {
    await folder.take(file)
    await moveToDone(directory, file)
  } catch (error) {
    if (!folder.isOfFile(error)) throw error
    await failed.putAside({ channel, from: file.path, fileName: file.name, reason: error.message })
    await moveToFailed(directory, file, error.message)
    log.warn(
      { channel, file: file.name, problem: error.message },
      'a file of a watched folder cannot be taken',
    )
  }
}
