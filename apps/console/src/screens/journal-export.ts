import { type Html, html } from '@tollgate/runtime/html'
import { icon } from '../icons.ts'
import type { Query } from '../operator-api.ts'
import type { Visit } from '../visit.ts'

const NAMES = ['from', 'to', 'currencyCode', 'columns', 'accounts'] as const

/** What the form asks for, as the API takes it. */
export function journalQuery(query: URLSearchParams): Query {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined
  return Object.fromEntries(NAMES.map((name) => [name, given(name)]))
}

/** The month before this one, which bookkeepers ask for. */
function lastMonth(nowMs: number): { readonly from: string; readonly to: string } {
  const now = new Date(nowMs)
  const firstOf = (month: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), month, 1)).toISOString().slice(0, 10)
  return { from: firstOf(now.getUTCMonth() - 1), to: firstOf(now.getUTCMonth()) }
}

/** The postings of a period as a file for accounting. The API judges what is typed. */
export function journalExportForm({ nowMs }: Visit): Html {
  const { from, to } = lastMonth(nowMs)
  const field = (label: string, name: string, hint: string): Html =>
    html`<label class="field"><span>${label}</span><input class="input" name="${name}"><small>${hint}</small></label>`
  const dayField = (label: string, name: string, hint: string, day: string): Html =>
    html`<label class="field"><span>${label}</span><input class="input" type="date" name="${name}" value="${day}" required><small>${hint}</small></label>`
  return html`<section class="section" aria-labelledby="h-j"><div class="bar"><h2 id="h-j">For accounting</h2></div>
<details class="panel make"><summary>${icon('in')}Export the journal</summary><form class="panel-body" action="/journal/export"><div class="fields">
${dayField('From', 'from', 'A day of UTC', from)}${dayField('Before', 'to', 'The day after the last one', to)}${field('Currency', 'currencyCode', 'Empty: all')}${field('Columns', 'columns', 'For example Date=date, Account=account, Debit=debit, Credit=credit, Text=text. Empty: all')}${field('Account numbers', 'accounts', 'Of all eight: CLEARING=1200, FEES=8400 and so on. Empty: our names')}</div>
<p class="acts section-s"><button class="btn btn-main" name="format" value="csv">${icon('in')}Export CSV</button><button class="btn" name="format" value="jsonl">Export JSON lines</button></p></form></details></section>`
}
