import { createHash } from 'node:crypto'
import type { Log } from '@tollgate/runtime'
import { confirmWithin } from '../../platform/confirm-seen.ts'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { documentThreads, ThreadEnded } from '../../platform/threads/index.ts'
import type { FinalReport } from '../../rails/rail.ts'
import { listNeedingSecond } from '../confirmations/index.ts'
import { insertUnmasking } from '../operators/index.ts'
import {
  type DocumentEvidence,
  documentEvidence,
  type Evidence,
  OPERATOR_ACTOR_PREFIX,
  type Payment,
  type PaymentService,
  putForward,
} from '../payments/index.ts'
import { PayoutFileProblem } from './errors.ts'
import { interpretReport } from './interpret.ts'
import {
  PAYMENTS_PER_FILE_MAX,
  REPORT_BYTES_MAX,
  type ReportedTransaction,
  type StatusReport,
} from './model.ts'
import type { ReportPiece } from './pain002-thread.ts'
import { failureFor } from './reasons.ts'
import {
  type EntryOutcome,
  findReport,
  findReportByHash,
  findReportContent,
  findReportHash,
  insertEntries,
  insertReport,
  listEntries,
  listOpenReports,
  listReports,
  type ReportQuery,
  type StoredEntry,
  type StoredReport,
  updateEntry,
} from './report-store.ts'
import { findFile, listFilePayments } from './store.ts'

export interface PayoutReportDeps {
  readonly db: Database
  readonly log: Log
  readonly secrets: Secrets
  readonly payments: Pick<PaymentService, 'propose' | 'find' | 'keepInquiry'>
  /** The rail whose payments go by files: it is named as who says what a report says. */
  readonly rail: string
}

/** A report with everything that it says and what followed. */
export interface ReportView {
  readonly report: StoredReport
  /** A page of them: at most ENTRIES_PER_PAGE. */
  readonly entries: readonly StoredEntry[]
  readonly hasMore: boolean
  /** False when these very bytes were here before: nothing was done again. */
  readonly isNew: boolean
}

/** The bytes of a report. */
interface FetchedReport {
  readonly name: string
  readonly bytes: Buffer
  readonly sha256: string
}

/** Status reports of banks about files of payouts. Throws PayoutFileProblem. */
export interface PayoutReportService {
  /**
   * Takes a report (pain.002): stored first, then followed, payment by payment. The same bytes are taken once; a report
   * whose following was broken off is gone on with.
   */
  take(given: GivenReport): Promise<ReportView>
  /** Goes on with reports whose following was broken off; at most so many. */
  resume(limit: number): Promise<void>
  /** The newest first. */
  list(query: ReportQuery): Promise<readonly StoredReport[]>
  /** With the entries after a position; from the first one unless it is given. */
  show(reportId: string, after?: number): Promise<ReportView>
  /** The bytes as they came. Who reads them is noted first: names and accounts are in them. */
  fetch(reportId: string, operatorCode: string): Promise<FetchedReport>
}

export function createPayoutReportService(deps: PayoutReportDeps): PayoutReportService {
  return {
    async take(given) {
      const { reportId, isNew } = await storeReport(deps, given)
      await followReport(deps, reportId)
      return view(deps, { reportId, isNew })
    },
    async resume(limit) {
      // One that fails again and again keeps no other waiting.
      for (const reportId of await listOpenReports(deps.db, limit))
        await followReport(deps, reportId).catch((error: unknown) =>
          deps.log.error(
            { reportId, err: error },
            'a status report could not be followed; it is tried again',
          ),
        )
    },
    list: (query) => listReports(deps.db, query),
    fetch: (reportId, operatorCode) => fetchReport(deps, reportId, operatorCode),
    show: (reportId, after) => view(deps, { reportId, isNew: false, after }),
  }
}

const sealContext = (contentHash: Buffer): string => `payout-report ${contentHash.toString('hex')}`

