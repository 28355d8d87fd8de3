import type {
  PayoutFileContentSchema,
  PayoutFileDetailSchema,
  PayoutFileListSchema,
  PayoutRunSchema,
  Printed,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { code, reason } from '../values.ts'
import { deliverContent, OUT, type OutOptions, requireNew } from './bank-documents.ts'
import { FAILED_REPORTS } from './failed-documents.ts'
import { LIMIT } from './options.ts'
import { fetchReport, listReports, showReport, takeReport } from './payout-reports.ts'

type Files = Printed<typeof PayoutFileListSchema>['data']
type Detail = Printed<typeof PayoutFileDetailSchema>

const create = clientCommand({
  command: 'create',
  says: 'collect waiting payouts into files; each payout goes into one file',
  options: [{ flags: '--currency <currency>', says: 'only payments in this currency', read: code }],
  permission: 'payout-files.change',
  isByName: true,
  asks: (_typed, { currency }: OperatorOptions & { readonly currency?: string }) =>
    post('/operator/payout-files', { currencyCode: currency }),
  shows: ({ files, leftOut }: Printed<typeof PayoutRunSchema>, pen) => ({
    text: fileTable(files, 'No payouts wait for a file.', pen),
    notes: leftOut.map(
      ({ kind, idPayment, merchantCode, why }) =>
        `Left out: ${kind.toLowerCase()} ${idPayment} of ${merchantCode}. ${why}`,
    ),
  }),
})

const list = clientCommand({
  command: 'list',
  says: 'list files, the newest first',
  options: [LIMIT],
  permission: 'payout-files.read',
  asks: (_typed, { limit }: OperatorOptions & { readonly limit: number }) => ({
    method: 'GET',
    path: '/operator/payout-files',
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof PayoutFileListSchema>, pen) => fileTable(data, 'No files.', pen),
})

const show = clientCommand({
  command: 'show <file>',
  says: 'show a file with its payments',
  permission: 'payout-files.read',
  asks: (typed) => get(fileUrl(typed)),
  shows: (detail: Detail, pen) => describeFile(detail, pen),
})

const fetch = clientCommand({
  command: 'fetch <file>',
  says: 'fetch the bytes of a file for the bank; each fetch is recorded',
  options: [OUT],
  permission: 'payout-files.change',
  isByName: true,
  asks(typed, { out }: OutOptions) {
    requireNew(out)
    return get(`${fileUrl(typed)}/content`)
  },
  shows: (content: Printed<typeof PayoutFileContentSchema>, _pen, _typed, { out }) =>
    deliverContent(content, out),
})

const submitted = clientCommand({
  command: 'submitted <file>',
  says: 'record that the bank has the file',
  permission: 'payout-files.change',
  isByName: true,
  asks: (typed) => post(`${fileUrl(typed)}/!submitted`),
  shows: (file: Detail, pen) => `The bank has ${file.fileId}, recorded at ${pen.momentOf(file.submittedAt)}.`,
})

const byHand = clientCommand({
  command: 'by-hand <file>',
  says: 'take a file from its channel, to deliver it to the bank by hand',
  options: [{ flags: '--reason <text>', says: 'why, for the record', read: reason, isRequired: true }],
  permission: 'payout-files.change',
  isByName: true,
  asks: (typed, { reason }: OperatorOptions & { readonly reason: string }) =>
    post(`${fileUrl(typed)}/!by-hand`, { reason }),
  shows: (file: Detail) => `${file.fileId} is carried by hand: fetch it, and say when the bank has it.`,
})

const fileUrl = ({ file }: { readonly file: string }): string =>
  pathOf`/operator/payout-files/${fileId(file)}`

const FOLDER_TEXTS: Readonly<Record<string, string>> = {
  NONE: 'not written to the folder',
  LAYING: 'writing to the folder was started: check whether it is there, or fetch it',
  LAID: 'written to the folder',
}

const channelText = ({ code, state, why, changedAt }: NonNullable<Detail['channel']>, pen: Pen): string =>
  `${code}, ${state} since ${pen.momentOf(changedAt)}${why === undefined ? '' : `: ${why}`}`

function describeFile({ payments, ...file }: Detail, pen: Pen): string {
  const facts = pen.pairs([
    ['File', file.fileId],
    ['Account', file.accountCode],
    ['Payments', `${file.paymentCount}, ${pen.money(file.controlSum)}`],
    ['Speed', file.speed],
    ['Execution day', file.executionOn],
    ['Created', `${pen.momentOf(file.createdAt)} by ${file.createdBy}`],
    ['Submitted', pen.momentOf(file.submittedAt) ?? 'not recorded'],
    ['Folder', FOLDER_TEXTS[file.folder]],
    ['Channel', file.channel === undefined ? undefined : channelText(file.channel, pen)],
    ['SHA-256', file.sha256],
  ])
  const rows = pen.table(
    ['NO', 'MERCHANT', 'KIND', 'ID', 'REFERENCE', 'MONEY'],
    payments.map((payment) => [
      String(payment.position),
      payment.merchantCode,
      payment.kind,
      payment.idPayment,
      payment.reference,
      pen.money(payment.money),
    ]),
    'No payments.',
  )
  return `${facts}\n\n${rows}`
}

const fileTable = (files: Files, whenEmpty: string, pen: Pen): string =>
  pen.table(
    ['FILE', 'ACCOUNT', 'PAYMENTS', 'SUM', 'CREATED', 'BY', 'SUBMITTED', 'FOLDER OR CHANNEL'],
    files.map((file) => [
      file.fileId,
      file.accountCode,
      String(file.paymentCount),
      pen.money(file.controlSum),
      pen.momentOf(file.createdAt),
      file.createdBy,
      pen.momentOf(file.submittedAt) ?? '',
      file.channel?.state ?? (file.folder === 'NONE' ? '' : file.folder),
    ]),
    whenEmpty,
  )

/** Payouts on their way to a bank in files, and what the bank reports. */
export function addPayoutFileCommands(program: Command, shell: Shell): void {
  const files = program
    .command('payout-files')
    .description('files of payouts for a bank, and the bank’s status reports')
  for (const command of [
    create,
    fetch,
    submitted,
    byHand,
    list,
    show,
    takeReport,
    listReports,
    showReport,
    fetchReport,
    ...FAILED_REPORTS,
  ])
    command.addTo(files, shell)
}

function fileId(text: string): string {
  const id = text.toUpperCase()
  if (/^[A-Z0-9]{1,35}$/.test(id)) return id
  throw new CommandFailure(
    'USAGE',
    `A file's id looks like TG7K2M9XWT4BAQ0CDE; \`tollgate payout-files list\` shows them. This is ${JSON.stringify(text)}.`,
  )
}
