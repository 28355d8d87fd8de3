import { OperatorPayoutListSchema, OperatorPayoutSchema, PayeeSchema } from '@tollgate/contract'
import { addAmounts, parsePlainAmount } from '@tollgate/money'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { ageText, moneyHtml, moneyText, plural } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, empty, note, views } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import { kindWords } from '../status.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { type Payee, type Payout, payoutSubject } from './payout-subject.ts'

const PATH = '/payouts'
const LIMIT = '100'

/** The desk of payouts: what waits at the left, one of it at the right, the decision in sight. */
export const payoutsScreen: Screen = {
  path: PATH,
  permission: 'payouts.read',
  show: (visit) => desk(visit, undefined),
}

/** The same with one of them chosen. */
export const payoutScreen: Screen = {
  path: '/payouts/:kind/:merchantCode/:idPayout',
  permission: 'payouts.read',
  show: (visit) => desk(visit, undefined),
  acts: {
    approve: decideAct('!approve', 'approved'),
    reject: decideAct('!reject', 'rejected'),
    // Looking is recorded, so it takes a press.
    payee: {
      permission: 'payouts.unmask',
      async perform(visit) {
        return desk(visit, await visit.api.get(`${payoutPath(visit)}/payee`, PayeeSchema, kindQuery(visit)))
      },
    },
  },
}

const payoutPath = ({ name }: Visit): string =>
  pathOf`/operator/payouts/${name('merchantCode')}/${name('idPayout')}`

const kindQuery = ({ name }: Visit): { kind: string } => ({ kind: name('kind') })

function decideAct(operation: string, done: string): Act {
  return {
    permission: 'payouts.approve',
    async perform(visit, form) {
      const body = { contentHash: form.get('contentHash') ?? '', reason: form.get('reason') ?? '' }
      await visit.api.post(`${payoutPath(visit)}/${operation}`, OperatorPayoutSchema, {
        query: kindQuery(visit),
        body,
      })
      return done
    },
  }
}

const STATES = [
  ['AWAITING_APPROVAL', 'To approve'],
  ['ON_HOLD', 'On hold'],
] as const

const stateOf = (query: URLSearchParams): (typeof STATES)[number][0] =>
  query.get('status') === 'ON_HOLD' ? 'ON_HOLD' : 'AWAITING_APPROVAL'

async function desk(visit: Visit, payee: Payee | undefined): Promise<Page> {
  const state = stateOf(visit.query)
  const queue = await queueOf(visit, state)
  const isNamed = visit.name('idPayout') !== ''
  const current = isNamed ? queue.find((payout) => isNamedBy(visit, payout)) : queue[0]
  const search = state === 'ON_HOLD' ? '?status=ON_HOLD' : ''
  const subject =
    current === undefined
      ? notInQueue(visit)
      : payoutSubject(visit, current, { payee, path: payoutHref(current), search })
  const body =
    queue.length === 0 && !isNamed
      ? nothing(state)
      : html`${queuePart(visit, { queue, current, search, isNamed })}
<section${attributes({ class: isNamed ? undefined : 'hide-sm' })} aria-labelledby="h-p">${subject}</section></div>`
  return {
    title: current === undefined ? 'Payouts' : `${current.idPayout}: payouts`,
    nav: 'Payouts',
    content: html`${heading(queue, state)}
${refusedNote(visit)}${doneNote(visit, isNamed && current === undefined)}
${body}`,
  }
}

const heading = (queue: readonly Payout[], state: string): Html =>
  html`<div class="head"><h1>Payouts</h1><p>${summary(queue, state)}</p></div>
${views([
  ...STATES.map(([status, words]) => ({
    name: words,
    href: status === 'ON_HOLD' ? `${PATH}?status=ON_HOLD` : PATH,
    isCurrent: status === state,
    count: status === state ? queue.length : undefined,
  })),
  { name: 'All payouts', href: '/payments?kind=PAYOUT', isCurrent: false },
])}`

interface QueuePart {
  readonly queue: readonly Payout[]
  readonly current: Payout | undefined
  readonly search: string
  /** On a phone, the queue is a page of its own. */
  readonly isNamed: boolean
}

