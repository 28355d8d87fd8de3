import { looksLikeIban } from '@tollgate/payment-codes/iban'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { groupIban } from '../formats/index.ts'
import type { Payin } from '../records.ts'
import {
  contact,
  copyButton,
  fold,
  leaveLink,
  live,
  methodName,
  notice,
  onPhone,
  qrPlate,
  quietLink,
  type RowOf,
  returnButton,
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
  const { payin, live: state } = instructing
  return {
    heading: isTransfer(payin) ? say('transfer.title') : say('confirm.with', { method: wayOf(view, payin) }),
    tab: say('title.pay', { amount: amountText(view) }),
    content: html`${lead(view, payin)}
${whereToPay(view, payin)}
${waiting(view, instructing)}
<div class="folds">${fold(say('transfer.lateTitle'), html`<p>${say('transfer.late')}</p>`)}
${onPhone(view, say('waitFor.phone'))}</div>
<div class="links"><button type="button" class="link" data-enhance="print" hidden>${say('transfer.save')}</button>${leaveLink(view, true)}</div>`,
    live: state,
    refreshSeconds: 20,
  }
}

/** Paid from a wallet of coins. */
const isOfCoins = ({ paymentMethodResponse: { wallet, paymentMethodCode } }: Payin): boolean =>
  wallet !== undefined || paymentMethodCode === 'CRYPTO'

/** The customer writes the details: a code has them inside, and who sends coins cannot write anything. */
const isWritten = (payin: Payin): boolean =>
  payin.paymentMethodResponse.account !== undefined && !isOfCoins(payin)

/** A bank transfer, whatever it is called; all else is known by the name of the method. */
const isTransfer = (payin: Payin): boolean =>
  isWritten(payin) && payin.paymentMethodResponse.paymentMethodCode.includes('TRANSFER')

/** The method; for coins on a chain, which and where. */
function wayOf(view: View, { paymentMethodResponse, paymentRequested }: Payin): string {
  const { wallet, paymentMethodCode } = paymentMethodResponse
  if (wallet === undefined) return methodName(view, paymentMethodCode, undefined)
  return `${paymentRequested.money.currencyCode} (${wallet.network})`
}

/** What to do, for the device in hand: nobody can scan the screen of the phone that they hold. */
function lead({ texts: { say } }: View, payin: Payin): Html {
  const { qr, deepLinks = [] } = payin.paymentMethodResponse
  const hasApp = deepLinks.some(isAppLink)
  if (isOfCoins(payin)) return html`<p class="lead">${say('code.leadWallet')}</p>`
  if (qr !== undefined && PASTED_FORMATS.has(qr.format))
    return html`<p class="lead">${say('code.copyHint')}</p>`
  if (qr !== undefined && !isTransfer(payin))
    return html`<p class="lead">${say(hasApp ? 'code.leadApp' : 'code.lead')}</p>`
  if (qr === undefined) return html`<p class="lead">${say('transfer.lead')}</p>`
  return html`<p class="lead phone-only">${say(hasApp ? 'transfer.leadApp' : 'transfer.lead')}</p><p class="lead desktop-only">${say('transfer.leadScan')}</p>`
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
  const { qr } = due
  return html`${deadline(view, payin)}
${qr && appLinks(view, payin, due)}
<div class="pay">${table(view, payin, due)}${qr && codeSection(view, payin, { ...due, ...qr })}</div>`
}

/** The absolute time, always; the clock is the script's. */
function deadline(view: View, { paymentMethodResponse: { expireAt, acceptedAt } }: Payin): Html {
  const { say, template } = view.texts
  const totalSeconds = Math.max(0, Math.round((Date.parse(expireAt) - Date.parse(acceptedAt)) / 1000))
  return html`<p class="deadline" data-enhance="countdown" data-deadline="${expireAt}" data-server-now="${new Date(view.nowMs).toISOString()}" data-total-seconds="${totalSeconds}" data-countdown-left="${template('countdown.minutes')}" data-countdown-over="${say('countdown.over')}">${sayAround(view, 'deadline.payBefore', 'moment', momentTag(view, expireAt))} <span class="clock" data-countdown-clock aria-hidden="true" hidden></span></p>`
}

function appLinks(view: View, payin: Payin, { qr, deepLinks = [] }: Due): Html {
  const { say } = view.texts
  const isWallet = isOfCoins(payin)
  const links = deepLinks.filter(isAppLink)
  const isPasted = qr !== undefined && PASTED_FORMATS.has(qr.format)
  const copy = { label: say('code.paymentCode'), value: qr?.content ?? '', from: 'payment-code' }
  return html`${isPasted && html`<p class="actions">${copyButton(view, copy, { text: say('code.copyCode'), kind: 'button' })}</p>`}
${links.map((href) => html`<p${!isPage(href) && html` class="phone-only"`}><a class="button" href="${href}" data-enhance="app-link" data-app-hint="no-app">${say(isWallet ? 'code.openWallet' : 'code.openApp')}</a></p>`)}
<p class="notice" id="no-app" hidden>${say('code.noApp')}</p>`
}

