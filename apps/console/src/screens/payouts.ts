import { OperatorPayoutSchema, PayeeSchema } from '@tollgate/contract'
import { addAmounts, parsePlainAmount } from '@tollgate/money'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { ageText, moneyHtml, moneyText } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, empty, note, views } from '../parts.ts'
import type { PaymentNames } from '../payment-history.ts'
import { refusedNote } from '../refused.ts'
import { kindWords, statusChip } from '../status.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { paymentHref } from './payments.ts'
import { type Queue, type QueueState, readNamed, readQueue } from './payout-queue.ts'
import { type Payee, type Payout, payoutSubject } from './payout-subject.ts'

const PATH = '/payouts'

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

const stateOf = (query: URLSearchParams): QueueState =>
  query.get('status') === 'ON_HOLD' ? 'ON_HOLD' : 'AWAITING_APPROVAL'

const searchOfState = (state: string): string => (state === 'ON_HOLD' ? '?status=ON_HOLD' : '')

/** In which queue it waits, if it does. */
const waitingState = ({
  process: { status, processorStatus },
}: Pick<Payout, 'process'>): string | undefined =>
  status === 'CREATED' ? STATES.find(([state]) => state === processorStatus)?.[0] : undefined

async function desk(visit: Visit, payee: Payee | undefined): Promise<Page> {
  const state = stateOf(visit.query)
  const queue = await readQueue(visit, state)
  const { payouts } = queue
  const isNamed = visit.name('idPayout') !== ''
  const current = isNamed
    ? (payouts.find((payout) => isNamedBy(visit, payout)) ?? (await readNamed(visit)))
    : payouts[0]
  const search = searchOfState(state)
  const body =
    current === undefined
      ? nothing(state)
      : html`${queuePart(visit, { queue, current, search, isNamed })}
<section${attributes({ class: isNamed ? undefined : 'hide-sm' })} aria-labelledby="h-p">${subjectPart(visit, current, { state, payee })}</section></div>`
  return {
    title: current === undefined ? 'Payouts' : `${current.idPayout}: payouts`,
    nav: 'Payouts',
    content: html`${heading(queue, state)}
${refusedNote(visit)}${doneNote(visit, isNamed ? current : undefined)}
${body}`,
  }
}

interface SubjectOf {
  /** Whose queue is shown beside it. */
  readonly state: QueueState
  readonly payee: Payee | undefined
}

/** What can be decided about it; of what does not wait in this queue, how it is. */
function subjectPart(visit: Visit, payout: Payout, { state, payee }: SubjectOf): Html {
  const { kind, merchantCode, idPayout, process } = payout
  const waiting = waitingState(payout)
  if (waiting === state)
    return payoutSubject(visit, payout, { payee, path: payoutHref(payout), search: searchOfState(state) })
  const [href, words] =
    waiting === undefined
      ? [paymentHref({ kind, merchantCode, idPayment: idPayout }), 'Open the payment']
      : [`${payoutHref(payout)}${searchOfState(waiting)}`, 'Open it in its queue']
  return html`<div class="empty">${icon('sheet')}<h2 id="h-p">Not in this queue</h2><p><span class="code">${idPayout}</span> of ${merchantCode}: ${statusChip(process.status, process.processorStatus)}</p><p class="acts"><a class="btn" href="${href}">${words}</a></p></div>`
}

const heading = (queue: Queue, state: string): Html =>
  html`<div class="head"><h1>Payouts</h1><p>${summary(queue, state)}</p></div>
${views([
  ...STATES.map(([status, words]) => ({
    name: words,
    href: `${PATH}${searchOfState(status)}`,
    isCurrent: status === state,
    count: status === state ? countText(queue) : undefined,
  })),
  { name: 'All payouts', href: '/payments?kind=PAYOUT', isCurrent: false },
])}`

const countText = ({ payouts, hasMore }: Queue): string => `${payouts.length}${hasMore ? '+' : ''}`

interface QueuePart {
  readonly queue: Queue
  readonly current: Payout
  readonly search: string
  /** On a phone, the queue is a page of its own. */
  readonly isNamed: boolean
}

function queuePart({ nowMs }: Visit, { queue, current, search, isNamed }: QueuePart): Html {
  const { payouts, hasMore } = queue
  const back = html`<p class="only-sm backlink"><a href="${PATH}${search}">${icon('left')}${countText(queue)} ${payouts.length === 1 ? 'payout' : 'payouts'}</a></p>`
  const items = payouts.map((payout) => queueItem(payout, payout === current, { search, nowMs }))
  const more =
    hasMore && html` These are only the newest ${payouts.length}. Search for an older one by its id.`
  const list =
    items.length === 0
      ? html`<p class="quiet">Nothing waits.</p>`
      : html`<ol class="queue">${items}</ol><p class="pager">Oldest first.${more}</p>`
  return html`${isNamed && back}<div class="desk"><section${attributes({ class: isNamed ? 'hide-sm' : undefined })} aria-labelledby="h-q"><h2 class="vh" id="h-q">Queue</h2>${list}</section>`
}

