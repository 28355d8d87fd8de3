import type {
  PayoutReportContentSchema,
  PayoutReportDetailSchema,
  PayoutReportListSchema,
  Printed,
  WaitingSchema,
} from '@tollgate/contract'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { get, type OperatorOptions } from '../operator-call.ts'
import { bankFile, deliverContent, OUT, type OutOptions, requireNew, waitingText } from './bank-documents.ts'
import { LIMIT } from './options.ts'

// Status reports of banks about files of payouts: commands of `payout-files`.

const PATH = '/operator/payout-reports'

type Detail = Printed<typeof PayoutReportDetailSchema>
type Waiting = Printed<typeof WaitingSchema>

export const takeReport = clientCommand({
  command: 'report <path>',
  says: 'import a status report (pain.002) of the bank; - is standard input',
  permission: 'payout-files.change',
  isByName: true,
  async asks({ path }, _options: OperatorOptions, shell) {
    const { name, bytes } = await bankFile(shell, path)
    return { method: 'POST', path: PATH, query: { fileName: name }, file: bytes, fileName: name }
  },
  shows(answer: Detail | Waiting, pen) {
    if ('waiting' in answer) return waitingText(answer, pen)
    const asides = answer.counts['ASIDE'] ?? 0
    return {
      text: describeReport(answer, pen),
      notes: [
        ...(answer.isNew ? [] : ['This report was imported before; nothing was done.']),
        ...(asides > 0 ? [`${asides} entries were put aside and had no effect: check them.`] : []),
      ],
      ...(asides > 0 && { exitCode: EXIT_CODES.REFUSED }),
    }
  },
})

interface ListOptions extends OperatorOptions {
  readonly aside?: true
  readonly limit: number
}

export const listReports = clientCommand({
  command: 'reports',
  says: 'list status reports, the newest first',
  options: [{ flags: '--aside', says: 'only those with entries that were put aside' }, LIMIT],
  permission: 'payout-files.read',
  asks: (_typed, { aside, limit }: ListOptions) => ({
    method: 'GET',
    path: PATH,
    query: { aside },
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof PayoutReportListSchema>, pen) =>
    pen.table(
      ['REPORT', 'RECEIVED', 'NAME', 'ABOUT', 'RESULT'],
      data.map((report) => [
        report.reportId,
        pen.momentOf(report.receivedAt),
        report.fileName,
        report.originalMessageId,
        countsOf(report),
      ]),
      'No status reports.',
    ),
})

export const showReport = clientCommand({
  command: 'show-report <report>',
  says: 'show what a status report says and what followed',
  permission: 'payout-files.read',
  asks: ({ report }) => get(`${PATH}/${reportId(report)}`),
  shows: (report: Detail, pen) => describeReport(report, pen),
})

export const fetchReport = clientCommand({
  command: 'fetch-report <report>',
  says: 'fetch the original bytes of a status report; each fetch is recorded',
  options: [OUT],
  permission: 'statements.unmask',
  asks({ report }, { out }: OutOptions) {
    requireNew(out)
    return get(`${PATH}/${reportId(report)}/content`)
  },
  shows: (content: Printed<typeof PayoutReportContentSchema>, _pen, _typed, { out }) =>
    deliverContent(content, out),
})

const countsOf = ({ counts }: Pick<Detail, 'counts'>): string =>
  Object.entries(counts)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ')

function describeReport({ entries, ...report }: Detail, pen: Pen): string {
  const facts = pen.pairs([
    ['Report', report.reportId],
    ['About', report.fileId ?? `${report.originalMessageId}, an unknown file`],
    ['Received', `${pen.momentOf(report.receivedAt)} from ${report.actor}`],
    ['Result', countsOf(report)],
  ])
  const lines = pen.table(
    ['NO', 'LEVEL', 'REFERENCE', 'PAYMENT', 'STATUS', 'REASON', 'OUTCOME', 'WHY'],
    entries.map((entry) => [
      String(entry.position),
      entry.level,
      entry.reference ?? '',
      entry.idPayment === undefined ? '' : `${entry.kind ?? ''} ${entry.idPayment}`,
      `${entry.statusCode} (${entry.says})`,
      entry.reasonCode ?? '',
      entry.outcome ?? 'OPEN',
      entry.why ?? '',
    ]),
    'No entries.',
  )
  return `${facts}\n\n${lines}`
}

function reportId(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A report's id is a number; \`tollgate payout-files reports\` shows them. This is ${JSON.stringify(text)}.`,
  )
}
