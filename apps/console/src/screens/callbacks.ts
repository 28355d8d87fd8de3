import {
  CallbackResentSchema,
  CallbacksResentSchema,
  OperatorCallbackListSchema,
  type Read,
  type ReadItem,
} from '@tollgate/contract'
import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { momentHtml, momentText, plural, wordsOf } from '../format.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf } from '../operator-api.ts'
import { chip, empty, note, pager, table, views, withQuery } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { ownMerchantOf, withoutMerchant } from './member-parts.ts'
import { paymentHref } from './payments.ts'

type Callback = ReadItem<typeof OperatorCallbackListSchema>
type List = Read<typeof OperatorCallbackListSchema>

const PATH = '/callbacks'
const LIMIT = '50'

/** Callbacks to merchants with their attempts, and sending one again. */
export const callbacksScreen: Screen = {
  path: PATH,
  permission: 'callbacks.read',
  forMembers: true,
  async show(visit) {
    const { query } = visit
    return {
      title: 'Callbacks',
      nav: 'Callbacks',
      content: html`<div class="head"><h1>Callbacks</h1><p>The newest first</p></div>
${views(
  STATES.map(([state, name]) => ({
    name,
    href: withQuery(PATH, new URLSearchParams(), { state }),
    isCurrent: (query.get('state') ?? '') === state,
  })),
)}
${filterBar(PATH, query, withoutMerchant(visit, FILTERS))}
${refusedNote(visit)}${doneNote(query.get('done'))}
${resendAllForm(visit)}
${await listOf(visit)}`,
    }
  },
  acts: {
    resendAll: {
      permission: 'callbacks.resend',
      async perform({ api }, form) {
        const merchantCode = form.get('merchantCode') ?? undefined
        const isForAll = form.get('isForAll') === 'true' || undefined
        const { resent, hasMore } = await api.post('/operator/callbacks/!resend', CallbacksResentSchema, {
          body: { merchantCode, isForAll },
        })
        return hasMore ? `resent-${resent}-more` : `resent-${resent}`
      },
    },
    resend: {
      permission: 'callbacks.resend',
      async perform({ api }, form) {
        await api.post(pathOf`/operator/callbacks/${form.get('eventId') ?? ''}/!resend`, CallbackResentSchema)
        return 'resent'
      },
    },
  },
}

const FILTERS = [
  { name: 'Merchant', fields: [{ name: 'merchantCode', label: 'Merchant code' }] },
  { name: 'Payment', fields: [{ name: 'idPayment', label: 'Payment id' }] },
]

const STATES = [
  ['', 'All'],
  ['EXHAUSTED', 'Out of attempts'],
  ['PENDING', 'Under way'],
  ['DELIVERED', 'Delivered'],
] as const

async function listOf(visit: Visit): Promise<HtmlValue> {
  const { api, query } = visit
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined
  try {
    const list = await api.get('/operator/callbacks', OperatorCallbackListSchema, {
      state: given('state'),
      merchantCode: given('merchantCode'),
      idPayment: given('idPayment'),
      cursor: given('cursor'),
      limit: LIMIT,
    })
    return tableOf(visit, list)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 410].includes(error.status)) throw error
    return note('bad', error.message)
  }
}

function tableOf(visit: Visit, { data, nextCursor }: List): Html {
  if (data.length === 0) return empty('callback', 'No callbacks', { says: 'None fits these filters.' })
  const canResend = visit.may('callbacks.resend')
  const columns = [
    { name: 'Payment' },
    { name: 'State' },
    { name: 'Receiver', style: 'hide-sm' },
    { name: 'Attempts' },
    { name: 'Created, UTC', style: 'n hide-sm' },
    ...(canResend ? [{ name: 'Send again', style: 'n' }] : []),
  ]
  const rows = data.map((callback) => [...row(callback), ...(canResend ? [resendForm(visit, callback)] : [])])
  const says = `${plural(data.length, 'callback')}, the newest first`
  return html`${table('Callbacks', columns, rows)}${pager({ path: PATH, query: visit.query, nextCursor, says })}`
}