const isNamedBy = ({ name }: Visit, { kind, merchantCode, idPayout }: Payout): boolean =>
  kind === name('kind') && merchantCode === name('merchantCode') && idPayout === name('idPayout')

const payoutHref = ({ kind, merchantCode, idPayout }: Payout): string =>
  deskHref({ kind, merchantCode, idPayment: idPayout })

/** Where it is decided about a payment that needs approval or is on hold; undefined for any other one. */
export function deskHrefOf(payment: PaymentNames & Pick<Payout, 'process'>): string | undefined {
  const state = waitingState(payment)
  return state === undefined ? undefined : `${deskHref(payment)}${searchOfState(state)}`
}

const deskHref = ({ kind, merchantCode, idPayment }: PaymentNames): string =>
  pathOf`/payouts/${kind}/${merchantCode}/${idPayment}`

const nothing = (state: string): Html =>
  state === 'ON_HOLD'
    ? empty('pause', 'No payouts on hold')
    : empty('check', 'No payouts to approve', {
        says: 'What a merchant’s rules let through leaves by itself.',
        acts: html`<a class="btn" href="/payments?kind=PAYOUT">All payouts</a>`,
      })

function summary({ payouts, hasMore }: Queue, state: string): string {
  const sums = new Map<string, string>()
  for (const { money } of payouts) {
    const before = parsePlainAmount(sums.get(money.currencyCode) ?? '0')
    sums.set(money.currencyCode, addAmounts(before, parsePlainAmount(money.amount)))
  }
  const words = [...sums].map(([currencyCode, amount]) => moneyText({ amount, currencyCode }))
  const what =
    state === 'ON_HOLD' ? 'on hold' : payouts.length === 1 ? 'waits for approval' : 'wait for approval'
  if (words.length === 0) return ''
  return `${hasMore ? 'At least ' : ''}${payouts.length} ${what}, ${words.join(' and ')}`
}

const DONE: Readonly<Record<string, string>> = {
  approved: 'Approved.',
  rejected: 'Rejected: the money is back with the merchant.',
}

function doneNote({ query }: Visit, payout: Payout | undefined): Html | undefined {
  const done = query.get('done') ?? ''
  const says = DONE[done]
  if (says === undefined) return undefined
  return note('good', done === 'approved' && payout !== undefined ? `${says}${afterApproval(payout)}` : says)
}

/** What follows from it, where the payout shows that something does. */
function afterApproval(payout: Payout): string {
  const waiting = waitingState(payout)
  if (waiting === 'AWAITING_APPROVAL') return ' Another operator approves it, too.'
  return waiting === undefined && payout.process.status === 'CREATED' ? ' The payout is on its way.' : ''
}

interface Queued {
  readonly search: string
  readonly nowMs: number
}

/** What an approver is to see before the payout is open. */
const REASONS = [
  ['NEW_BENEFICIARY', 'warn', 'alert', 'New payee'],
  ['HALF_CREDENTIAL', 'warn', 'key', 'Key not confirmed'],
  ['NEW_SETTLEMENT_ACCOUNT', 'warn', 'alert', 'New settlement account'],
  ['DAILY_SUM', 'mute', 'sheet', 'Daily sum'],
] as const

function queueItem(payout: Payout, isCurrent: boolean, { search, nowMs }: Queued): Html {
  const { approvals, approvalsNeeded, kind, merchantCode, idPayout, money, process } = payout
  const tags = [
    approvalsNeeded > 0 &&
      chip(approvals.length > 0 ? 'info' : 'mute', 'user', `${approvals.length} of ${approvalsNeeded}`),
    payout.refundOf !== undefined && chip('mute', 'undo', 'Refund'),
    kind === 'SETTLEMENT' && chip('mute', 'sheet', kindWords(kind)),
    ...REASONS.map(
      ([reason, tone, icon, words]) => payout.waitsBecause.includes(reason) && chip(tone, icon, words),
    ),
  ]
  return html`<li><a href="${payoutHref(payout)}${search}"${attributes({ 'aria-current': isCurrent ? 'true' : undefined })}><b class="code">${idPayout}</b><span class="end">${moneyHtml(money)}</span><small>${merchantCode}${payout.account?.accountNumber !== undefined && ` to ${payout.account.accountNumber}`}</small><small class="end">${ageText(process.createdAt, nowMs)}</small><span class="tags">${tags}</span></a></li>
`
}