function queuePart({ nowMs }: Visit, { queue, current, search, isNamed }: QueuePart): Html {
  const back = html`<p class="only-sm backlink"><a href="${PATH}${search}">${icon('left')}${plural(queue.length, 'payout')}</a></p>`
  const items = queue.map((payout) => queueItem(payout, payout === current, { search, nowMs }))
  const list =
    items.length === 0
      ? html`<p class="quiet">Nothing waits.</p>`
      : html`<ol class="queue">${items}</ol><p class="pager">Oldest first.</p>`
  return html`${isNamed && back}<div class="desk"><section${attributes({ class: isNamed ? 'hide-sm' : undefined })} aria-labelledby="h-q"><h2 class="vh" id="h-q">Queue</h2>${list}</section>`
}

function notInQueue({ name }: Visit): Html {
  const href = pathOf`/payments/${name('kind')}/${name('merchantCode')}/${name('idPayout')}`
  return html`<div class="empty">${icon('check')}<h2 id="h-p">Not in this queue</h2><p>This payout does not wait any more.</p><p class="acts"><a class="btn" href="${href}">Open the payment</a></p></div>`
}

/** Payouts and settlements, the longest waiting first. */
async function queueOf({ api }: Visit, status: string): Promise<readonly Payout[]> {
  const lists = await Promise.all(
    ['PAYOUT', 'SETTLEMENT'].map((kind) =>
      api.get('/operator/payouts', OperatorPayoutListSchema, { kind, status, limit: LIMIT }),
    ),
  )
  return lists
    .flatMap(({ data }) => data)
    .sort((a, b) => a.process.createdAt.localeCompare(b.process.createdAt))
}

const isNamedBy = ({ name }: Visit, { kind, merchantCode, idPayout }: Payout): boolean =>
  kind === name('kind') && merchantCode === name('merchantCode') && idPayout === name('idPayout')

const payoutHref = ({ kind, merchantCode, idPayout }: Payout): string =>
  pathOf`/payouts/${kind}/${merchantCode}/${idPayout}`

const nothing = (state: string): Html =>
  state === 'ON_HOLD'
    ? empty('pause', 'No payouts on hold')
    : empty('check', 'No payouts to approve', {
        says: 'What a merchant’s rules let through leaves by itself.',
        acts: html`<a class="btn" href="/payments?kind=PAYOUT">All payouts</a>`,
      })

function summary(queue: readonly Payout[], state: string): string {
  const sums = new Map<string, string>()
  for (const { money } of queue) {
    const before = parsePlainAmount(sums.get(money.currencyCode) ?? '0')
    sums.set(money.currencyCode, addAmounts(before, parsePlainAmount(money.amount)))
  }
  const words = [...sums].map(([currencyCode, amount]) => moneyText({ amount, currencyCode }))
  const what =
    state === 'ON_HOLD' ? 'on hold' : queue.length === 1 ? 'waits for approval' : 'wait for approval'
  return words.length === 0 ? '' : `${queue.length} ${what}, ${words.join(' and ')}`
}

const DONE: Readonly<Record<string, string>> = {
  approved: 'Approved.',
  rejected: 'Rejected: the money is back with the merchant.',
}

function doneNote({ query }: Visit, isGone: boolean): Html | undefined {
  const says = DONE[query.get('done') ?? '']
  if (says === undefined) return undefined
  const more =
    query.get('done') === 'approved'
      ? isGone
        ? ' The payout is on its way.'
        : ' Another operator approves it, too.'
      : ''
  return note('good', `${says}${more}`)
}

interface Queued {
  readonly search: string
  readonly nowMs: number
}

function queueItem(payout: Payout, isCurrent: boolean, { search, nowMs }: Queued): Html {
  const { approvals, approvalsNeeded, kind, merchantCode, idPayout, money, process } = payout
  const tags = [
    approvalsNeeded > 0 &&
      chip(approvals.length > 0 ? 'info' : 'mute', 'user', `${approvals.length} of ${approvalsNeeded}`),
    payout.refundOf !== undefined && chip('mute', 'undo', 'Refund'),
    kind === 'SETTLEMENT' && chip('mute', 'sheet', kindWords(kind)),
    payout.waitsBecause.includes('NEW_BENEFICIARY') && chip('warn', 'alert', 'New payee'),
    payout.waitsBecause.includes('DAILY_SUM') && chip('mute', 'sheet', 'Daily sum'),
  ]
  return html`<li><a href="${payoutHref(payout)}${search}"${attributes({ 'aria-current': isCurrent ? 'true' : undefined })}><b class="code">${idPayout}</b><span class="end">${moneyHtml(money)}</span><small>${merchantCode}${payout.account?.accountNumber !== undefined && ` to ${payout.account.accountNumber}`}</small><small class="end">${ageText(process.createdAt, nowMs)}</small><span class="tags">${tags}</span></a></li>
`
}
