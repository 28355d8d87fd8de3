import { looksLikeIban } from '@tollgate/payment-codes/iban'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { groupIban } from '../formats/index.ts'
import type { Payin } from '../records.ts'
import {
  contact,
  copyButton,
  leaveLink,
  notice,
  onPhone,
  qrPlate,
  quietLink,
  type RowOf,
  rows,
} from './parts.ts'
import {
  amountText,
  isAtLeast,
  momentTag,
  moneyText,
  type Page,
  plainAmount,
  sayAround,
  type View,
  type WrittenMoney,
} from './view.ts'

// Where to pay to: a code to scan, an app to open, or a transfer by hand.

interface Instructing {
  readonly payin: Payin
  readonly live: string
  /** The customer may send a reference when the payment is made. */
  readonly takesReference: boolean
}

export function instructions(view: View, instructing: Instructing): Page {
  const { say } = view.texts
  const { payin, live } = instructing
  const hasCode = payin.paymentMethodResponse.qr !== undefined
  return {
    heading: say(hasCode ? 'code.title' : 'transfer.title', { amount: amountText(view) }),
    tab: say('title.pay', { amount: amountText(view) }),
    content: html`${whereToPay(view, payin)}
${waiting(view, instructing)}
${onPhone(view, say('waitFor.phone'))}
${leaveLink(view, true)}`,
    step: 'pay',
    live,
    refreshSeconds: 20,
  }
}

/** What is to be paid, and how it is scanned: the whole, or the rest of it. */
interface Due {
  readonly money: WrittenMoney
  readonly label: string
  readonly qr?: { readonly content: string; readonly format: string } | undefined
  readonly deepLinks?: readonly string[] | undefined
}

/** Deadline, code, app and table. */
export function whereToPay(view: View, payin: Payin): Html {
  const { qr, deepLinks } = payin.paymentMethodResponse
  const label = view.texts.say('transfer.amount')
  return howToPay(view, payin, { money: payin.paymentRequested.money, label, qr, deepLinks })
}

function howToPay(view: View, payin: Payin, due: Due): Html {
  return html`${deadline(view, payin)}
${due.qr && codeSection(view, payin, { ...due, ...due.qr })}
${table(view, payin, due)}`
}

/** The absolute time, always; the clock is the script's. */
function deadline(view: View, { paymentMethodResponse: { expireAt, acceptedAt } }: Payin): Html {
  const { say, template } = view.texts
  const totalSeconds = Math.max(0, Math.round((Date.parse(expireAt) - Date.parse(acceptedAt)) / 1000))
  return html`<p class="deadline" data-enhance="countdown" data-deadline="${expireAt}" data-server-now="${new Date(view.nowMs).toISOString()}" data-total-seconds="${totalSeconds}" data-countdown-left="${template('countdown.minutes')}" data-countdown-over="${say('countdown.over')}">${sayAround(view, 'deadline.payBefore', 'moment', momentTag(view, expireAt))} <span class="clock" data-countdown-clock aria-hidden="true" hidden></span></p>`
}

function codeSection(
  view: View,
  payin: Payin,
  { content, format, money, deepLinks = [] }: Due & { readonly content: string; readonly format: string },
): Html {
  const { say } = view.texts
  const { account, reference } = payin.paymentMethodResponse
  const amount = moneyText(view, money)
  const label = say('code.label', { amount, payee: account?.accountName ?? view.shop?.name ?? '', reference })
  const links = deepLinks.filter(isAppLink)
  return html`<section class="stack">
${links.map((href) => html`<p class="phone-only"><a class="button" href="${href}" data-enhance="app-link" data-app-hint="no-app">${say('code.openApp')}</a></p>`)}
<p class="notice" id="no-app" hidden>${say('code.noApp')}</p>
${qrPlate(view, content, label)}
<div class="desktop-only"><ol><li>${say('code.step1')}</li><li>${say('code.step2')}</li><li>${say('code.step3')}</li></ol></div>
<details class="details"${attributes({ open: PASTED_FORMATS.has(format) })}><summary>${say('code.paymentCode')}</summary><p class="ltr" id="payment-code"><bdi dir="ltr">${content}</bdi></p>${copyButton(view, { label: say('code.paymentCode'), value: content, from: 'payment-code' })}</details>
</section>`
}

/** Codes that people paste into their app: nobody can scan the screen of the phone they hold. */
const PASTED_FORMATS: ReadonlySet<string> = new Set(['PIX'])

