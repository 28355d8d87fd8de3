import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { MessageKey } from '../messages/index.ts'
import type { Payin } from '../records.ts'
import { sign } from './icons.ts'
import { contact, fold, keep, notice, quietLink, returnButton, rows } from './parts.ts'
import { thanks } from './reference.ts'
import {
  amountText,
  isAtLeast,
  momentTag,
  moneyText,
  type Page,
  sayAround,
  type View,
  type WrittenMoney,
} from './view.ts'

// How a payment ended: did I pay, is my money safe, what now.

interface Ending {
  readonly payin: Payin
  readonly live: string
  readonly takesReference: boolean
}

export function paid(view: View, ending: Ending): Page {
  const { say } = view.texts
  const { payin, live } = ending
  const amount = moneyText(view, receivedOf(payin))
  const share = html`<button type="button" class="link"${attributes({ 'data-enhance': 'share', 'data-share-title': say('receipt.shareTitle', { amount }), 'data-share-text': say('receipt.shareText', { amount, order: view.idPayin ?? '' }), hidden: true })}>${say('common.share')}</button>`
  const isRefunded = isWholly(payin)
  const content = html`${howItWent(view, payin)}
<p class="actions">${returnButton(view, true)}</p>
${returnsByItself(view)}
${receipt(view, ending)}
${keep(view, share)}`
  return {
    heading: say(isRefunded ? 'refunded.title' : 'paid.title'),
    ...(!isRefunded && { tab: say('title.paid', { amount }) }),
    content,
    live,
    icon: isRefunded ? 'back' : 'good',
  }
}

/** The shop gave back all that it received. */
const isWholly = ({ paymentRefunded, ...payin }: Payin): boolean =>
  paymentRefunded !== undefined && isAtLeast(paymentRefunded.money, receivedOf(payin))

const receivedOf = ({
  paymentReceived,
  paymentRequested,
}: Pick<Payin, 'paymentReceived' | 'paymentRequested'>): WrittenMoney =>
  paymentReceived?.money ?? paymentRequested.money

/** As it should; or given back; or late, or another amount, which the shop has to put in order. */
function howItWent(view: View, payin: Payin): Html {
  const { say } = view.texts
  const { process, paymentRefunded, paymentRequested } = payin
  const amount = moneyText(view, paymentRequested.money)
  const received = moneyText(view, receivedOf(payin))
  if (paymentRefunded !== undefined) {
    const args = { refunded: moneyText(view, paymentRefunded.money), amount: received }
    return html`<p class="lead">${say(isWholly(payin) ? 'refunded.text' : 'refunded.part', args)}</p>${contact(view)}`
  }
  if (received !== amount)
    return html`${notice('warning', html`<p>${say('paid.different', { received, amount })}</p>`)}${contact(view)}`
  if (process.processorStatus === 'CONFIRMED_LATE')
    return html`${notice('warning', html`<p>${say('paid.late')}</p>`)}${contact(view)}`
  return html`<p class="lead">${say('paid.text')}</p>`
}

function returnsByItself(view: View): Html | undefined {
  if (view.returnUrl === undefined || view.mode === 'STATUS') return undefined
  const { say, template } = view.texts
  return html`<p data-enhance="proceed" data-proceed-link="return" data-proceed-seconds="10" data-proceed-text="${template('proceed.returning')}" hidden><span data-proceed-count></span> <button type="button" class="link" data-proceed-stop>${say('common.stay')}</button></p>`
}

/** What the frame does not say already: it has the method and the order. */
function receipt(view: View, { payin }: Ending): Html {
  const { say } = view.texts
  // Of money that came late, the end of the payment is not when it was paid.
  const paidAt = payin.timeline?.find(({ status }) => status === 'SUCCESS')?.happenedAt
  const at = paidAt ?? payin.process.processedAt
  const { reference } = payin.paymentMethodResponse
  const payee = view.shop?.name
  const list = rows(view, [
    payee === undefined ? undefined : { id: 'payee', label: say('receipt.payee'), shown: payee },
    {
      id: 'amount',
      label: say('receipt.amount'),
      shown: moneyText(view, receivedOf(payin)),
    },
    payin.paymentRefunded && {
      id: 'refunded',
      label: say('receipt.refunded'),
      shown: moneyText(view, payin.paymentRefunded.money),
    },
    at === undefined ? undefined : { id: 'moment', label: say('receipt.moment'), shown: momentTag(view, at) },
    { id: 'reference', label: say('receipt.reference'), shown: reference, copied: reference, isCode: true },
    payin.externalReference === undefined
      ? undefined
      : {
          id: 'bank-reference',
          label: say('receipt.bankReference'),
          shown: payin.externalReference,
          isCode: true,
        },
  ])
  return html`<section class="receipt"><h2>${say('receipt.title')}</h2>${list}</section>`
}

export function reversed(view: View, ending: Ending): Page {
  const { say } = view.texts
  const amount = moneyText(view, receivedOf(ending.payin))
  const content = html`<p class="lead">${say('reversed.text', { amount })}</p>${contact(view)}
${receipt(view, ending)}<p class="actions">${returnButton(view, true)}</p>
${keep(view)}`
  return { heading: say('reversed.title'), content, live: ending.live, icon: 'back' }
}

/** Days within which a bank that took money nevertheless gives it back. */
const MONEY_BACK_DAYS = 10

