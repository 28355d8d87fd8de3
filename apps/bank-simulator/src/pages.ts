import { CURRENCIES_ISO_4217, fromMinorUnits } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import type { ProtocolMoney } from '@tollgate/rail-protocol'
import { type Html, html } from '@tollgate/runtime/html'
import { isOver } from './bank.ts'
import type { Payment } from './books.ts'
import { COIN_DECIMALS, TOKEN_DECIMALS } from './test-chain.ts'

// The pages of the customer's bank. Plain HTML that needs no JavaScript; all of it works by links and forms.

/** One style sheet for all pages, served beside them. Narrow screens first. */
export const STYLE = `
:root { color-scheme: light dark; --line: #767676; --strong: #0b5; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.simulator { margin: 0; padding: .5rem 1rem; background: #ffdd57; color: #1a1a1a; font-weight: 600; }
main { max-width: 32rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.375rem; line-height: 1.25; }
dt { font-size: .875rem; }
dd { margin: 0 0 .75rem; font-weight: 600; }
dd.amount { font-size: 1.5rem; }
label { display: block; margin-bottom: .25rem; }
input { width: 100%; padding: .625rem; font: inherit; border: 1px solid var(--line); border-radius: .25rem; }
button, .button { display: block; width: 100%; min-height: 2.75rem; margin-top: .75rem; padding: .5rem 1rem;
  font: inherit; text-align: center; text-decoration: none; border: 1px solid var(--line); border-radius: .25rem;
  background: transparent; color: inherit; cursor: pointer; }
button.main { background: #1d4ed8; border-color: #1d4ed8; color: #fff; font-weight: 600; }
:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
.wrong { padding: .5rem .75rem; border-left: .25rem solid #c81e1e; }
`

interface Page {
  readonly title: string
  readonly content: Html
  /** The page is asked for anew after so long, at this address. */
  readonly refresh?: { readonly seconds: number; readonly path: string }
}

/** A whole page. */
function page({ title, content, refresh }: Page): string {
  const again = refresh && html`<meta http-equiv="refresh" content="${refresh.seconds}; url=${refresh.path}">`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${again}
<title>${title} – Bank simulator</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<p class="simulator">Bank simulator: no real money moves here.</p>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text
}

const WAIT_SECONDS = 2

/** The gateway's hand-over has not arrived yet. */
export function momentPage(path: string): string {
  return page({
    title: 'Just a moment',
    content: html`<p role="status">Your payment is on its way to the bank. This page looks again by itself.</p>
<p><a class="button" href="${path}">Look now</a></p>`,
    refresh: { seconds: WAIT_SECONDS, path },
  })
}

/** There is no such payment, or none that a customer pays. */
export function missingPage(): string {
  return page({
    title: 'No such payment',
    content: html`<p>The bank knows no payment under this address. Go back to the shop and try again from there.</p>`,
  })
}

/** The request was not one that these pages send. */
export function refusedPage(why: string): string {
  return page({ title: 'This did not work', content: html`<p>${why}</p>` })
}

/** A customer's name at the bank: anything that is printable and not endless. */
export const USER_NAME_LENGTH_MAX = 70

/** Asks who is there. Any name will do. `isWrong` after a name that cannot be one. */
export function loginPage(payment: Payment, isWrong: boolean): string {
  const { reference } = payment.request
  const wrong = html`<p class="wrong" id="wrong" role="alert">Enter a name of at most ${USER_NAME_LENGTH_MAX} characters.</p>`
  const described = html` aria-invalid="true" aria-describedby="wrong"`
  return page({
    title: 'Log in to your bank',
    content: html`${isWrong ? wrong : undefined}
<p>Any name will do, and there is no password.</p>
<form method="get" action="/pay/${reference}">
<label for="userName">User name</label>
<input id="userName" name="userName" autocomplete="username" required maxlength="${USER_NAME_LENGTH_MAX}"${isWrong ? described : undefined}>
<button class="main">Log in</button>
</form>
${leave(payment)}`,
  })
}

/** What is to be paid, and the choice. */
export function paymentPage(payment: Payment, userName: string): string {
  const { reference } = payment.request
  const form = (
    choice: string,
    button: Html,
  ): Html => html`<form method="post" action="/pay/${reference}/${choice}">
<input type="hidden" name="userName" value="${userName}">
${button}
</form>`
  return page({
    title: 'Approve this payment?',
    content: html`<p>You are logged in as ${userName}.</p>
${details(payment)}
${form('approve', html`<button class="main">Approve ${moneyText(payment.request.money)}</button>`)}
${form('decline', html`<button>Decline</button>`)}
${leave(payment)}`,
  })
}

