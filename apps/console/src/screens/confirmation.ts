import { ConfirmationDetailSchema, type Read } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, momentText, moneyHtml, moneyText, plural, sizeText, wordsOf } from '../format.ts'
import { initials } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { copyButton, note, pairs, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import { kindWords, statusChip } from '../status.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { confirmationStateChip, digestHtml, kindOf, untilText } from './confirmation-words.ts'
import { actorName, decisionWords } from './line-words.ts'
import { paymentHref } from './payments.ts'

type Detail = Read<typeof ConfirmationDetailSchema>

/** One proposal: its digest, what would follow, who brought it; and the second operator's decision. */
export const confirmationScreen: Screen = {
  path: '/confirmations/:confirmationId',
  permission: 'confirmations.read',
  async show(visit) {
    const detail = await visit.api.get(pathTo(visit), ConfirmationDetailSchema)
    const { confirmationId, title, kind, state, proposedBy, proposedAt } = detail
    return {
      title: `${title}: confirmation`,
      nav: 'Confirmations',
      content: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/confirmations">Confirmations</a>${icon('right')}<span class="code" aria-current="page">${confirmationId}</span></nav>
${refusedNote(visit)}${doneNote(visit, detail)}
<div class="hero"><div><h1>${title}</h1><p class="hero-line">${confirmationStateChip(state)}<span>${kindOf(kind)}, proposed by ${actorName(proposedBy)}, ${momentText(proposedAt)} UTC</span></p></div></div>
${earlierNotes(detail)}
<div class="two-narrow">${aboutPanel(visit, detail)}${moneyPanel(detail)}</div>
${followsPart(detail)}
${decision(visit, detail)}`,
    }
  },
  acts: {
    confirm: endAct('confirmations.decide', 'confirm', (form) => ({
      digest: form.get('digest') ?? '',
      ...withText(form, 'consequencesDigest'),
      ...withText(form, 'reason'),
    })),
    refuse: endAct('confirmations.decide', 'refuse', (form) => ({
      digest: form.get('digest') ?? '',
      reason: form.get('reason')?.trim() ?? '',
    })),
    withdraw: endAct('confirmations.withdraw', 'withdraw', (form) => withText(form, 'reason')),
  },
}

const pathTo = ({ name }: Visit): string => pathOf`/operator/confirmations/${name('confirmationId')}`

const withText = (form: URLSearchParams, name: string): Readonly<Record<string, string>> => {
  const text = form.get(name)?.trim() ?? ''
  return text === '' ? {} : { [name]: text }
}

function endAct(
  permission: Act['permission'],
  verb: string,
  bodyOf: (form: URLSearchParams) => Readonly<Record<string, string>>,
): Act {
  return {
    permission,
    async perform(visit, form) {
      await visit.api.post(`${pathTo(visit)}/!${verb}`, ConfirmationDetailSchema, { body: bodyOf(form) })
      return verb
    },
  }
}

/** By what was done: the state that proves it, and the words. What the address says is nobody's word. */
const DONE: Readonly<Record<string, readonly [state: string, tone: 'good' | 'info', says: string]>> = {
  waits: [
    'WAITING',
    'info',
    'Nothing has followed yet. A second operator has to confirm it: tell them the digest.',
  ],
  confirm: ['CONFIRMED', 'good', 'Confirmed, and carried out.'],
  refuse: ['REFUSED', 'good', 'Refused. Nothing follows.'],
  withdraw: ['WITHDRAWN', 'good', 'Withdrawn. Nothing follows.'],
}

function doneNote({ query }: Visit, { state, kind, result }: Detail): Html | undefined {
  const done = DONE[query.get('done') ?? '']
  if (done?.[0] !== state) return undefined
  return note(done[1], html`${done[2]}${result !== undefined && html` ${resultLink(kind, result)}`}`)
}

const resultLink = (kind: string, result: string): Html =>
  kind === 'LINE_DECISION'
    ? html`<a href="${pathOf`/suspense/${result}`}">Open the bank line</a>`
    : kind === 'PAYOUT_REPORT'
      ? html`<a href="${pathOf`/bank-files/reports/${result}`}">Open the report</a>`
      : html`<a href="/statements">Open the statements</a>`

const earlierNotes = ({ earlier }: Detail): HtmlValue =>
  earlier.map(({ confirmationId, state, endedBy, reason }) =>
    note(
      state === 'REFUSED' ? 'warn' : 'info',
      html`<b>The very same was ${wordsOf(state).toLowerCase()} before</b>, as <a href="${pathOf`/confirmations/${confirmationId}`}">confirmation ${confirmationId}</a>${endedBy !== undefined && ` by ${actorName(endedBy)}`}${reason !== undefined && `: ${reason}`}`,
    ),
  )

function aboutPanel({ nowMs }: Visit, detail: Detail): Html {
  const { digest, state, expireAt, endedAt, endedBy, reason, result, kind, lineIds } = detail
  const expires =
    state === 'WAITING'
      ? html`${momentHtml(expireAt)} UTC <span class="quiet">in ${untilText(expireAt, nowMs)}</span>`
      : undefined
  return html`<section class="panel"><h2>What was proposed</h2><div class="panel-body">${pairs([
    ['SHA-256', html`${digestHtml(digest)} ${copyButton('the digest', digest)}`],
    ...aboutPairs(detail),
    lineIds.length === 0
      ? undefined
      : [
          'Bank lines',
          lineIds.map((lineId) => html`<a href="${pathOf`/suspense/${lineId}`}">${lineId}</a> `),
        ],
    expires === undefined ? undefined : ['Expires', expires],
    endedAt === undefined
      ? undefined
      : ['Ended', html`${momentHtml(endedAt)} UTC${endedBy !== undefined && ` by ${actorName(endedBy)}`}`],
    reason === undefined ? undefined : ['Because', reason],
    result === undefined ? undefined : ['Came to', resultLink(kind, result)],
  ])}${kind !== 'LINE_DECISION' && html`<p class="hint section-s">Compare the digest with your bank’s portal, or with <code>sha256sum</code> of the file as you have it from the bank.</p>`}</div></section>`
}

const ABOUT_NAMES: Readonly<Record<string, string>> = {
  byteCount: 'Size',
  accountCode: 'Account',
  isStrict: 'Strict',
  mapping: 'CSV mapping',
}
/** Said elsewhere on the screen. */
const ABOUT_SHOWN: ReadonlySet<string> = new Set(['fileName', 'lines'])

type Pair = readonly [name: string, value: HtmlValue]

const aboutPairs = ({ about }: Detail): readonly Pair[] =>
  Object.entries(about)
    .filter(([name]) => !ABOUT_SHOWN.has(name))
    .map(([name, value]): Pair => [ABOUT_NAMES[name] ?? wordsOf(name), aboutValue(name, value)])

function aboutValue(name: string, value: unknown): HtmlValue {
  if (name === 'byteCount' && typeof value === 'number') return sizeText(value)
  if (name === 'decision' && typeof value === 'string') return decisionWords(value)
  if (typeof value === 'string') return value
  const payment = name === 'payment' ? namedPayment(value) : undefined
  if (payment !== undefined)
    return html`<a href="${paymentHref(payment)}"><span class="code">${payment.idPayment}</span></a> ${kindWords(payment.kind).toLowerCase()} of ${payment.merchantCode}`
  return html`<code>${JSON.stringify(value)}</code>`
}

type Named = Parameters<typeof paymentHref>[0]

function namedPayment(value: unknown): Named | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const text = (name: string): string => {
    const member: unknown = Reflect.get(value, name)
    return typeof member === 'string' ? member : ''
  }
  const named = { kind: text('kind'), merchantCode: text('merchantCode'), idPayment: text('idPayment') }
  return named.idPayment === '' ? undefined : named
}

const SUMS: Readonly<Record<string, string>> = {
  SUSPENSE: 'Goes into suspense',
  COVERED: 'The gateway gives',
  NOTED: 'Has left, and is noted',
}

function moneyPanel({ sums, consequences }: Detail): Html {
  const row = (words: HtmlValue, value: HtmlValue, style = ''): Html =>
    html`<div class="row${style}"><span>${words}</span>${value}</div>`
  const rows = consequences?.sums.map(({ what, count, money }) =>
    row(
      SUMS[what] === undefined
        ? html`${statusChip(what)} ${plural(count, 'payment')}`
        : `${SUMS[what]} (${count})`,
      moneyHtml(money),
    ),
  )
  return html`<section class="panel"><h2>Money</h2><div class="sums">${sums.map((money) => row('It is about', moneyHtml(money), ' total'))}${rows}${sums.length === 0 && (rows ?? []).length === 0 && row('No money', '')}</div></section>`
}

function followsPart({ consequences, impossible, state }: Detail): Html | undefined {
  if (impossible !== undefined)
    return note(
      'bad',
      html`<b>It cannot be carried out as things are now.</b> ${impossible} Confirmed, it would end.`,
    )
  if (consequences === undefined || state !== 'WAITING') return undefined
  const { payments, paymentCount, remarks } = consequences
  const more = paymentCount - payments.slice(0, PAYMENTS_SHOWN_MAX).length
  const rows = payments
    .slice(0, PAYMENTS_SHOWN_MAX)
    .map(({ payment, becomes, money }): readonly HtmlValue[] => [
      moneyHtml(money),
      statusChip(becomes),
      html`<a href="${paymentHref(payment)}"><span class="code">${payment.idPayment}</span></a>`,
      kindWords(payment.kind),
      payment.merchantCode,
    ])
  const columns = [
    { name: 'Amount', style: 'n' },
    { name: 'Becomes' },
    { name: 'Payment' },
    { name: 'Kind', style: 'hide-sm' },
    { name: 'Merchant', style: 'hide-sm' },
  ]
  return html`<section class="section-s" aria-labelledby="h-f"><div class="bar"><h2 id="h-f">What would follow</h2><p>Found out by doing it and rolling it back</p></div>${rows.length === 0 ? html`<p class="quiet">No payment would change.</p>` : table('Payments that would change', columns, rows, 2)}${more > 0 && html`<p class="hint">And ${plural(more, 'more payment', 'more payments')}: the sums have all of them.</p>`}${remarks.length > 0 && html`<ul class="remarks section-s">${remarks.map((text) => html`<li>${text}</li>`)}</ul>`}</section>`
}

const PAYMENTS_SHOWN_MAX = 100

/** Both people from the start; the buttons are for whoever may press them. */
function decision(visit: Visit, detail: Detail): Html | undefined {
  if (detail.state !== 'WAITING') return undefined
  const isMine = detail.proposedBy === `operator:${visit.me.operatorCode}`
  const hands = handsOf(visit, detail, isMine)
  if (isMine) return visit.may('confirmations.withdraw') ? withdrawForm(visit, detail, hands) : alone(hands)
  return visit.may('confirmations.decide') ? decideForm(visit, detail, hands) : alone(hands)
}

const alone = (hands: Html): Html => html`<div class="decision">${hands}</div>`

function handsOf({ me, may }: Visit, { proposedBy, proposedAt, expireAt }: Detail, isMine: boolean): Html {
  const proposer = actorName(proposedBy)
  const hand = (face: string, words: string, says: string): Html =>
    html`<li><span class="face face-empty" aria-hidden="true">${face}</span><span>${words}<small>${says}</small></span></li>`
  const second = isMine
    ? hand('?', 'Another operator', 'You proposed it, so somebody else decides.')
    : may('confirmations.decide')
      ? hand(initials(me.name), 'You decide', 'It is carried out under both names.')
      : hand('?', 'An approver', `Until ${momentText(expireAt)} UTC.`)
  return html`<h2 class="vh">Decision</h2><ol class="hands"><li><span class="face face-2" aria-hidden="true">${initials(proposer)}</span><span>${isMine ? 'You' : proposer} proposed it<small>${momentText(proposedAt)} UTC</small></span></li>${second}</ol>`
}

const typedReason = ({ refused }: Visit): string => refused?.form.get('reason') ?? ''

// Enter must not decide: the first button of a form is the one that it presses, and that one does nothing.
const STILL = html`<button hidden disabled></button>`

function decideForm(visit: Visit, detail: Detail, hands: Html): Html {
  const { digest, consequencesDigest } = detail
  const seen =
    consequencesDigest !== undefined &&
    html`<input type="hidden" name="consequencesDigest" value="${consequencesDigest}">`
  return html`<form class="decision" method="post">${visit.formToken}<input type="hidden" name="digest" value="${digest}">${seen}${STILL}${hands}<div class="decide"><label class="field grow"><span class="vh">Reason</span><input class="input" name="reason" required maxlength="250" autocomplete="off" placeholder="How you checked it, kept in the record" value="${typedReason(visit)}"></label>${decideButtons(visit, detail)}</div></form>`
}

const withdrawForm = (visit: Visit, { digest }: Detail, hands: Html): Html =>
  html`<form class="decision" method="post">${visit.formToken}<input type="hidden" name="digest" value="${digest}">${STILL}${hands}<div class="decide"><label class="field grow"><span class="vh">Reason</span><input class="input" name="reason" maxlength="250" autocomplete="off" placeholder="Reason, if you like" value="${typedReason(visit)}"></label><button class="btn btn-bad btn-mid" formaction="${visit.path}/withdraw${visit.search}">${icon('undo')}Withdraw</button></div></form>`

function decideButtons({ path, search }: Visit, { sums, impossible }: Detail): Html {
  const money = sums.map(moneyText).join(', ')
  return html`<button class="btn btn-bad btn-mid" formaction="${path}/refuse${search}">${icon('x')}Refuse</button>${impossible === undefined && html`<button class="btn btn-main btn-mid" formaction="${path}/confirm${search}">${icon('check')}Confirm${money !== '' && ` ${money}`}</button>`}`
}