const REASONS: ReadonlyMap<string, MessageKey> = new Map([
  ['INSUFFICIENT_FUNDS', 'reason.funds'],
  ['DECLINED', 'reason.declined'],
  ['REJECTED', 'reason.declined'],
  ['AUTHENTICATION_FAILED', 'reason.authentication'],
  ['CANCELLED', 'reason.cancelled'],
  ['INSTITUTION_UNAVAILABLE', 'reason.bankDown'],
  ['LIMIT_EXCEEDED', 'reason.limit'],
  ['ACCOUNT_CLOSED', 'reason.account'],
  ['ACCOUNT_INVALID', 'reason.account'],
  ['TIMEOUT', 'reason.timeout'],
  ['RETURNED', 'reason.returned'],
])

/** The institution itself refused before any money moved. After anything else it may have moved. */
const WITHOUT_MONEY: ReadonlySet<MessageKey> = new Set([
  'reason.funds',
  'reason.declined',
  'reason.authentication',
  'reason.cancelled',
  'reason.limit',
  'reason.account',
])

export function failed(view: View, { payin, live }: Ending): Page {
  const { say } = view.texts
  const code = payin.process.failureReasons?.failureReasonCode ?? ''
  const content = html`<p class="lead">${say(REASONS.get(code) ?? 'reason.unknown')}${REASONS.get(code) === 'reason.declined' && html` ${say('action.askBank')}`}</p>
${whereMoneyIs(view, payin, REASONS.get(code))}
<p class="actions">${returnButton(view, true)}</p>
${keep(view)}
${code !== '' && fold(say('notPaid.support'), html`<p>${say('notPaid.code')}: <bdi class="ltr code">${code}</bdi></p>`)}`
  return {
    heading: say('notPaid.title'),
    tab: say('title.notPaid'),
    content,
    live,
    icon: 'bad',
  }
}

/** Money that is here is named; that none was taken is said only where it is known. */
function whereMoneyIs(view: View, { arrived, paymentMethodResponse }: Payin, reason?: MessageKey): Html {
  const { say } = view.texts
  if (arrived !== undefined) return arrivedInstead(view, arrived.money)
  if (reason === 'reason.returned') return html`<p>${say('notPaid.returned')}</p>`
  if (reason !== undefined && WITHOUT_MONEY.has(reason)) return safe(view)
  const { reference } = paymentMethodResponse
  return html`<p>${say('notPaid.perhaps', { count: MONEY_BACK_DAYS, reference })}</p>`
}

const safe = (view: View): Html =>
  html`<p class="safe">${sign('good')}${view.texts.say('notPaid.noMoney')}</p>`

function arrivedInstead(view: View, money: WrittenMoney): Html {
  const args = { received: moneyText(view, money), amount: amountText(view) }
  const isMore = view.money !== undefined && !isAtLeast(view.money, money)
  return html`${notice('warning', html`<p>${view.texts.say(isMore ? 'partial.other' : 'partial.text', args)}</p>`)}${contact(view)}`
}

export function cancelled(view: View, { payin, live }: Ending): Page {
  const { say } = view.texts
  const money = payin.arrived && arrivedInstead(view, payin.arrived.money)
  const content = html`${money ?? safe(view)}<p class="actions">${returnButton(view, true)}</p>
${keep(view)}`
  return {
    heading: say('cancelled.title'),
    tab: say('title.notPaid'),
    content,
    live,
    icon: 'over',
  }
}

/** Who has paid must not pay twice; who has not has lost nothing. */
export function expired(view: View, ending: Ending): Page {
  const { say } = view.texts
  const { payin, live } = ending
  const isLookedFor = payin.externalReference !== undefined || payin.process.processorStatus === 'IN_REVIEW'
  const content = html`${payin.arrived && arrivedInstead(view, payin.arrived.money)}
${isLookedFor ? lookedFor(view, ending) : notFound(view, ending)}
${keep(view)}`
  return {
    heading: say('expired.title'),
    ...(!isLookedFor && { tab: say('title.notPaid') }),
    content,
    live,
    icon: 'over',
    refreshSeconds: 120,
  }
}

const mayRefer = ({ mode }: View, { takesReference }: Ending): boolean => takesReference && mode === 'PAY'

/** A reference came late, or people look into it: nothing is to be paid again meanwhile. */
function lookedFor(view: View, ending: Ending): Html {
  const { say } = view.texts
  const { payin } = ending
  const isSent = payin.externalReference !== undefined
  return html`${isSent ? thanks(view, payin) : html`<p class="lead">${say('waiting.review')}</p>`}
<p>${say('waiting.notAgain')} ${say('waitFor.text')}</p>
<p class="actions">${isSent && mayRefer(view, ending) && quietLink(`${view.base}?step=reference`, say('reference.correct'))} ${returnButton(view, false)}</p>`
}

function notFound(view: View, ending: Ending): Html {
  const { say } = view.texts
  const canRefer = mayRefer(view, ending)
  return html`${ending.payin.arrived === undefined && html`<p class="lead">${say('expired.text')}</p>`}
<p class="actions">${returnButton(view, true)}</p>
<section class="card"><h2>${say('expired.paid')}</h2><p>${say(canRefer ? 'expired.paidText' : 'expired.paidWait')}</p>${canRefer && quietLink(`${view.base}?step=reference`, say('expired.enterReference'))}</section>`
}

/** Leave, although it is not paid? */
export function leave(view: View, { paymentMethodResponse: { expireAt } }: Payin): Page {
  const { say } = view.texts
  const go =
    view.returnUrl &&
    html`<a class="button button--quiet" href="${view.returnUrl.href}" rel="noreferrer">${say('leave.go')} (${view.returnUrl.host})</a>`
  const content = html`<p>${sayAround(view, 'leave.text', 'moment', momentTag(view, expireAt))}</p>
<p>${say('leave.paid')}</p>
<p class="actions"><a class="button" href="${view.base}">${say('leave.stay')}</a> ${go}</p>`
  return { heading: say('leave.title'), content }
}
