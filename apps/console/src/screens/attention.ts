import {
  ConfirmationListSchema,
  FailedDocumentListSchema,
  InstitutionListSchema,
  OperatorCallbackListSchema,
  OperatorPayoutListSchema,
  RestoreGapSchema,
  ReviewListSchema,
  StatementLineListSchema,
} from '@tollgate/contract'
import { addAmounts, parsePlainAmount } from '@tollgate/money'
import { type Html, html } from '@tollgate/runtime/html'
import { ageText, type Money, moneyText } from '../format.ts'
import { icon } from '../icons.ts'
import { empty } from '../parts.ts'
import type { Visit } from '../visit.ts'

// What needs somebody: number, noun, cause, age; the most urgent first.

interface Item {
  readonly count: string
  readonly tone: 'bad' | 'warn' | 'info'
  readonly title: string
  readonly says: string
  /** Since when the oldest waits. */
  readonly since?: string | undefined
  /** Where it is dealt with, if the console has a screen for it. */
  readonly href?: string
}

const LIMIT = '100'

/** Reads everything that may wait; of what the operator may not see, nothing is said. */
export async function attention(visit: Visit): Promise<Html> {
  const found = await Promise.all([
    gap(visit),
    callbacks(visit),
    payouts(visit, 'AWAITING_APPROVAL'),
    payouts(visit, 'ON_HOLD'),
    confirmations(visit),
    reviews(visit),
    suspense(visit),
    failedDocuments(visit),
    institutions(visit),
  ])
  const items = found.filter((item) => item !== undefined)
  const content =
    items.length === 0
      ? empty('check', 'Nothing waits', { says: 'Of what your roles let you see.' })
      : html`<ul class="todo">${items.map((item) => row(item, visit.nowMs))}</ul>`
  return html`<section aria-labelledby="h-todo"><div class="bar"><h2 id="h-todo">Needs attention</h2><p>${items.length > 0 && 'Most urgent first'}</p></div>${content}</section>`
}

function row({ count, tone, title, says, since, href }: Item, nowMs: number): Html {
  const age = since === undefined ? '' : `oldest ${ageText(since, nowMs)}`
  const content = html`<b class="glyph glyph-${tone}">${count}</b><span><strong>${title}</strong><span class="quiet">${says}</span></span><span class="quiet nowrap hide-sm">${age}</span>`
  return href === undefined
    ? html`<li><div class="todo-row">${content}</div></li>`
    : html`<li><a href="${href}">${content}${icon('right')}</a></li>`
}

interface Listed<Item> {
  readonly data: readonly Item[]
  readonly nextCursor?: string
}

/** A list has at most a page; what is behind it is a plus. */
const countOf = ({ data, nextCursor }: Listed<unknown>): string =>
  `${data.length}${nextCursor === undefined ? '' : '+'}`

const oldest = (moments: readonly string[]): string | undefined => [...moments].sort()[0]

/** Sums by currency, in words. */
export function sumsOf(list: readonly Money[]): string {
  const sums = new Map<string, string>()
  for (const { amount, currencyCode } of list) {
    const before = parsePlainAmount(sums.get(currencyCode) ?? '0')
    sums.set(currencyCode, addAmounts(before, parsePlainAmount(amount)))
  }
  return [...sums].map(([currencyCode, amount]) => moneyText({ amount, currencyCode })).join(', ')
}

async function gap({ api, may }: Visit): Promise<Item | undefined> {
  if (!may('payouts.read')) return undefined
  const { gap: open } = await api.get('/operator/restore-gap', RestoreGapSchema)
  if (open === undefined) return undefined
  return {
    count: String(open.held),
    tone: 'bad',
    title: 'Restored: no money leaves',
    says: `Two operators close the gap: tollgate restore-gap show. ${open.obstacles[0] ?? ''}`,
    since: open.restoredAt,
  }
}

async function callbacks({ api, may }: Visit): Promise<Item | undefined> {
  if (!may('callbacks.read')) return undefined
  const list = await api.get('/operator/callbacks', OperatorCallbackListSchema, {
    state: 'EXHAUSTED',
    limit: LIMIT,
  })
  if (list.data.length === 0) return undefined
  const hosts = new Set(list.data.map(({ url }) => URL.parse(url)?.host ?? url))
  return {
    count: countOf(list),
    tone: 'bad',
    title: 'Callbacks out of attempts',
    says: hosts.size === 1 ? [...hosts].join('') : `${hosts.size} receivers`,
    since: oldest(list.data.map(({ createdAt }) => createdAt)),
    href: '/callbacks?state=EXHAUSTED',
  }
}