async function fetchReport(
  { db, secrets }: PayoutReportDeps,
  reportId: string,
  operatorCode: string,
): Promise<FetchedReport> {
  const stored = await findReportContent(db, reportId)
  if (stored === undefined) throw noReport(reportId)
  const { contentHash, dataKey, sealed, fileName: name } = stored
  if (sealed.length === 0)
    throw new PayoutFileProblem(
      `The bytes of the report ${reportId} were removed, because its payments have ended: its digest and what it said are kept.`,
      'NOT_FOUND',
    )
  await insertUnmasking(db, operatorCode, { subject: 'PAYOUT_REPORT', reportId })
  const bytes = secrets.openApart(sealContext(contentHash), dataKey, sealed)
  return { name, bytes, sha256: contentHash.toString('hex') }
}

const noReport = (reportId: string): PayoutFileProblem =>
  new PayoutFileProblem(`There is no report ${reportId}.`, 'NOT_FOUND')

const FILE_NAME_MAX = 255

const nameOf = (fileName: string): string =>
  fileName.replace(/[^\x20-\x7e]/g, '?').slice(-FILE_NAME_MAX) || 'report'

/** A report as it is handed in. */
export interface GivenReport {
  readonly bytes: Uint8Array
  readonly fileName: string
  /** `operator:<code>`, or `folder`. */
  readonly actor: string
  /** The same of who confirmed it, where two were needed. */
  readonly confirmedBy?: string | undefined
}

/** Stores the report and what it comes to, in one transaction. Nothing has followed from it then. */
export async function storeReport(
  { db, secrets }: Pick<PayoutReportDeps, 'db' | 'secrets'>,
  handedIn: GivenReport,
): Promise<{ readonly reportId: string; readonly isNew: boolean }> {
  const report = await readReport(handedIn.bytes)
  const given = { ...handedIn, fileName: nameOf(handedIn.fileName) }
  const contentHash = createHash('sha256').update(given.bytes).digest()
  return db.transaction(async (tx) => {
    const file = await findFile(tx, report.originalMessageId)
    const sealed = secrets.sealApart(sealContext(contentHash), given.bytes)
    const reportId = await insertReport(tx, {
      ...given,
      contentHash,
      report,
      fileId: file?.fileId,
      ...sealed,
    })
    if (reportId === undefined) {
      const known = await findReportByHash(tx, contentHash)
      if (known === undefined) throw new Error('a report was there, and is gone')
      // Who hears that it is known does not hand it in again.
      await confirmWithin(tx)
      return { reportId: known, isNew: false }
    }
    const payments = file === undefined ? [] : await listFilePayments(tx, file.fileId)
    await insertEntries(tx, reportId, await interpretReport(report, file && { ...file, payments }))
    return { reportId, isNew: true }
  })
}

/** Reads a report. Throws PayoutFileProblem. */
export async function readReport(bytes: Uint8Array): Promise<StatusReport> {
  if (bytes.length > REPORT_BYTES_MAX)
    throw new PayoutFileProblem(`A status report has at most ${String(REPORT_BYTES_MAX)} bytes.`)
  return readReportInThread(bytes)
}

/** Puts forward what the entries say that nobody has looked at yet. */
export async function followReport(deps: PayoutReportDeps, reportId: string): Promise<void> {
  const report = await findReport(deps.db, reportId)
  if (report === undefined) throw new Error('a report was stored, and is gone')
  const evidence = await evidenceOf(deps.db, report)
  // What is open is of a payment of the file, and there is one entry for each.
  for (const entry of await listEntries(deps.db, reportId, {
    outcome: 'OPEN',
    limit: PAYMENTS_PER_FILE_MAX,
  })) {
    const became = await followEntry(deps, entry, evidence)
    await updateEntry(deps.db, { reportId, position: entry.position }, became)
  }
}

