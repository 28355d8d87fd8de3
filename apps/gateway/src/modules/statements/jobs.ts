import type { Log } from '@tollgate/runtime'
import { createPeriodic } from '../../platform/periodic.ts'
import { StatementProblem } from './errors.ts'
import {
  listWaitingFiles,
  moveToDone,
  moveToFailed,
  readWaitingFile,
  type SeenFile,
} from './import/folder.ts'
import type { StatementActs } from './people/acts.ts'
import type { StatementService } from './service.ts'

interface StatementWorkerDeps {
  readonly statements: Pick<StatementService, 'match'>
  readonly acts: Pick<StatementActs, 'handInFromFolder'>
  readonly log: Log
  /** The folder that is watched; none when undefined. */
  readonly directory: string | undefined
  /** From one look to the next; 5 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Takes the files of a folder, and looks at lines that an interrupted import left behind. Any number may run. */
export interface StatementWorker {
  start(): void
  /** Begins nothing else, and resolves when what is under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 5_000

export function createStatementWorker(deps: StatementWorkerDeps): StatementWorker {
  let seen: ReadonlyMap<string, string> = new Map()
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    work: async (signal) => {
      seen = await lookOnce(deps, seen, signal)
      return false
    },
    onFault: (error) => deps.log.warn({ err: error }, 'statements could not be looked at; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

/** A file is taken when it looks as it did the last time: whoever writes it has finished. */
async function lookOnce(
  deps: StatementWorkerDeps,
  seen: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  await deps.statements.match()
  const { directory } = deps
  if (directory === undefined) return seen
  const files = await listWaitingFiles(directory)
  for (const file of files) {
    if (signal.aborted) break
    if (seen.get(file.name) === file.stamp) await takeFile(deps, directory, file)
  }
  return new Map(files.map(({ name, stamp }) => [name, stamp]))
}

/**
 * Taking comes before moving, and taking twice changes nothing: a crash in between leaves a file that is known. When the
 * database is away the file stays where it is.
 */
async function takeFile(
  { acts, log }: StatementWorkerDeps,
  directory: string,
  file: SeenFile,
): Promise<void> {
  try {
    const { bytes, mapping } = await readWaitingFile(directory, file)
    const taken = await acts.handInFromFolder({ fileName: file.name, bytes, mapping })
    await moveToDone(directory, file)
    const { kind } = taken
    if (taken.kind === 'WAITING')
      log.info(
        { file: file.name, confirmation: taken.act.confirmationId },
        'a statement file waits for an operator',
      )
    else log.info({ file: file.name, kind, ...taken.matched }, 'a statement file was taken')
  } catch (error) {
    if (!(error instanceof StatementProblem)) throw error
    await moveToFailed(directory, file, error.message)
    log.warn({ file: file.name, problem: error.message }, 'a statement file cannot be taken')
  }
}