/** Schemes of banking apps: never a script, a document or a file. */
const isAppLink = (href: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(href) && !/^(?:javascript|data|vbscript|file|blob|about):/i.test(href)

function table(view: View, payin: Payin, due: Due): Html {
  const { say } = view.texts
  const { account, reference, paymentMethodCode } = payin.paymentMethodResponse
  const { money } = due
  // A code has it inside, and who sends coins cannot write anything.
  const isWritten = account !== undefined && paymentMethodCode !== 'CRYPTO'
  const number = account && accountRow(view, payin, account.accountNumber)
  const row = (id: string, label: string, shown: string | undefined, isCode = false): RowOf | undefined =>
    shown === undefined || shown === '' ? undefined : { id, label, shown, copied: shown, isCode }
  const items: readonly (RowOf | undefined)[] = [
    row('payee', say('transfer.payee'), account?.accountName),
    number,
    row('bank', say('transfer.bank'), account?.bankName),
    row('bank-code', say('transfer.bankCode'), account?.bankCode, true),
    {
      id: 'amount',
      label: due.label,
      shown: moneyText(view, money),
      copied: plainAmount(money),
    },
    {
      id: 'reference',
      label: say('transfer.reference'),
      shown: reference,
      copied: reference,
      isCode: true,
      ...(isWritten && { isKey: true, rule: say('transfer.referenceRule') }),
    },
  ]
  return html`<section><h2>${say('transfer.details')}</h2>${rows(view, items)}</section>`
}

function accountRow({ texts: { say } }: View, payin: Payin, number: string): RowOf {
  const isIban = looksLikeIban(number)
  const isAddress = payin.paymentMethodResponse.paymentMethodCode === 'CRYPTO'
  const label = say(isIban ? 'transfer.iban' : isAddress ? 'transfer.address' : 'transfer.accountNumber')
  return {
    id: 'account-number',
    label,
    shown: isIban ? groupIban(number) : number,
    copied: number,
    isCode: true,
  }
}

function waiting(view: View, { takesReference }: Instructing): Html {
  const { say } = view.texts
  const isPaying = view.mode === 'PAY'
  return html`<section class="card"><h2>${say('waitFor.title')}</h2><p>${say('waitFor.text')}</p><noscript><p>${say('waitFor.textNoScript')}</p></noscript>
${isPaying && takesReference && quietLink(`${view.base}?step=reference`, say('waitFor.paid'))}
<p>${say('transfer.late')}</p></section>
<p><button type="button" class="button button--quiet" data-enhance="print" hidden>${say('transfer.save')}</button></p>`
}

/** Money came, but not the money that was asked for. */
export function partial(view: View, { payin, live }: Instructing): Page {
  const { arrived } = payin
  const asked = payin.paymentRequested.money
  const { say } = view.texts
  const isMore = arrived !== undefined && isAtLeast(arrived.money, asked)
  const content = html`${arrived && notice('warning', isMore ? saysMore(view, arrived.money, asked) : saysPart(view, arrived.money, asked))}
${!isMore && (arrived?.rest === undefined ? contact(view) : rest(view, payin, arrived.rest))}
${leaveLink(view, true)}`
  const isOver = isMore && !isAtLeast(asked, arrived.money)
  const heading = say(isOver ? 'partial.overTitle' : isMore ? 'waiting.title' : 'partial.title')
  return { heading, content, step: 'pay', live, refreshSeconds: 20, icon: 'wait' }
}

function saysPart(view: View, received: WrittenMoney, asked: WrittenMoney): Html {
  const args = { received: moneyText(view, received), amount: moneyText(view, asked) }
  return html`<p>${view.texts.say('partial.text', args)}</p>`
}

/** The whole in parts, or too much: people put it in order. */
function saysMore(view: View, received: WrittenMoney, asked: WrittenMoney): Html {
  const { say } = view.texts
  const args = { received: moneyText(view, received), amount: moneyText(view, asked) }
  const isSame = args.received === args.amount
  return html`${!isSame && html`<p>${say('partial.other', args)}</p>`}<p>${say('partial.nothingMore')} ${say('waiting.review')}</p>${!isSame && contact(view)}`
}

type Rest = NonNullable<NonNullable<Payin['arrived']>['rest']>

function rest(view: View, payin: Payin, { money, qr, deepLinks }: Rest): Html {
  const { say } = view.texts
  const due = { money, qr, deepLinks, label: say('partial.restLabel') }
  return html`<p><strong>${say('partial.rest', { rest: moneyText(view, money) })}</strong></p>
${howToPay(view, payin, due)}`
}
