import {
  OperatorPaymentSchema,
  OperatorPayoutSchema,
  type Read,
  ReviewDetailSchema,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, moneyHtml, wordsOf } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { copyButton, facts, note, pairs } from '../parts.ts'
import { type PaymentNames, readHistory, versionOf } from '../payment-history.ts'
import { refusedNote } from '../refused.ts'
import { kindWords, statusChip } from '../status.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { ownMerchantOf } from './member-parts.ts'
import { deskHrefOf } from './payouts.ts'
import { settlementHref } from './settlement-parts.ts'
import { timeline } from './timeline.ts'

type Payment = Read<typeof OperatorPaymentSchema>
type Reviewed = Read<typeof ReviewDetailSchema>
/** Settlements have no detail of their own at the operator API: what reviewers see is what there is. */
type Shown = Reviewed | Payment

/** One payment of any kind, with everything that happened to it. */
export const paymentScreen: Screen = {
  path: '/payments/:kind/:merchantCode/:idPayment',
  permission: 'payouts.read',
  forMembers: true,
  async show(visit) {
    if (ownMerchantOf(visit) !== undefined && visit.name('kind') === 'SETTLEMENT')
      return settlementPage(visit)
    const [payment, history] = await Promise.all([read(visit), readHistory(visit.api, namesOf(visit))])
    const { idPayment } = payment
    return {
      title: idPayment,
      nav: 'Payments',
      content: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/payments">Payments</a>${icon('right')}<span class="code" aria-current="page">${idPayment}</span></nav>
${refusedNote(visit)}${doneNote(visit, payment)}
${hero(visit, payment)}
<div data-live-part="facts">${factsOf(payment)}</div>
<div class="split">${timeline(visit.path, visit.query, history, versionOf(history))}
<aside class="side-panel" aria-label="Details" data-live-part="details">${money(payment)}${request(payment)}${holding(visit, payment)}</aside></div>`,
    }
  },
  acts: {
    hold: holdAct('payments.hold', '!hold', 'held'),
    release: holdAct('payments.release', '!release', 'released'),
    cancel: holdAct('payments.release', '!cancel', 'cancelled'),
  },
}

/** What merchants' people read of a settlement is on its own screen. */
function settlementPage({ name }: Visit): Page {
  const id = name('idPayment')
  return {
    title: id,
    nav: 'Payments',
    content: html`<div class="head"><h1>${kindWords('SETTLEMENT')} <span class="code">${id}</span></h1></div><p class="acts"><a class="btn btn-main" href="${settlementHref(name('merchantCode'), id)}">${icon('sheet')}Open the settlement</a></p>`,
  }
}

const DONE: Readonly<Record<string, string>> = {
  held: 'The payment is on hold. Nothing leaves until another operator releases it.',
  cancelled: 'Cancelled: the money is back with the merchant.',
}

/** What follows a release depends on where the payment was stopped. */
const releasedText = ({ process: { status, processorStatus } }: Shown): string =>
  status === 'CREATED' && processorStatus === 'AWAITING_APPROVAL'
    ? 'Released: the payment needs approval, as before.'
    : 'Released.'

function doneNote({ query }: Visit, payment: Shown): Html | undefined {
  const done = query.get('done') ?? ''
  const says = done === 'released' ? releasedText(payment) : DONE[done]
  return says === undefined ? undefined : note('good', says)
}

const ROUTES: Readonly<Record<string, string>> = { PAYIN: 'payins', PAYOUT: 'payouts', TOPUP: 'topups' }

function read({ api, name }: Visit): Promise<Shown> {
  const [kind, merchantCode, id] = [name('kind'), name('merchantCode'), name('idPayment')]
  const route = ROUTES[kind]
  return route === undefined
    ? api.get(pathOf`/operator/reviews/${kind}/${merchantCode}/${id}`, ReviewDetailSchema)
    : api.get(pathOf`/operator/${route}/${merchantCode}/${id}`, OperatorPaymentSchema)
}

const namesOf = ({ name }: Visit): PaymentNames => ({
  kind: name('kind'),
  merchantCode: name('merchantCode'),
  idPayment: name('idPayment'),
})

function hero(visit: Visit, payment: Shown): Html {
  const { money: asked, process, idPayment, kind, merchantCode } = payment
  const desk = ownMerchantOf(visit) === undefined ? deskHrefOf(payment) : undefined
  const acts =
    desk !== undefined &&
    html`<div class="acts"><a class="btn" href="${desk}">${icon('user')}Open it in its queue</a></div>`
  return html`<div class="hero" data-live-part="hero"><div><h1 class="hero-sum">${moneyHtml(asked)}<span class="vh">, ${kindWords(kind).toLowerCase()} ${idPayment}</span></h1><p class="hero-line">${statusChip(process.status, process.processorStatus)}<span class="code">${idPayment}</span>${copyButton('the payment id', idPayment)}<span>${kindWords(kind)} of ${merchantCode}</span>${process.isTest && html`<span>Test</span>`}</p></div>${acts}</div>`
}

function factsOf(payment: Shown): Html {
  const { process, reference } = payment
  const list: [string, HtmlValue][] = [
    ['Method', wordsOf(payment.paymentMethodCode)],
    ['Created, UTC', momentHtml(process.createdAt)],
  ]
  if (process.processedAt !== undefined) list.push(['Ended, UTC', momentHtml(process.processedAt)])
  list.push(['Phase', wordsOf(process.processorStatus)])
  list.push([
    'Reference',
    html`<span class="code">${reference}</span> ${copyButton('the reference', reference)}`,
  ])
  const idCustomer = 'expireAt' in payment ? payment.idCustomer : undefined
  if (idCustomer !== undefined) list.push(['Customer', html`<span class="code">${idCustomer}</span>`])
  return facts(list)
}

function money(payment: Shown): Html {
  const { money: asked, fee, process } = payment
  const received = 'expireAt' in payment ? payment.received : undefined
  const row = (words: string, value: HtmlValue): Html =>
    html`<div class="row"><span>${words}</span>${value}</div>`
  const { failureReasons } = process
  return html`<section class="panel"><h2>Money</h2><div class="sums">${row('Requested', moneyHtml(asked))}${received !== undefined && row('Received', moneyHtml(received))}${row('Fee', moneyHtml(fee))}</div>${failureReasons !== undefined && html`<p class="panel-foot quiet">${failureReasons.message} <span class="code">${failureReasons.failureReasonCode}</span></p>`}</section>`
}

function request(payment: Shown): Html {
  const more: readonly (readonly [string, HtmlValue])[] =
    'expireAt' in payment
      ? [
          ...(payment.externalReference === undefined
            ? []
            : [['Payer’s reference', payment.externalReference] as const]),
          ['Open until, UTC', momentHtml(payment.expireAt)],
          ...(payment.callbackUrl === undefined ? [] : [['Callback', payment.callbackUrl] as const]),
          ...(payment.returnUrl === undefined ? [] : [['Return', payment.returnUrl] as const]),
        ]
      : []
  const { submittedAt, paymentOperatorCode } = payment
  return html`<section class="panel"><h2>Request</h2><div class="panel-body">${pairs([
    payment.rail === undefined ? undefined : ['Rail', payment.rail],
    paymentOperatorCode === undefined ? undefined : ['Bank or wallet', paymentOperatorCode],
    submittedAt === undefined ? undefined : ['Handed over, UTC', momentHtml(submittedAt)],
    ...more,
  ])}</div></section>`
}

const OUTGOING: ReadonlySet<string> = new Set(['PAYOUT', 'SETTLEMENT'])

/** Stopping an outgoing payment, and what follows; only what can be done is shown. */
function holding(visit: Visit, { kind, process, submittedAt }: Shown): Html | undefined {
  if (!OUTGOING.has(kind) || process.status !== 'CREATED') return undefined
  const isHeld = process.processorStatus === 'ON_HOLD'
  const isHere = submittedAt === undefined
  if (isHeld && visit.may('payments.release'))
    return holdPanel(visit, 'On hold', [
      ['release', 'Release', 'btn-main'],
      ['cancel', 'Cancel the payment', 'btn-bad'],
    ])
  if (!isHeld && isHere && visit.may('payments.hold'))
    return holdPanel(visit, 'Stop this payment', [['hold', 'Put on hold', '']])
  return undefined
}

function holdPanel(
  { path, formToken, refused, search }: Visit,
  title: string,
  buttons: readonly (readonly [verb: string, words: string, style: string])[],
): Html {
  const hint =
    buttons.length > 1
      ? 'Another operator than the one who stopped it releases it. The merchant reads why it was cancelled.'
      : 'As long as no institution has it. Its money stays reserved.'
  return html`<section class="panel"><h2>${title}</h2><form class="panel-body" method="post">${formToken}<label class="field"><span>Reason</span><input class="input" name="reason" required maxlength="250" autocomplete="off" value="${refused?.form.get('reason') ?? ''}"><small>${hint}</small></label><p class="acts section-s">${buttons.map(([verb, words, style]) => html`<button class="btn ${style}" formaction="${path}/${verb}${search}">${words}</button>`)}</p></form></section>`
}

function holdAct(permission: Act['permission'], operation: string, done: string): Act {
  return {
    permission,
    async perform({ api, name }, form) {
      const path = pathOf`/operator/payments/${name('kind')}/${name('merchantCode')}/${name('idPayment')}`
      await api.post(`${path}/${operation}`, OperatorPayoutSchema, {
        body: { reason: form.get('reason') ?? '' },
      })
      return done
    },
  }
}
