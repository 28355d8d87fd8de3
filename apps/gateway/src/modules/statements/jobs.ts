import type { Log } from '@tollgate/runtime'
import { createPeriodic } from '../../platform/periodic.ts'
import { createFolderWatch, type FailedDocuments, type FolderWatch, type SeenFile } from '../inbox/index.ts'
import { StatementProblem } from './errors.ts'
import { MAPPING_FILE, readWaitingFile } from './import/folder.ts'
import type { StatementActs } from './people/acts.ts'
import type { StatementService } from './service.ts'

interface StatementWorkerDeps {
  readonly statements: Pick<StatementService, 'match'>
  readonly acts: Pick<StatementActs, 'handInFromFolder'>
  readonly failed: Pick<FailedDocuments, 'putAside'>
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
  const watch = watchOf(deps)
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    work: async (signal) => {
      await deps.statements.match()
      await watch?.look(signal)
      return false
    },
    onFault: (error) => deps.log.warn({ err: error }, 'statements could not be looked at; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

function watchOf(deps: StatementWorkerDeps): FolderWatch | undefined {
  const { directory } = deps
  if (directory === undefined) return undefined
  return createFolderWatch(deps, {
    channel: 'STATEMENTS',
    directory,
    settings: [MAPPING_FILE],
    take: (file) => takeFile(deps, directory, file),
    isOfFile: (error) => error instanceof StatementProblem,
  })
}

/**
 * Takes a file of the folder. A crash before it is moved leaves a file that is known: taking twice changes nothing.
 */
async function takeFile(
  { acts, log }: StatementWorkerDeps,
  directory: string,
  file: SeenFile,
): Promise<void> {
  const { bytes, mapping } = await readWaitingFile(directory, file)
  const taken = await acts.handInFromFolder({ fileName: file.name, bytes, mapping })
  const { kind } = taken
  if (taken.kind === 'WAITING')
    log.info(
      { file: file.name, confirmation: taken.act.confirmationId },
      'a statement file waits for an operator',
    )
  else log.info({ file: file.name, kind, ...taken.matched }, 'a statement file was taken')
}
