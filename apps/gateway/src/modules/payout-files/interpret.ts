import { compareAmounts, type Money } from '@tollgate/money'
import { slicesOf } from '../../platform/breathe.ts'
import type {
  FilePayment,
  PayoutFile,
  ReportEntry,
  ReportedBatch,
  ReportedMeaning,
  ReportedStatus,
  ReportedTransaction,
  ReportLevel,
  StatusReport,
} from './model.ts'
import { batchIdOf } from './pain001.ts'
import { meaningOf } from './reasons.ts'

/** A file with its payments, as far as a report is judged by them. */
export interface ReportedFile extends Pick<PayoutFile, 'fileId' | 'paymentCount' | 'controlSum'> {
  readonly payments: readonly FilePayment[]
}

/**
 * What a report comes to, payment by payment. What is said of a transaction goes before what is said of its batch, and
 * that before what is said of the file. Whatever is not known here, or contradicts itself or the file, is put aside: it is
 * told, and nothing follows from it. Depends on nothing else; a large report takes many turns of the event loop.
 */
export async function interpretReport(
  report: StatusReport,
  file: ReportedFile | undefined,
): Promise<readonly ReportEntry[]> {
  if (file === undefined) return asideAltogether(report, `There is no file ${report.originalMessageId}.`)
  const problem = problemOfTotals(report, file)
  if (problem !== undefined) return asideAltogether(report, problem)
  const byReference = new Map(file.payments.map((payment) => [payment.reference, payment]))
  const judged = await mapTransactions(report, (transaction, batch) =>
    judgeTransaction(transaction, { report, batch, file, byReference }),
  )
  const named = await withoutQuarrels(judged)
  const seen = new Set(named.flatMap(({ payment }) => (payment === undefined ? [] : [payment.reference])))
  const others = file.payments.filter(({ reference }) => !seen.has(reference))
  const entries = [...named, ...judgeOthers(report, file, others)]
  return entries.length > 0 ? entries : [wholeOf(report, undefined)]
}

const TRANSACTIONS_AT_ONCE = 1_000

async function mapTransactions(
  { batches }: StatusReport,
  judge: (transaction: ReportedTransaction, batch: ReportedBatch) => ReportEntry,
): Promise<readonly ReportEntry[]> {
  const entries: ReportEntry[] = []
  for (const batch of batches)
    for await (const transactions of slicesOf(batch.transactions, TRANSACTIONS_AT_ONCE))
      entries.push(...transactions.map((transaction) => judge(transaction, batch)))
  return entries
}

const NOTHING_SAID: ReportedStatus = { statusCode: 'NONE', reasonCode: undefined }
const BATCH_UNNAMED = 'NOTPROVIDED'

function wholeOf(report: StatusReport, aside: string | undefined): ReportEntry {
  const status = report.status ?? report.batches.find((batch) => batch.status !== undefined)?.status
  return entryOf('GROUP', status ?? NOTHING_SAID, { aside })
}

function entryOf(
  level: ReportLevel,
  status: ReportedStatus,
  about: {
    readonly payment?: FilePayment
    readonly reference?: string | undefined
    readonly aside?: string | undefined
  },
): ReportEntry {
  const says: ReportedMeaning = status === NOTHING_SAID ? 'UNDECIDED' : meaningOf(status.statusCode)
  const unclear = says === 'UNCLEAR' ? `Nobody knows what the status ${status.statusCode} means.` : undefined
  return {
    level,
    reference: about.reference ?? about.payment?.reference,
    payment: about.payment,
    statusCode: status.statusCode,
    reasonCode: status.reasonCode,
    says,
    aside: about.aside ?? unclear,
  }
}

/** Every line of the report, and nothing follows from any. */
async function asideAltogether(report: StatusReport, aside: string): Promise<readonly ReportEntry[]> {
  const entries = await mapTransactions(report, ({ endToEndId, status }, batch) =>
    entryOf('TRANSACTION', status ?? batch.status ?? report.status ?? NOTHING_SAID, {
      reference: endToEndId,
      aside,
    }),
  )
  return entries.length > 0 ? entries : [wholeOf(report, aside)]
}

/** Of the file, or of its batch, which holds all of its payments. */
function problemOfTotals(report: StatusReport, file: ReportedFile): string | undefined {
  const ours = report.batches.filter((batch) => problemOfBatch(batch, file) === undefined)
  for (const { paymentCount, controlSum } of [report, ...ours]) {
    if (paymentCount !== undefined && paymentCount !== file.paymentCount)
      return `It speaks of ${String(paymentCount)} payments, but the file has ${String(file.paymentCount)}.`
    if (controlSum !== undefined && compareAmounts(controlSum, file.controlSum.amount) !== 0)
      return `It speaks of ${controlSum} in all, but the file has ${file.controlSum.amount}.`
  }
  return undefined
}

