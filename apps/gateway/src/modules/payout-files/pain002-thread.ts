import { PayoutFileProblem } from './errors.ts'
import type { ReportedTransaction, StatusReport } from './model.ts'
import { readPain002 } from './pain002.ts'

// Runs in a thread; see reports.ts.

/** What the thread tells: a problem; or the report without its transactions, and then these, some at a time. */
export type ReportPiece =
  | { readonly kind: 'PROBLEM'; readonly message: string }
  | { readonly kind: 'REPORT'; readonly report: StatusReport }
  | {
      readonly kind: 'TRANSACTIONS'
      readonly batch: number
      readonly transactions: readonly ReportedTransaction[]
    }

/** So many are taken over in a few milliseconds. */
const AT_ONCE = 500

/** Reads a status report. */
export function* work({ bytes }: { readonly bytes: Uint8Array }): Iterable<ReportPiece> {
  const report = readOrProblem(bytes)
  if (typeof report === 'string') {
    yield { kind: 'PROBLEM', message: report }
    return
  }
  const batches = report.batches.map((batch) => ({ ...batch, transactions: [] }))
  yield { kind: 'REPORT', report: { ...report, batches } }
  for (const [batch, { transactions }] of report.batches.entries()) {
    for (let from = 0; from < transactions.length; from += AT_ONCE)
      yield { kind: 'TRANSACTIONS', batch, transactions: transactions.slice(from, from + AT_ONCE) }
  }
}

function readOrProblem(bytes: Uint8Array): StatusReport | string {
  try {
    return readPain002(bytes)
  } catch (error) {
    if (error instanceof PayoutFileProblem) return error.message
    throw error
  }
}