/** What the report proves, by who handed it in and who confirmed it. */
async function evidenceOf(
  db: Database,
  { reportId, actor, confirmedBy }: StoredReport,
): Promise<DocumentEvidence> {
  // A report of the folder that an operator confirmed is that operator's.
  if (!actor.startsWith(OPERATOR_ACTOR_PREFIX)) return documentEvidence(confirmedBy ?? actor, [])
  const digest = await findReportHash(db, reportId)
  const needing = await listNeedingSecond(db, 'PAYOUT_REPORT', digest === undefined ? [] : [digest])
  const agreed = confirmedBy === undefined ? [] : [confirmedBy.slice(OPERATOR_ACTOR_PREFIX.length)]
  return documentEvidence(actor, agreed, needing.size > 0)
}

interface Became {
  readonly outcome: EntryOutcome
  readonly why: string | undefined
}

const aside = (why: string): Became => ({ outcome: 'ASIDE', why })

async function followEntry(deps: PayoutReportDeps, entry: StoredEntry, evidence: Evidence): Promise<Became> {
  const payment = entry.key && (await deps.payments.find(entry.key))
  if (payment === undefined) return aside('The payment is not there any more.')
  const report = finalReportOf(entry, payment)
  if (report === undefined) return { outcome: 'NO_OUTCOME', why: undefined }
  const outcome = await putForward(deps, payment, {
    report,
    actor: `rail:${deps.rail}`,
    evidence,
    question: 'NOTIFICATION',
  })
  switch (outcome.kind) {
    case 'CHANGED':
      return { outcome: 'APPLIED', why: undefined }
    case 'SAME':
      return { outcome: 'SAME', why: undefined }
    case 'REFUSED':
      return aside(`The payment does not take it: ${outcome.why}.`)
    case 'MISSING':
      return aside('The payment is not there any more.')
  }
}

function finalReportOf({ says, reasonCode }: StoredEntry, payment: Payment): FinalReport | undefined {
  if (says === 'SETTLED') return { kind: 'SUCCEEDED', received: payment.money }
  return says === 'REJECTED' ? { kind: 'FAILED', ...failureFor(reasonCode) } : undefined
}

/** No file of ours has more payments. */
const ENTRIES_PER_PAGE = PAYMENTS_PER_FILE_MAX

async function view(
  { db }: PayoutReportDeps,
  wanted: { readonly reportId: string; readonly isNew: boolean; readonly after?: number | undefined },
): Promise<ReportView> {
  const { reportId, isNew, after = 0 } = wanted
  const report = await findReport(db, reportId)
  if (report === undefined) throw noReport(reportId)
  const found = await listEntries(db, reportId, { after, limit: ENTRIES_PER_PAGE + 1 })
  const entries = found.slice(0, ENTRIES_PER_PAGE)
  return { report, entries, hasMore: found.length > entries.length, isNew }
}

const THREAD = new URL('pain002-thread.ts', import.meta.url)
const MIB = 1_048_576

/**
 * Reads a status report in a thread, with limits on time and memory. Throws PayoutFileProblem, and Overloaded when too many
 * documents are being read.
 */
async function readReportInThread(bytes: Uint8Array): Promise<StatusReport> {
  const own = new Uint8Array(bytes)
  const order = { module: THREAD, order: { bytes: own }, handedOver: [own.buffer], isHeavy: own.length > MIB }
  try {
    return gather(await documentThreads.run<ReportPiece>(order))
  } catch (error) {
    if (error instanceof ThreadEnded && error.kind !== 'BROKEN')
      throw new PayoutFileProblem(`Reading the status report was stopped: ${error.message}.`)
    throw error
  }
}

function gather(pieces: readonly ReportPiece[]): StatusReport {
  const [head, ...others] = pieces
  if (head?.kind === 'PROBLEM') throw new PayoutFileProblem(head.message)
  if (head?.kind !== 'REPORT') throw new Error('the thread answered without a report')
  const transactions = new Map<number, ReportedTransaction[]>()
  for (const piece of others) {
    if (piece.kind !== 'TRANSACTIONS') continue
    const known = transactions.get(piece.batch)
    if (known === undefined) transactions.set(piece.batch, [...piece.transactions])
    else known.push(...piece.transactions)
  }
  const batches = head.report.batches.map((batch, index) => ({
    ...batch,
    transactions: transactions.get(index) ?? [],
  }))
  return { ...head.report, batches }
}