/** How it ended, or that there is nothing more to choose. */
export function outcomePage(payment: Payment, nowMs: number): string {
  const { title, sentence } = outcomeOf(payment, nowMs)
  return page({
    title,
    content: html`<p role="status">${sentence}</p>
${details(payment)}
${leave(payment)}`,
  })
}

interface Outcome {
  readonly title: string
  readonly sentence: string
}

function outcomeOf(payment: Payment, nowMs: number): Outcome {
  switch (payment.status) {
    case 'SUCCEEDED':
      return { title: 'Paid', sentence: 'The payment was made.' }
    case 'FAILED':
      return { title: 'Declined', sentence: 'The payment was declined. No money has moved.' }
    case 'CANCELLED':
      return { title: 'Cancelled', sentence: 'The shop cancelled the payment. No money has moved.' }
    case 'RETURNED':
      return { title: 'Returned', sentence: 'The payment was made, and the money came back.' }
    case 'PENDING':
      return pendingOutcome(payment, nowMs)
  }
}

function pendingOutcome(payment: Payment, nowMs: number): Outcome {
  if (payment.choice === 'APPROVED')
    return { title: 'Approved', sentence: 'You approved the payment. The bank has not executed it yet.' }
  if (payment.choice === 'DECLINED')
    return { title: 'Declined', sentence: 'You declined the payment. The bank has not told the shop yet.' }
  return isOver(payment, nowMs)
    ? { title: 'Expired', sentence: 'The payment has expired. No money has moved.' }
    : { title: 'Open', sentence: 'Nothing has been decided yet.' }
}

function details({ request, institutionReference }: Payment): Html {
  return html`<dl>
<dt>To</dt><dd>${request.merchantCode}</dd>
<dt>Amount</dt><dd class="amount">${moneyText(request.money)}</dd>
<dt>Reference</dt><dd>${request.reference}</dd>
<dt>The bank’s reference</dt><dd>${institutionReference}</dd>
</dl>`
}

/** The way back, which is the one that the gateway named. That it is an http address was checked at the hand-over. */
function leave({ request: { returnUrl } }: Payment): Html {
  if (returnUrl === undefined) return html`<p>You may close this page.</p>`
  return html`<p><a class="button" href="${returnUrl}" rel="noreferrer">Back to the shop</a></p>`
}

interface WalletView {
  readonly link: string
  readonly token: string
  readonly to: string
  readonly units: bigint
  readonly currency: string
  /** Something was paid just now. */
  readonly isSent: boolean
}

/** The sandbox's wallet: what the link asks for, and what its payer may do. */
export function walletPage({ link, token, to, units, currency, isSent }: WalletView): string {
  const decimals = token === EVM_COIN ? COIN_DECIMALS : TOKEN_DECIMALS
  const amount = (of: bigint): string => `${fromMinorUnits(of, decimals)} ${currency}`
  const button = (choice: string, words: string): Html =>
    html`<button name="choice" value="${choice}"${choice === 'exact' && html` class="main"`}>${words}</button>`
  return page({
    title: isSent ? 'Sent' : `Send ${amount(units)}?`,
    content: html`${isSent && html`<p role="status">It is in the next block of the test chain, in two seconds at most. Go back to the page of the payment.</p>`}
<dl><dt>To</dt><dd>${to}</dd><dt>Amount</dt><dd class="amount">${amount(units)}</dd><dt>Network</dt><dd>Test chain</dd></dl>
<form method="post" action="/wallet">
<input type="hidden" name="link" value="${link}">
<input type="hidden" name="currency" value="${currency}">
${button('exact', isSent ? `Send ${amount(units)} again` : `Send ${amount(units)}`)}
${button('less', `Send half: ${amount(units / 2n)}`)}
${button('more', `Send too much: ${amount(units + units / 2n)}`)}
${button('twice', 'Send it twice')}
</form>`,
  })
}

/** Currencies outside of ISO 4217 are shown as they come. */
const DECIMALS_UNKNOWN = 0

/** `149.90 EUR`: with all the decimals of the currency. */
function moneyText({ amount, currencyCode }: ProtocolMoney): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const decimals = CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? DECIMALS_UNKNOWN
  const padded = fraction.padEnd(decimals, '0')
  return `${padded === '' ? whole : `${whole}.${padded}`} ${currencyCode}`
}
