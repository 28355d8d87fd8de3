import type {
  Answer,
  AnswerItem,
  PayoutFileDetailSchema,
  PayoutFileListSchema,
  PayoutReportDetailSchema,
  PayoutReportListSchema,
  PayoutRunSchema,
} from '@tollgate/contract'
import { lookUp } from '../../platform/look-up.ts'
import { presentMoney } from '../payments/index.ts'
import type { FilePayment, FilePut, PayoutFile } from './model.ts'
import { verificationOf } from './reasons.ts'
import type { StoredEntry, StoredReport } from './report-store.ts'
import type { ReportView } from './reports.ts'
import type { PayoutRun } from './service.ts'

type ReportDetail = Answer<typeof PayoutReportDetailSchema>
type CodeOf = (merchantId: string) => Promise<string>

/** `pain.001.001.09`. */
const formatName = (format: PayoutFile['format']): string => format.toLowerCase().replaceAll('_', '.')

/** A file as operators see it. */
export function presentFile(file: PayoutFile): AnswerItem<typeof PayoutFileListSchema> {
  const { format, controlSum, contentHash: sha256, createdAt, submittedAt, put, ...rest } = file
  return {
    ...rest,
    format: formatName(format),
    controlSum: presentMoney(controlSum),
    sha256,
    createdAt: createdAt.toISOString(),
    ...(submittedAt !== undefined && { submittedAt: submittedAt.toISOString() }),
    ...(put !== undefined && { channel: presentPut(put) }),
  }
}

function presentPut({ channelCode, state, why, changedAt }: FilePut) {
  return { code: channelCode, state, ...(why !== undefined && { why }), changedAt: changedAt.toISOString() }
}

/** The same with its payments. */
export async function presentDetail(
  { file, payments }: { readonly file: PayoutFile; readonly payments: readonly FilePayment[] },
  codeOf: CodeOf,
): Promise<Answer<typeof PayoutFileDetailSchema>> {
  const merchantCodeOf = await lookUp(
    payments.map(({ merchantId }) => merchantId),
    codeOf,
  )
  return {
    ...presentFile(file),
    payments: payments.map(({ merchantId, kind, idPayment, position, reference, money }) => ({
      position,
      merchantCode: merchantCodeOf(merchantId),
      kind,
      idPayment,
      reference,
      money: presentMoney(money),
    })),
  }
}

/** What a run has made. */
export async function presentRun(
  { files, leftOut }: PayoutRun,
  codeOf: CodeOf,
): Promise<Answer<typeof PayoutRunSchema>> {
  const merchantCodeOf = await lookUp(
    leftOut.map(({ merchantId }) => merchantId),
    codeOf,
  )
  return {
    files: files.map(presentFile),
    leftOut: leftOut.map(({ merchantId, kind, idPayment, why }) => ({
      merchantCode: merchantCodeOf(merchantId),
      kind,
      idPayment,
      why,
    })),
  }
}

/** The cursor of what comes after a place; none where nothing does. */
export const nextAfter = (place: string | undefined): { readonly nextCursor?: string } =>
  place === undefined ? {} : { nextCursor: Buffer.from(place).toString('base64url') }

/** A report without its entries. */
export function presentReport(given: StoredReport): AnswerItem<typeof PayoutReportListSchema> {
  const { receivedAt, fileId, confirmedBy, ...report } = given
  return {
    ...report,
    ...(fileId !== undefined && { fileId }),
    ...(confirmedBy !== undefined && { confirmedBy }),
    receivedAt: receivedAt.toISOString(),
  }
}

/** The same with all that it says. */
export async function presentReportView(
  { report, entries, hasMore, isNew }: ReportView,
  codeOf: CodeOf,
): Promise<ReportDetail> {
  const merchantCodeOf = await lookUp(
    entries.flatMap(({ key }) => (key === undefined ? [] : [key.merchantId])),
    codeOf,
  )
  return {
    ...presentReport(report),
    isNew,
    entries: entries.map((entry) => presentEntry(entry, merchantCodeOf)),
    ...nextAfter(hasMore ? entries.at(-1)?.position.toString() : undefined),
  }
}

function presentEntry(
  entry: StoredEntry,
  merchantCodeOf: (merchantId: string) => string,
): ReportDetail['entries'][number] {
  const { key, reference, reasonCode, outcome, why } = entry
  const payeeVerification = verificationOf(entry.statusCode)
  return {
    position: entry.position,
    level: entry.level,
    ...(reference !== undefined && { reference }),
    ...(key !== undefined && {
      merchantCode: merchantCodeOf(key.merchantId),
      kind: key.kind,
      idPayment: key.idPayment,
    }),
    statusCode: entry.statusCode,
    ...(reasonCode !== undefined && { reasonCode }),
    says: entry.says,
    ...(payeeVerification !== undefined && { payeeVerification }),
    ...(outcome !== undefined && { outcome }),
    ...(why !== undefined && { why }),
  }
}
