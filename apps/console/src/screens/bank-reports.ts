import {
  PayoutReportContentSchema,
  PayoutReportDetailSchema,
  PayoutReportListSchema,
  type Read,
  type ReadItem,
  WaitingSchema,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { Type } from 'typebox'
import { filterBar } from '../filters.ts'
import { dayText, momentHtml, momentText, plural, wordsOf } from '../format.ts'
import { type IconName, icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, empty, facts, note, pager, type Tone, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import { kindWords } from '../status.ts'
import type { Screen, Visit } from '../visit.ts'
import { bankViews, requireFile } from './bank-views.ts'
import { actorName } from './line-words.ts'
import { paymentHref } from './payments.ts'

type Report = ReadItem<typeof PayoutReportListSchema>
type Detail = Read<typeof PayoutReportDetailSchema>
type Entry = Detail['entries'][number]

const PATH = '/bank-files/reports'
const LIMIT = '50'

const FILTERS = [
  {
    name: 'Entries',
    fields: [{ name: 'aside', label: 'Entries', choices: [{ value: 'true', words: 'With some put aside' }] }],
  },
] as const

/** What banks report about payout files. */
export const bankReportsScreen: Screen = {
  path: PATH,
  permission: 'payout-files.read',
  async show(visit) {
    const { query, api } = visit
    const aside = query.get('aside') === 'true' ? 'true' : undefined
    const { data, nextCursor } = await api.get('/operator/payout-reports', PayoutReportListSchema, {
      aside,
      cursor: query.get('cursor') ?? undefined,
      limit: LIMIT,
    })
    const button =
      visit.may('payout-files.change') &&
      html`<div class="acts"><a class="btn btn-main" href="${PATH}/import">${icon('in')}Import a report</a></div>`
    const says = `${plural(data.length, 'report')}, the newest first`
    return {
      title: 'Status reports',
      nav: 'Bank files',
      content: html`<div class="head"><h1>Status reports</h1><p>What banks say about payout files</p>${button}</div>
${bankViews(visit, 'Status reports')}
${filterBar(PATH, query, FILTERS)}
${data.length === 0 ? empty('audit', 'No status reports', { says: 'Import the bank’s pain.002 about a payout file.' }) : html`${reportTable(data)}${pager({ path: PATH, query, nextCursor, says })}`}`,
    }
  },
}

function reportTable(data: readonly Report[]): Html {
  const columns = [
    { name: 'Report' },
    { name: 'Entries' },
    { name: 'Payout file', style: 'hide-sm' },
    { name: 'By', style: 'hide-sm' },
    { name: 'Received, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((report): readonly HtmlValue[] => [
    html`<a href="${pathOf`/bank-files/reports/${report.reportId}`}">${report.fileName}</a><span class="sub"><span class="code">${report.messageId}</span><span class="only-sm">, ${dayText(report.receivedAt)}</span></span>`,
    countsOf(report.counts),
    fileLink(report),
    [report.actor, report.confirmedBy]
      .filter((each) => each !== undefined)
      .map(actorName)
      .join(', '),
    html`<span class="quiet">${momentHtml(report.receivedAt)}</span>`,
  ])
  return table('Status reports, the newest first', columns, rows)
}

const fileLink = ({ fileId, originalMessageId }: Pick<Report, 'fileId' | 'originalMessageId'>): Html =>
  fileId === undefined
    ? html`<span class="code">${originalMessageId}</span> <span class="quiet">none of ours</span>`
    : html`<a href="${pathOf`/bank-files/${fileId}`}"><span class="code">${fileId}</span></a>`

type Look = readonly [tone: Tone, icon: IconName, words: string]

const OUTCOMES: Readonly<Record<string, Look>> = {
  APPLIED: ['good', 'check', 'Applied'],
  SAME: ['mute', 'copy', 'So already'],
  NO_OUTCOME: ['info', 'clock', 'Nothing decided'],
  ASIDE: ['warn', 'eye', 'Put aside'],
  OPEN: ['bad', 'alert', 'Broken off: send it again'],
}

const outcomeChip = (outcome: string, count = ''): Html => {
  const [tone, name, words] = OUTCOMES[outcome] ?? (['mute', 'help', wordsOf(outcome)] as const)
  return chip(tone, name, `${count}${words}`)
}

const countsOf = (counts: Report['counts']): Html =>
  html`<span class="chips">${Object.entries(counts).map(([outcome, count]) => outcomeChip(outcome, `${count} `))}</span>`

/** One report with what it says of each payment, and what followed. */
export const bankReportScreen: Screen = {
  path: `${PATH}/:reportId`,
  permission: 'payout-files.read',
  async show(visit) {
    const cursor = visit.query.get('cursor') ?? undefined
    const report = await visit.api.get(pathTo(visit), PayoutReportDetailSchema, { cursor })
    const { fileName, messageId, actor, confirmedBy, receivedAt, counts, nextCursor, entries } = report
    const by = [actor, confirmedBy].filter((each) => each !== undefined).map(actorName)
    return {
      title: `${fileName}: status report`,
      nav: 'Bank files',
      content: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${PATH}">Status reports</a>${icon('right')}<span class="code" aria-current="page">${report.reportId}</span></nav>
${refusedNote(visit)}${doneNote(visit)}
<div class="hero"><div><h1>${fileName}</h1><p class="hero-line">${countsOf(counts)}<span>by ${by.join(' and ')}, ${momentText(receivedAt)} UTC</span></p></div>${visit.may('statements.unmask') && contentForm(visit)}</div>
${facts([
  ['Bank’s id', html`<span class="code">${messageId}</span>`],
  ['Payout file', fileLink(report)],
])}
${entryTable(entries)}${pager({ path: visit.path, query: visit.query, nextCursor, says: plural(entries.length, 'entry', 'entries') })}`,
    }
  },
  acts: {
    // Looking is recorded, so it takes a press.
    content: {
      permission: 'statements.unmask',
      async perform(visit) {
        const { name, contentBase64 } = await visit.api.get(
          `${pathTo(visit)}/content`,
          PayoutReportContentSchema,
        )
        return { fileName: name, bytes: Buffer.from(contentBase64, 'base64') }
      },
    },
  },
}

const pathTo = ({ name }: Visit): string => pathOf`/operator/payout-reports/${name('reportId')}`

function doneNote({ query }: Visit): Html | undefined {
  const done = query.get('done')
  if (done === 'taken') return note('good', 'The report was taken. Below is what followed.')
  if (done === 'known') return note('info', 'This very report was taken before. Nothing was done.')
  return undefined
}

const contentForm = ({ formToken, path }: Visit): Html =>
  html`<form class="acts" method="post" action="${path}/content">${formToken}<button class="btn">${icon('in')}Download the report</button><span class="hint">Recorded under your name.</span></form>`

const SAYS: Readonly<Record<string, string>> = {
  SETTLED: 'Executed',
  REJECTED: 'Rejected',
  UNDECIDED: 'Not decided yet',
  UNCLEAR: 'Unclear',
}

function entryTable(entries: readonly Entry[]): Html {
  if (entries.length === 0) return empty('audit', 'No entries')
  const columns = [
    { name: 'Of' },
    { name: 'The bank says' },
    { name: 'What followed' },
    { name: 'Reference', style: 'hide-sm' },
    { name: 'Name and account', style: 'hide-md' },
  ]
  const rows = entries.map((entry): readonly HtmlValue[] => [
    ofWhat(entry),
    html`${SAYS[entry.says] ?? wordsOf(entry.says)}<span class="sub"><span class="code">${[entry.statusCode, entry.reasonCode].filter((each) => each !== undefined).join(' ')}</span></span>`,
    html`${entry.outcome !== undefined && outcomeChip(entry.outcome)}${entry.why !== undefined && html`<span class="sub">${entry.why}</span>`}`,
    html`<span class="code quiet">${entry.reference ?? ''}</span>`,
    entry.payeeVerification === undefined ? '' : wordsOf(entry.payeeVerification),
  ])
  return table('What the report says', columns, rows)
}

function ofWhat({ level, kind, merchantCode, idPayment }: Entry): Html {
  if (kind === undefined || merchantCode === undefined || idPayment === undefined)
    return html`${level === 'GROUP' ? 'The whole file' : level === 'BATCH' ? 'A batch' : 'A payment that is not known'}`
  return html`<a href="${paymentHref({ kind, merchantCode, idPayment })}"><span class="code">${idPayment}</span></a><span class="sub">${kindWords(kind)} of ${merchantCode}</span>`
}

/** The form of a report that operators have from a bank. */
export const reportImportScreen: Screen = {
  path: `${PATH}/import`,
  permission: 'payout-files.change',
  async show(visit) {
    const { formToken, refused, path } = visit
    return {
      title: 'Import a status report',
      nav: 'Bank files',
      content: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${PATH}">Status reports</a>${icon('right')}<span aria-current="page">Import</span></nav>
<div class="head"><h1>Import a status report</h1></div>
${refusedNote(visit)}${refused !== undefined && note('warn', 'Choose the file again: browsers do not keep it.')}
<form class="panel sheet-form" method="post" enctype="multipart/form-data" action="${path}/take"><div class="panel-body">${formToken}<label class="field"><span>File</span><input class="input" type="file" name="file" required accept=".xml,application/xml,text/xml"><small>pain.002, at most 16 MiB. The same bytes are taken once.</small></label></div>
<div class="panel-foot acts"><button class="btn btn-main btn-mid">${icon('in')}Import</button><a class="btn btn-mid" href="${PATH}">Cancel</a><span class="hint grow">Where a second operator is needed, nothing follows until they confirm it.</span></div></form>`,
    }
  },
  acts: {
    take: {
      permission: 'payout-files.change',
      takesFile: true,
      async perform({ api }, _form, given) {
        const file = requireFile(given)
        const answer = await api.upload('/operator/payout-reports', AnswerSchema, {
          file: file.bytes,
          query: { fileName: file.name },
        })
        if (answer.waiting !== undefined)
          return { goTo: `${pathOf`/confirmations/${answer.waiting.confirmationId}`}?done=waits` }
        const { reportId = '', isNew } = answer
        return {
          goTo: `${pathOf`/bank-files/reports/${reportId}`}?done=${isNew === true ? 'taken' : 'known'}`,
        }
      },
    },
  },
}

/** What was taken, or what waits for a second operator. */
const AnswerSchema = Type.Object({
  reportId: Type.Optional(Type.String()),
  isNew: Type.Optional(Type.Boolean()),
  waiting: Type.Optional(WaitingSchema.properties.waiting),
})