interface Context {
  readonly report: StatusReport
  readonly batch: ReportedBatch
  readonly file: ReportedFile
  readonly byReference: ReadonlyMap<string, FilePayment>
}

function judgeTransaction(transaction: ReportedTransaction, context: Context): ReportEntry {
  const { report, batch, file, byReference } = context
  const status = transaction.status ?? batch.status ?? report.status ?? NOTHING_SAID
  const reference = transaction.endToEndId
  const payment = byReference.get(reference ?? '')
  if (payment === undefined) {
    const aside = `The file has no payment with the reference ${reference ?? 'that the report leaves out'}.`
    return entryOf('TRANSACTION', status, { reference, aside })
  }
  const aside =
    problemOfBatch(batch, file) ??
    problemOfMoney(transaction.money, payment.money) ??
    problemOfLevels(transaction, context)
  return entryOf('TRANSACTION', status, { payment, aside })
}

function problemOfBatch(
  { paymentInformationId: id }: ReportedBatch,
  { fileId }: ReportedFile,
): string | undefined {
  if (id === undefined || id === BATCH_UNNAMED || id === batchIdOf(fileId)) return undefined
  return `The file has no batch ${id}.`
}

function problemOfMoney(said: Money | undefined, ours: Money): string | undefined {
  if (said === undefined) return undefined
  if (said.currencyCode === ours.currencyCode && compareAmounts(said.amount, ours.amount) === 0)
    return undefined
  return `It speaks of ${said.amount} ${said.currencyCode}, but ${ours.amount} ${ours.currencyCode} was to be paid.`
}

/** What is said above of all must not be taken back below of one. */
function problemOfLevels({ status }: ReportedTransaction, { batch, report }: Context): string | undefined {
  if (status === undefined) return undefined
  const below = meaningOf(status.statusCode)
  for (const above of [batch.status, report.status]) {
    const general = above === undefined ? 'UNDECIDED' : meaningOf(above.statusCode)
    if (general !== 'UNDECIDED' && general !== 'UNCLEAR' && general !== below)
      return `It says ${above?.statusCode ?? ''} of all, and ${status.statusCode} of this one.`
  }
  return undefined
}

/** Of one payment, a report says one thing: said twice it counts once, and where it says two nothing counts. */
async function withoutQuarrels(entries: readonly ReportEntry[]): Promise<readonly ReportEntry[]> {
  const seen = new Map<string, ReportEntry>()
  const others: ReportEntry[] = []
  for await (const some of slicesOf(entries, TRANSACTIONS_AT_ONCE)) {
    for (const entry of some) {
      if (entry.payment === undefined) others.push(entry)
      else seen.set(entry.payment.reference, oneOf(seen.get(entry.payment.reference), entry))
    }
  }
  return [...seen.values(), ...others]
}

function oneOf(first: ReportEntry | undefined, next: ReportEntry): ReportEntry {
  if (first === undefined) return next
  const isSame = first.says === next.says && first.aside === next.aside
  return isSame ? first : { ...next, aside: 'The report says two different things of it.' }
}

/** Payments that no line names share what is said of their batch or file, where that is an outcome. */
function judgeOthers(
  report: StatusReport,
  file: ReportedFile,
  others: readonly FilePayment[],
): readonly ReportEntry[] {
  const batches = report.batches.filter(
    (batch) => batch.status !== undefined && problemOfBatch(batch, file) === undefined,
  )
  const strange = report.batches
    .filter((batch) => batch.transactions.length === 0)
    .flatMap((batch) => {
      const aside = problemOfBatch(batch, file)
      return aside === undefined ? [] : [entryOf('BATCH', batch.status ?? NOTHING_SAID, { aside })]
    })
  const [batch] = batches
  const level = batch === undefined ? 'GROUP' : 'BATCH'
  const status = batch?.status ?? report.status
  if (status === undefined) return strange
  const means = meaningOf(status.statusCode)
  const quarrel = quarrelOfLevels(report, means, status)
  if (means === 'UNDECIDED')
    return quarrel === undefined ? strange : [...strange, entryOf(level, status, { aside: quarrel })]
  if (means === 'UNCLEAR') return [...strange, entryOf(level, status, {})]
  const aside = batches.some((each) => meaningOf(each.status?.statusCode ?? '') !== means)
    ? 'The report says two different things of the batch.'
    : quarrel
  return [...strange, ...others.map((payment) => entryOf(level, status, { payment, aside }))]
}

function quarrelOfLevels(
  { status }: StatusReport,
  means: ReportedMeaning,
  below: ReportedStatus,
): string | undefined {
  const general = status === undefined ? 'UNDECIDED' : meaningOf(status.statusCode)
  if (general === 'UNDECIDED' || general === 'UNCLEAR' || general === means) return undefined
  return `It says ${status?.statusCode ?? ''} of the file, and ${below.statusCode} of its batch.`
}
