import { basename } from 'node:path'
import {
  presentReport,
  presentReportView,
  type ReportView,
  type StoredReport,
} from '../../modules/payout-files/index.ts'
import { EXIT_CODES } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { waitingReport } from '../waiting.ts'
import { payoutFilesOf } from './payout-files.ts'

/** `tollgate payout-files report`. Exit code 6 when something was put aside. */
export async function take(shell: Shell, path: string, options: OperatorOptions): Promise<Report> {
  const bytes = await readFileOrInput(shell, path)
  return withOperator(shell, {
    options,
    permission: 'payout-files.change',
    work: async (house, operator) => {
      const { acts, merchantCodeOf } = await payoutFilesOf(shell, house)
      const fileName = path === '-' ? 'standard input' : basename(path)
      const view = await acts.handIn({ bytes, fileName, actor: `operator:${operator.code}` })
      if (view.kind === 'WAITING') return waitingReport(view.act)
      const asides = view.report.counts.ASIDE ?? 0
      return {
        json: await presentReportView(view, merchantCodeOf),
        text: describe(view),
        notes: [
          ...(view.isNew ? [] : ['This very report was handed in before; nothing was done again.']),
          ...(asides > 0
            ? [`${String(asides)} entries were put aside: look at them, nothing followed.`]
            : []),
        ],
        ...(asides > 0 && { exitCode: EXIT_CODES.REFUSED }),
      }
    },
  })
}

/** `tollgate payout-files reports`. */
export function list(shell: Shell, wish: { readonly aside?: true; readonly limit: number }): Promise<Report> {
  return inHouse(shell, async (house) => {
    const found = await (await payoutFilesOf(shell, house)).reports.list({
      after: undefined,
      hasAside: wish.aside === true,
      limit: wish.limit,
    })
    return {
      json: found.map(presentReport),
      text: table(
        ['REPORT', 'RECEIVED', 'NAME', 'ABOUT', 'CAME TO'],
        found.map((report) => [
          report.reportId,
          moment(report.receivedAt),
          report.fileName,
          report.originalMessageId,
          countsText(report),
        ]),
        'No status report.',
      ),
    }
  })
}

/** `tollgate payout-files show-report`. */
export function show(shell: Shell, reportId: string): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { reports, merchantCodeOf } = await payoutFilesOf(shell, house)
    const view = await reports.show(reportId)
    return { json: await presentReportView(view, merchantCodeOf), text: describe(view) }
  })
}

const countsText = ({ counts }: StoredReport): string =>
  Object.entries(counts)
    .map(([outcome, count]) => `${outcome} ${String(count)}`)
    .join(', ')

function describe({ report, entries }: ReportView): string {
  const facts = pairs([
    ['Report', report.reportId],
    ['About', report.fileId ?? `${report.originalMessageId}, which is no file of ours`],
    ['Received', `${moment(report.receivedAt)} from ${report.actor}`],
    ['Came to', countsText(report)],
  ])
  const lines = table(
    ['NO', 'LEVEL', 'REFERENCE', 'PAYMENT', 'STATUS', 'REASON', 'OUTCOME', 'WHY'],
    entries.map((entry) => [
      String(entry.position),
      entry.level,
      entry.reference ?? '',
      entry.key === undefined ? '' : `${entry.key.kind} ${entry.key.idPayment}`,
      `${entry.statusCode} (${entry.says})`,
      entry.reasonCode ?? '',
      entry.outcome ?? 'OPEN',
      entry.why ?? '',
    ]),
    'It says nothing.',
  )
  return `${facts}\n\n${lines}`
}
