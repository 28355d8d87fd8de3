import { FailedDocumentContentSchema, FailedDocumentListSchema, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { momentHtml, plural, sizeText } from '../format.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { empty, pager, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { bankViews } from './bank-views.ts'

type Failed = ReadItem<typeof FailedDocumentListSchema>

const PATH = '/statements/failed'
const LIMIT = '50'

/** Files of the watched folders that could not be taken, and why. */
export const failedDocumentsScreen: Screen = {
  path: PATH,
  permission: 'statements.read',
  async show(visit) {
    const { query, api } = visit
    const given = (name: string): string | undefined => query.get(name) ?? undefined
    const { data, nextCursor } = await api.get('/operator/failed-documents', FailedDocumentListSchema, {
      channel: channelOf(query),
      cursor: given('cursor'),
      limit: LIMIT,
    })
    const says = `${plural(data.length, 'file')}, the newest first`
    return {
      title: 'Files that were not taken',
      nav: 'Bank files',
      content: html`<div class="head"><h1>Files that were not taken</h1><p>Correct the file and put it into the folder again</p></div>
${bankViews(visit, 'Not taken')}
${filterBar(PATH, query, FILTERS)}
${refusedNote(visit)}${data.length === 0 ? empty('check', 'No such files', { says: 'Every file of the watched folders was taken.' }) : html`${tableOf(visit, data)}${pager({ path: PATH, query, nextCursor, says })}`}`,
    }
  },
  acts: {
    // Looking is recorded, so it takes a press.
    content: {
      permission: 'statements.unmask',
      async perform({ api }, form) {
        const path = `${pathOf`/operator/failed-documents/${form.get('documentId') ?? ''}`}/content`
        const { name, contentBase64 } = await api.get(path, FailedDocumentContentSchema)
        return { fileName: name, bytes: Buffer.from(contentBase64, 'base64') }
      },
    },
  },
}

const CHANNELS = [
  { value: 'STATEMENTS', words: 'Statements' },
  { value: 'PAYOUT_REPORTS', words: 'Status reports' },
] as const

const FILTERS = [
  { name: 'Folder', fields: [{ name: 'channel', label: 'Folder', choices: CHANNELS }] },
] as const

const channelOf = (query: URLSearchParams): string | undefined =>
  CHANNELS.find(({ value }) => value === query.get('channel'))?.value

function tableOf(visit: Visit, data: readonly Failed[]): Html {
  const mayRead = visit.may('statements.unmask')
  const columns = [
    { name: 'File' },
    { name: 'Why' },
    { name: 'Size', style: 'n hide-sm' },
    { name: 'Put aside, UTC', style: 'n hide-sm' },
    ...(mayRead ? [{ name: 'Content', style: 'n' }] : []),
  ]
  const rows = data.map((each): readonly HtmlValue[] => [
    html`<b>${each.fileName}</b><span class="sub">${each.channel === 'PAYOUT_REPORTS' ? 'Status report' : 'Statement'}</span>`,
    each.reason,
    html`<span class="quiet">${sizeText(each.byteCount)}</span>`,
    html`<span class="quiet">${momentHtml(each.putAsideAt)}</span>`,
    ...(mayRead ? [contentForm(visit, each)] : []),
  ])
  const hint =
    mayRead && html`<p class="hint section-s">Fetching the content is recorded under your name.</p>`
  return html`${table('Files that were not taken', columns, rows)}${hint}`
}

const contentForm = ({ formToken }: Visit, { documentId, fileName, isStored }: Failed): HtmlValue =>
  isStored
    ? html`<form method="post" action="${PATH}/content">${formToken}<input type="hidden" name="documentId" value="${documentId}"><button class="btn">${icon('in')}Fetch<span class="vh"> ${fileName}</span></button></form>`
    : html`<span class="quiet">Only in the folder</span>`
