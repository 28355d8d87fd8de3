import { ConfirmationListSchema, type ReadItem } from '@tollgate/contract'
import { CONFIRMATION_STATES } from '@tollgate/contract/words'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, momentText, moneyText, plural } from '../format.ts'
import { pathOf } from '../operator-api.ts'
import { empty, pager, table, views, withQuery } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { confirmationStateChip, kindOf, untilText } from './confirmation-words.ts'
import { actorName } from './line-words.ts'

type Confirmation = ReadItem<typeof ConfirmationListSchema>

const PATH = '/confirmations'
const LIMIT = '50'

/** What one operator has proposed, and a second one confirms or refuses. */
export const confirmationsScreen: Screen = {
  path: PATH,
  permission: 'confirmations.read',
  async show(visit) {
    const { query, api } = visit
    const view = viewOf(query)
    const { data, nextCursor } = await api.get('/operator/confirmations', ConfirmationListSchema, {
      states: view.states,
      cursor: query.get('cursor') ?? undefined,
      limit: LIMIT,
    })
    const says = `${plural(data.length, 'proposal')}, the newest first`
    return {
      title: 'Confirmations',
      nav: 'Confirmations',
      content: html`<div class="head"><h1>Confirmations</h1><p>What one operator proposed and another one decides</p></div>
${views(
  VIEWS.map(({ name, show }) => ({
    name,
    href: withQuery(PATH, new URLSearchParams(), { show }),
    isCurrent: show === view.show,
    count: show === undefined && view.show === undefined ? data.length : undefined,
  })),
)}
${data.length === 0 ? nothing(view.show) : html`${tableOf(visit, data, view.show)}${pager({ path: PATH, query, nextCursor, says })}`}`,
    }
  },
}

const ENDED = CONFIRMATION_STATES.filter((state) => state !== 'WAITING' && state !== 'ALONE')

const VIEWS = [
  { name: 'Waiting', show: undefined, states: undefined },
  { name: 'Ended', show: 'ended', states: ENDED.join(',') },
  { name: 'Done alone', show: 'alone', states: 'ALONE' },
] as const

const viewOf = (query: URLSearchParams): (typeof VIEWS)[number] =>
  VIEWS.find(({ show }) => show === (query.get('show') ?? undefined)) ?? VIEWS[0]

const nothing = (show: string | undefined): Html =>
  show === undefined
    ? empty('check', 'Nothing waits for a second operator', {
        says: 'Files and decisions above your policy’s amounts wait here.',
      })
    : empty('user', 'No confirmations')

function tableOf({ nowMs }: Visit, data: readonly Confirmation[], show: string | undefined): Html {
  const columns = [
    { name: 'What' },
    { name: 'Money', style: 'n' },
    { name: 'Proposed by', style: 'hide-sm' },
    { name: 'Proposed, UTC', style: 'n hide-sm' },
    { name: show === undefined ? 'Expires' : 'State', ...(show === undefined && { style: 'n' }) },
    { name: 'Digest', style: 'hide-md' },
  ]
  const row = (each: Confirmation): readonly HtmlValue[] => [
    html`<a href="${pathOf`/confirmations/${each.confirmationId}`}">${each.title}</a><span class="sub">${kindOf(each.kind)} ${each.confirmationId}<span class="only-sm">, by ${actorName(each.proposedBy)}</span></span>`,
    each.sums.map(moneyText).join(', '),
    actorName(each.proposedBy),
    html`<span class="quiet">${momentHtml(each.proposedAt)}</span>`,
    show === undefined
      ? html`<time class="quiet" datetime="${each.expireAt}" title="${momentText(each.expireAt)} UTC">in ${untilText(each.expireAt, nowMs)}</time>`
      : html`${confirmationStateChip(each.state)}${each.endedBy !== undefined && html`<span class="sub">by ${actorName(each.endedBy)}</span>`}`,
    html`<span class="code quiet">${each.digest.slice(0, DIGITS_SHOWN)}</span>`,
  ]
  return table('Confirmations, the newest first', columns, data.map(row))
}

const DIGITS_SHOWN = 12