async function payouts(
  { api, may }: Visit,
  status: 'AWAITING_APPROVAL' | 'ON_HOLD',
): Promise<Item | undefined> {
  if (!may('payouts.read')) return undefined
  const lists = await Promise.all(
    ['PAYOUT', 'SETTLEMENT'].map((kind) =>
      api.get('/operator/payouts', OperatorPayoutListSchema, { kind, status, limit: LIMIT }),
    ),
  )
  const data = lists.flatMap((list) => list.data)
  if (data.length === 0) return undefined
  const isMore = lists.some(({ nextCursor }) => nextCursor !== undefined)
  const begun = data.filter(({ approvals }) => approvals.length > 0).length
  const isHeld = status === 'ON_HOLD'
  return {
    count: `${data.length}${isMore ? '+' : ''}`,
    tone: 'warn',
    title: isHeld ? 'Payouts on hold' : 'Payouts need approval',
    says: `${sumsOf(data.map(({ money }) => money))}${!isHeld && begun > 0 ? `. ${begun} approved by one operator` : ''}`,
    since: oldest(data.map(({ process }) => process.createdAt)),
    href: isHeld ? '/payouts?status=ON_HOLD' : '/payouts',
  }
}

async function confirmations({ api, may }: Visit): Promise<Item | undefined> {
  if (!may('confirmations.read')) return undefined
  const list = await api.get('/operator/confirmations', ConfirmationListSchema, { limit: LIMIT })
  if (list.data.length === 0) return undefined
  return {
    count: countOf(list),
    tone: 'warn',
    title: 'Proposals need a second operator',
    says: sumsOf(list.data.flatMap(({ sums }) => sums)) || 'Files and decisions that nothing followed yet',
    since: oldest(list.data.map(({ proposedAt }) => proposedAt)),
    href: '/confirmations',
  }
}

async function reviews({ api, may }: Visit): Promise<Item | undefined> {
  if (!may('reviews.read')) return undefined
  const list = await api.get('/operator/reviews', ReviewListSchema, { limit: LIMIT })
  if (list.data.length === 0) return undefined
  return {
    count: countOf(list),
    tone: 'warn',
    title: 'Payments with unknown outcome',
    says: sumsOf(list.data.map(({ money }) => money)),
    since: oldest(list.data.map(({ waitsSince }) => waitsSince)),
    href: '/reviews',
  }
}

async function suspense({ api, may }: Visit): Promise<Item | undefined> {
  if (!may('statements.read')) return undefined
  const list = await api.get('/operator/statement-lines', StatementLineListSchema, { limit: LIMIT })
  if (list.data.length === 0) return undefined
  return {
    count: countOf(list),
    tone: 'warn',
    title: 'Bank lines in suspense',
    says: sumsOf(list.data.flatMap(({ openMoney }) => (openMoney === undefined ? [] : [openMoney]))),
    since: oldest(list.data.map(({ bookedOn }) => `${bookedOn}T00:00:00Z`)),
    href: '/suspense',
  }
}

async function failedDocuments({ api, may }: Visit): Promise<Item | undefined> {
  if (!may('statements.read')) return undefined
  const list = await api.get('/operator/failed-documents', FailedDocumentListSchema, { limit: LIMIT })
  const [first] = list.data
  if (first === undefined) return undefined
  return {
    count: countOf(list),
    tone: 'warn',
    title: 'Files not imported',
    says: `${first.fileName}: ${first.reason}`,
    since: oldest(list.data.map(({ putAsideAt }) => putAsideAt)),
    href: '/statements/failed',
  }
}

async function institutions({ api, may }: Visit): Promise<Item | undefined> {
  if (!may('institutions.read')) return undefined
  const { data } = await api.get('/operator/institutions', InstitutionListSchema)
  const away = data.filter(({ availability }) => availability !== 'OPERATIONAL')
  if (away.length === 0) return undefined
  const names = away.map(
    ({ code, direction, availability }) =>
      `${code} (${direction.toLowerCase()}) ${availability.toLowerCase()}`,
  )
  return {
    count: String(away.length),
    tone: 'info',
    title: 'Institutions not operational',
    says: names.join(', '),
    since: oldest(away.map(({ observedSince }) => observedSince)),
  }
}
