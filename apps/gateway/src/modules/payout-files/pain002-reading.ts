import { documentThreads, ThreadEnded } from '../../platform/threads/index.ts'
import { PayoutFileProblem } from './errors.ts'
import type { ReportedTransaction, StatusReport } from './model.ts'
import type { ReportPiece } from './pain002-thread.ts'

const THREAD = new URL('pain002-thread.ts', import.meta.url)
const MIB = 1_048_576

/**
 * Reads a status report in a thread, with limits on time and memory. Throws PayoutFileProblem, and Overloaded when too many
 * documents are being read.
 */
export async function readReportInThread(bytes: Uint8Array): Promise<StatusReport> {
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