function codeSection(
  view: View,
  payin: Payin,
  { content, format, money }: Due & { readonly content: string; readonly format: string },
): Html {
  const { say } = view.texts
  const { account, reference } = payin.paymentMethodResponse
  const amount = moneyText(view, money)
  const label = say('code.label', { amount, payee: account?.accountName ?? view.shop?.name ?? '', reference })
  const isPasted = PASTED_FORMATS.has(format)
  const copy = { label: say('code.paymentCode'), value: content, from: 'payment-code' }
  return html`<div class="pay__code">${qrPlate(view, content, label)}
<details class="fold"${attributes({ open: isPasted })}><summary>${say('code.paymentCode')}</summary><div class="fold__content"><p class="ltr code" id="payment-code"><bdi dir="ltr">${content}</bdi></p>${!isPasted && copyButton(view, copy, { text: say('code.copyCode'), kind: 'button button--quiet' })}</div></details></div>`
}

/** Codes that people paste into their app: nobody can scan the screen of the phone they hold. */
const PASTED_FORMATS: ReadonlySet<string> = new Set(['PIX'])

/** A page can be opened on any device. */
const isPage = (href: string): boolean => /^https?:/i.test(href)

/** Schemes of banking apps: never a script, a document or a file. */
const isAppLink = (href: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(href) && !/^(?:javascript|data|vbscript|file|blob|about):/i.test(href)

/** What is copied first stands first; bank and bank code, which few apps ask for, are folded. */
function table(view: View, payin: Payin, due: Due): Html {
  const { say } = view.texts
  const { account, wallet } = payin.paymentMethodResponse
  const { money } = due
  const row = (id: string, label: string, shown: string | undefined, isCode = false): RowOf | undefined =>
    shown === undefined || shown === '' ? undefined : { id, label, shown, copied: shown, isCode }
  const items: readonly (RowOf | undefined)[] = [
    wallet && networkRow(view, wallet, money),
    wallet && accountRow(view, payin, wallet.address),
    account && accountRow(view, payin, account.accountNumber),
    isOfCoins(payin) ? undefined : referenceRow(view, payin),
    { id: 'amount', label: due.label, shown: moneyText(view, money), copied: plainAmount(money) },
    row('payee', say('transfer.payee'), account?.accountName),
  ]
  const bank = [
    row('bank', say('transfer.bank'), account?.bankName),
    row('bank-code', say('transfer.bankCode'), account?.bankCode, true),
  ].filter((each) => each !== undefined)
  const folded = bank.length > 0 && !isOfCoins(payin) && fold(say('transfer.bankTitle'), rows(view, bank))
  return html`<section class="pay__rows"><h2 class="visually-hidden">${say('transfer.details')}</h2>${rows(view, items)}${folded}</section>`
}

function referenceRow({ texts: { say } }: View, payin: Payin): RowOf {
  const { reference } = payin.paymentMethodResponse
  return {
    id: 'reference',
    label: say('transfer.reference'),
    shown: reference,
    copied: reference,
    isCode: true,
    ...(isWritten(payin) && { isKey: true, rule: say('transfer.referenceRule') }),
  }
}

/** What is sent elsewhere arrives where nobody looks. */
function networkRow(
  { texts: { say } }: View,
  { network }: { readonly network: string },
  { currencyCode }: WrittenMoney,
): RowOf {
  return {
    id: 'network',
    label: say('wallet.network'),
    shown: network,
    copied: network,
    isKey: true,
    rule: say('wallet.only', { network, currency: currencyCode }),
  }
}

function accountRow({ texts: { say } }: View, payin: Payin, number: string): RowOf {
  const isIban = looksLikeIban(number)
  const isAddress = isOfCoins(payin)
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
  return live(
    say('waitFor.title'),
    html`<p>${say('waitFor.text')}</p><noscript><p>${say('waitFor.textNoScript')}</p></noscript>${isPaying && takesReference && html`<p>${quietLink(`${view.base}?step=reference`, say('waitFor.paid'))}</p>`}`,
  )
}

/** Money came, but not the money that was asked for. */
export function partial(view: View, { payin, live: state }: Instructing): Page {
  const { arrived } = payin
  const asked = payin.paymentRequested.money
  const { say } = view.texts
  const isMore = arrived !== undefined && isAtLeast(arrived.money, asked)
  const content = html`${arrived && notice('warning', isMore ? saysMore(view, arrived.money, asked) : saysPart(view, arrived.money, asked))}
${!isMore && (arrived?.rest === undefined ? contact(view) : rest(view, payin, arrived.rest))}
<p class="actions">${returnButton(view, false)}</p>`
  const isOver = isMore && !isAtLeast(asked, arrived.money)
  const heading = say(isOver ? 'partial.overTitle' : isMore ? 'waiting.title' : 'partial.title')
  return { heading, content, live: state, refreshSeconds: 20, icon: 'wait' }
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
  const text = say(isOfCoins(payin) ? 'partial.restOfCoins' : 'partial.rest', {
    rest: moneyText(view, money),
  })
  return html`<p><strong>${text}</strong></p>
${howToPay(view, payin, due)}`
}
