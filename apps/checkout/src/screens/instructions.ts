import { parseAmount, subtractAmounts } from '@tollgate/money'
import { groupIban } from '../formats/index.ts'
import { type Html, html } from '../html.ts'
import type { Payin } from '../records.ts'
import { copyButton, leaveLink, notice, qrPlate, quietLink, type RowOf, rows } from './parts.ts'
import { amountText, momentText, moneyText, type Page, plainAmount, type View } from './view.ts'

// Where to pay to: a code to scan, an app to open, or a transfer by hand.

export interface Instructing {
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
${leaveLink(view, true)}`,
    step: 'pay',
    live,
    refreshSeconds: 20,
  }
}

/** Deadline, code, app and table. */
export function whereToPay(view: View, payin: Payin): Html {
  const { qr } = payin.paymentMethodResponse
  return html`${deadline(view, payin)}
${qr && codeSection(view, payin, qr)}
${table(view, payin)}`
}

/** The absolute time, always; the clock is the script's. */
function deadline(view: View, { paymentMethodResponse: { expireAt, acceptedAt } }: Payin): Html {
  const { say, template } = view.texts
  const totalSeconds = Math.max(0, Math.round((Date.parse(expireAt) - Date.parse(acceptedAt)) / 1000))
  return html`<p class="deadline" data-enhance="countdown" data-deadline="${expireAt}" data-server-now="${new Date(view.nowMs).toISOString()}" data-total-seconds="${totalSeconds}" data-countdown-left="${template('countdown.minutes')}" data-countdown-over="${say('countdown.over')}"><time datetime="${expireAt}">${say('deadline.payBefore', { moment: momentText(view, expireAt) })}</time> <span class="clock" data-countdown-clock aria-hidden="true" hidden></span></p>`
}

function codeSection(view: View, payin: Payin, { content }: { readonly content: string }): Html {
  const { say } = view.texts
  const { account, reference, deepLinks = [] } = payin.paymentMethodResponse
  const label = say('code.label', { amount: amountText(view), payee: account?.accountName ?? '', reference })
  const links = deepLinks.filter(isAppLink)
  return html`<section class="stack">
${links.map((href) => html`<p class="phone-only"><a class="button" href="${href}" data-enhance="app-link" data-app-hint="no-app">${say('code.openApp')}</a></p>`)}
<p class="notice" id="no-app" hidden>${say('code.noApp')}</p>
${qrPlate(view, content, label)}
<ol class="desktop-only"><li>${say('code.step1')}</li><li>${say('code.step2')}</li><li>${say('code.step3')}</li></ol>
<details class="details"><summary>${say('code.paymentCode')}</summary><p class="ltr" id="payment-code"><bdi dir="ltr">${content}</bdi></p>${copyButton(view, { label: say('code.paymentCode'), value: content, from: 'payment-code' })}</details>
</section>`
}

/** Schemes of banking apps: never a script, a document or a file. */
const isAppLink = (href: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(href) && !/^(?:javascript|data|vbscript|file|blob|about):/i.test(href)

function table(view: View, payin: Payin): Html {
  const { say } = view.texts
  const { account, reference } = payin.paymentMethodResponse
  const { money } = payin.paymentRequested
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
      label: say('transfer.amount'),
      shown: moneyText(view, money),
      copied: plainAmount(money),
    },
    {
      id: 'reference',
      label: say('transfer.reference'),
      shown: reference,
      copied: reference,
      isCode: true,
      isKey: true,
      rule: say('transfer.referenceRule'),
    },
  ]
  return html`<section><h2>${say('transfer.details')}</h2>${rows(view, items)}</section>`
}

function accountRow({ texts: { say } }: View, payin: Payin, number: string): RowOf {
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(number)
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
  const { say } = view.texts
  const { money } = payin.paymentRequested
  const received = payin.paymentReceived?.money
  const rest = received && restOf(money.amount, received.amount)
  const content = html`${received && notice('warning', html`<p>${say('partial.text', { received: moneyText(view, received), amount: moneyText(view, money) })}</p>`)}
${rest !== undefined && html`<p>${say('partial.rest', { rest: moneyText(view, { ...money, amount: rest }) })}</p>`}
${table(view, payin)}
<p>${say('paid.contact')}</p>
${leaveLink(view, true)}`
  return { heading: say('partial.title'), content, step: 'pay', live, refreshSeconds: 20, icon: 'wait' }
}

function restOf(asked: string, received: string): string | undefined {
  const whole = parseAmount(asked)
  const part = parseAmount(received)
  if (whole === undefined || part === undefined) return undefined
  const rest = subtractAmounts(whole, part)
  return rest.startsWith('-') || rest === '0' ? undefined : rest
}