const LOOKS: Readonly<Record<string, Parameters<typeof chip>>> = {
  PENDING: ['info', 'clock', 'Under way'],
  DELIVERED: ['good', 'check', 'Delivered'],
  EXHAUSTED: ['bad', 'x', 'Out of attempts'],
}

function row(callback: Callback): readonly HtmlValue[] {
  const { state, url, createdAt, idPayment, nextAttemptAt } = callback
  const look = LOOKS[state]
  return [
    html`<a href="${paymentHref(callback)}?show=callbacks"><span class="code">${idPayment}</span></a><span class="sub">${callback.merchantCode}</span>`,
    html`${look === undefined ? wordsOf(state) : chip(...look)}${nextAttemptAt !== undefined && html`<span class="sub">next ${momentText(nextAttemptAt)} UTC</span>`}`,
    html`<span class="quiet">${URL.parse(url)?.host ?? url}</span>`,
    attemptsOf(callback),
    html`<span class="quiet">${momentHtml(createdAt)}</span>`,
  ]
}

function attemptsOf({ attempts, attemptsStarted, attemptsMax }: Callback): Html {
  const count = `${attemptsStarted} of ${attemptsMax}`
  if (attempts.length === 0) return html`${count}`
  return html`<details class="more"><summary>${count}</summary><ol class="stack-s">${attempts.map(({ attemptNo, startedAt, outcome, httpStatus, tookMs, message, answerStart }) => html`<li>${attemptNo}: ${momentText(startedAt)} <b>${httpStatus === undefined ? wordsOf(outcome ?? 'UNDER_WAY') : `status ${httpStatus}`}</b>${tookMs !== undefined && ` in ${tookMs} ms`} <span class="quiet">${message ?? ''}</span>${answerStart !== undefined && answerStart !== '' && html`<pre tabindex="0" aria-label="Beginning of the answer">${answerStart.slice(0, 1000)}</pre>`}</li>`)}</ol></details>`
}

/** Where those are shown that are out of attempts: one press for all of them, of the merchant that the list is of. */
function resendAllForm(visit: Visit): Html | undefined {
  const { query, formToken, search } = visit
  if (query.get('state') !== 'EXHAUSTED' || !visit.may('callbacks.resend')) return undefined
  if (ownMerchantOf(visit) !== undefined) return undefined
  const merchantCode = query.get('merchantCode')?.trim() ?? ''
  const isForAll = merchantCode === ''
  const whose = isForAll ? 'of all merchants' : `of ${merchantCode}`
  const of = isForAll ? { name: 'isForAll', value: 'true' } : { name: 'merchantCode', value: merchantCode }
  return html`<details class="panel make"><summary>${icon('resend')}Send all again</summary><form class="panel-body" method="post" action="${PATH}/resendAll${search}">${formToken}<input type="hidden"${attributes(of)}><p>Every callback ${whose} that is out of attempts gets one attempt now and four repeats, the oldest first, 1,000 at a press.</p><p class="acts section-s"><button class="btn btn-main">Send all again, ${isForAll ? 'of every merchant' : whose}</button></p></form></details>`
}

const RESENT = /^resent(?:-(\d{1,6})(-more)?)?$/

function doneNote(done: string | null): Html | undefined {
  const [found, count, more] = RESENT.exec(done ?? '') ?? []
  if (found === undefined) return undefined
  const repeats = 'one attempt now, and four repeats until the receiver answers 200.'
  if (count === undefined) return note('good', `Sent again: ${repeats}`)
  return note(
    'good',
    `${plural(Number(count), 'callback')} sent again: ${repeats}${more === undefined ? '' : ' There are more: press again.'}`,
  )
}

const resendForm = (
  { formToken, search }: Visit,
  { eventId, state, idPayment }: Callback,
): Html | undefined =>
  state === 'PENDING'
    ? undefined
    : html`<form method="post" action="${PATH}/resend${search}">${formToken}<input type="hidden" name="eventId" value="${eventId}"><button class="btn">${icon('resend')}Send again<span class="vh"> the callback of ${idPayment}</span></button></form>`
