import { lstat, readFile } from 'node:fs/promises'
import type { Log } from '@tollgate/runtime'
import { createPeriodic } from '../../platform/periodic.ts'
import { createFolderWatch, type FailedDocuments, type SeenFile } from '../inbox/index.ts'
import { PayoutFileProblem } from './errors.ts'
import { REPORT_BYTES_MAX } from './model.ts'
import type { PayoutReportActs } from './report-acts.ts'

interface ReportWorkerDeps {
  readonly acts: Pick<PayoutReportActs, 'handInFromFolder'>
  readonly failed: Pick<FailedDocuments, 'putAside'>
  readonly log: Log
  /** The folder that is watched. */
  readonly directory: string
  /** From one look to the next; 5 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Takes the status reports of a folder. Any number may run. */
export interface ReportWorker {
  start(): void
  /** Begins nothing else, and resolves when what is under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 5_000

export function createReportWorker(deps: ReportWorkerDeps): ReportWorker {
  const watch = createFolderWatch(deps, {
    channel: 'PAYOUT_REPORTS',
    directory: deps.directory,
    settings: [],
    take: (file) => takeReport(deps, file),
    isOfFile: (error) => error instanceof PayoutFileProblem,
  })
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    async work(signal) {
      await watch.look(signal)
      return false
    },
    onFault: (error) =>
      deps.log.warn({ err: error }, 'the folder of status reports could not be looked at; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

async function takeReport({ acts, log }: ReportWorkerDeps, { name, path }: SeenFile): Promise<void> {
  const { size } = await lstat(path)
  if (size > REPORT_BYTES_MAX)
    throw new PayoutFileProblem(
      `The file has ${size} bytes; a status report has at most ${REPORT_BYTES_MAX}.`,
    )
  const taken = await acts.handInFromFolder({ fileName: name, bytes: await readFile(path) })
  if (taken.kind === 'WAITING') {
    log.info({ file: name, confirmation: taken.act.confirmationId }, 'a status report waits for an operator')
    return
  }
  const { reportId, counts } = taken.report
  log.info({ file: name, report: reportId, ...counts }, 'a status report was taken')
}
