import { CatalogueChangeListSchema, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, plural } from '../../format.ts'
import { chip, empty, pager, table } from '../../parts.ts'
import type { Screen } from '../../visit.ts'
import { cataloguePage } from './page.ts'

type Change = ReadItem<typeof CatalogueChangeListSchema>

const PATH = '/catalogue/changes'
const LIMIT = '50'

/** What documents changed, the newest first. */
export const changesScreen: Screen = {
  path: PATH,
  permission: 'catalogue.read',
  async show(visit) {
    const { api, query } = visit
    const cursor = query.get('cursor') ?? undefined
    const { data, nextCursor } = await api.get('/operator/catalogue/changes', CatalogueChangeListSchema, {
      cursor,
      limit: LIMIT,
    })
    const says = `${plural(data.length, 'change')}, the newest first`
    return cataloguePage(visit, {
      tab: 'Changes',
      says: 'Made by documents. Fees and terms that were set one by one are in the audit log.',
      content:
        data.length === 0
          ? empty('audit', 'No changes', { says: 'No document was applied yet.' })
          : html`${changeTable(data)}${pager({ path: PATH, query, nextCursor, says })}`,
    })
  },
}

const changeTable = (data: readonly Change[]): Html =>
  table(
    'Changes of the catalogue',
    [
      { name: 'Item' },
      { name: 'Before and after' },
      { name: 'By', style: 'hide-sm' },
      { name: 'Changed, UTC', style: 'n hide-sm' },
    ],
    data.map((change): readonly HtmlValue[] => [
      html`${actionChip(change.before === undefined ? 'ADD' : change.after === undefined ? 'REMOVE' : 'CHANGE')} <span class="code">${change.item}</span><span class="sub">${sectionWords(change.section)}<span class="only-sm">, ${change.operatorCode}, ${momentHtml(change.changedAt)}</span></span>`,
      fieldsDiff(fieldsOf(change), change.after === undefined),
      html`${change.operatorCode}`,
      html`<span class="quiet">${momentHtml(change.changedAt)}</span>`,
    ]),
  )

const SECTION_WORDS: Readonly<Record<string, string>> = {
  paymentOperators: 'payment operators',
  excludedSegments: 'excluded segments',
  operators: 'payment operators of a method',
}
export const sectionWords = (section: string): string => SECTION_WORDS[section] ?? section

export function actionChip(action: string): Html {
  if (action === 'ADD') return chip('good', 'plus', 'Added')
  return action === 'REMOVE' ? chip('bad', 'minus', 'Removed') : chip('info', 'edit', 'Changed')
}

interface FieldChange {
  readonly field: string
  readonly before?: unknown
  readonly after?: unknown
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null

/** The members of a row that differ. */
function fieldsOf({ before = {}, after = {} }: Change): readonly FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((each) => JSON.stringify(each.before ?? null) !== JSON.stringify(each.after ?? null))
}

/** Each field as it was and as it is then; what is the same is not said. */
export const fieldsDiff = (fields: readonly FieldChange[], isGone: boolean): Html =>
  html`<div class="diff">${fields.map(
    ({ field, before, after }) =>
      html`<div><span class="quiet">${field}</span> ${!isEmpty(before) && html`<del>${valueText(before)}</del> `}${afterText({ before, after }, isGone)}</div>`,
  )}</div>`

/** Of an item that goes, what it was says it all. */
function afterText({ before, after }: Omit<FieldChange, 'field'>, isGone: boolean): Html | undefined {
  if (!isEmpty(after)) return html`<ins>${valueText(after)}</ins>`
  return isEmpty(before) || isGone ? undefined : html`<ins>none</ins>`
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
