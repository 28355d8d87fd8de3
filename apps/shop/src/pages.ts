import type { Payin, PaymentOption } from '@tollgate/sdk'
import { GOODS, type Good, type Order, SCENARIOS } from './orders.ts'

// The shop's pages. Whatever is not ours is escaped: `${…}` in `html` is text unless it is html itself.

type Html = { readonly html: string }
type Piece = Html | string | undefined | readonly Html[]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function write(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string') return piece.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
  return 'html' in piece ? piece.html : piece.map(write).join('')
}

const html = (texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html => ({
  html: texts.map((text, index) => text + write(pieces[index])).join(''),
})

export const PAGE_STYLE = `*{box-sizing:border-box}body{font:1rem/1.5 system-ui,sans-serif;max-inline-size:40rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
h1{font-size:1.5rem}h2{font-size:1.125rem;margin:0}section{border:1px solid #8888;border-radius:.625rem;padding:1rem;margin-block:1rem}ul{padding:0;list-style:none}
label{display:grid;margin-block:.5rem}button,select{font:inherit;padding:.625rem .75rem;border-radius:.5rem;border:1px solid #888;inline-size:100%}
button{background:#2b4bd0;color:#fff;border-color:#2b4bd0;font-weight:600;cursor:pointer}li{margin-block:.5rem}p:last-child{margin-block-end:0}
dt{opacity:.8}dd{margin:0 0 .5rem;font-weight:600;overflow-wrap:anywhere}td,th{padding:.25rem .75rem .25rem 0;text-align:start;vertical-align:top;overflow-wrap:anywhere}`

function page(title: string, content: Html, refreshSeconds?: number): string {
  const refresh = refreshSeconds && html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${refresh || ''}
${{ html: `<style>${PAGE_STYLE}</style>` }}</head><body><main><h1>${title}</h1>${content}</main></body></html>`
    .html
}

const scenarios = Object.entries(SCENARIOS).map(
  ([number, text]) => html`<option value="${number}">${number}. ${text}</option>`,
)

export const goodsPage = (): string =>
  page(
    'Demo Shop',
    html`<p>A shop for trying Tollgate. No money moves. Its source is <code>apps/shop</code>: copy it.</p>
${GOODS.map(
  ({ id, name, price }) => html`<section><h2>${name}, €${price}</h2>
<form method="post" action="/orders"><input type="hidden" name="good" value="${id}">
<label>How it is paid <select name="scenario">${scenarios}</select></label> <button>Buy on the payment page</button></form>
<p><a href="/forms/${id}">Buy by the shop’s own form</a></p></section>`,
)}`,
  )

/** The methods that the gateway offers for this money, each with its banks: one press pays. */
export const formPage = ({ id, name, price }: Good, options: readonly PaymentOption[]): string =>
  page(
    `${name}, €${price}`,
    html`<p>What the gateway offers for this amount:</p><ul>${options.flatMap((option) =>
      (option.paymentOperators.length > 0 ? option.paymentOperators : [{ code: '', name: '' }]).map(
        (operator) => html`<li><form method="post" action="/forms/${id}">
<input type="hidden" name="method" value="${option.paymentMethodCode}"><input type="hidden" name="operator" value="${operator.code}">
<button>${option.name}${operator.name === '' ? '' : ` – ${operator.name}`}</button></form></li>`,
      ),
    )}</ul><p><a href="/">Back to the shop</a></p>`,
  )

const STATES: Readonly<Record<string, string>> = {
  SUCCESS: 'The gateway says: paid.',
  CREATED: 'The gateway says: not finished yet.',
  FAILED: 'The payment failed. Nothing was charged.',
  CANCELLED: 'The payment was cancelled.',
  EXPIRED: 'The payment has expired.',
  REVERSED: 'The money was given back.',
}

/** The order: paid when the gateway says so, whatever the address of the customer's return says. */
export function orderPage({ id, good, heard }: Order, payin: Payin | undefined): string {
  const status = payin?.process.status
  const isPaid = status === 'SUCCESS'
  const isOpen = status === undefined || status === 'CREATED'
  const says = status === undefined ? 'No payment yet.' : (STATES[status] ?? status)
  const rows = heard.map(
    (each) => html`<tr><td>${each.status}</td><td><code>${each.eventId}</code></td></tr>`,
  )
  const content = html`<dl><dt>Order</dt><dd>${id}</dd><dt>Amount</dt><dd>€${good.price}</dd></dl>
<p>${says}</p>${isOpen ? whereToPay(payin) : refunding(id, payin)}
<h2>Callbacks</h2><table><tr><th>Status when asked</th><th>Event</th></tr>${rows}</table>
<p><a href="/">Back to the shop</a></p>`
  return page(
    isPaid ? 'Thank you for your order' : `Your order: ${good.name}`,
    content,
    isPaid && heard.length > 0 ? undefined : REFRESH_SECONDS,
  )
}

const REFRESH_SECONDS = 3

/** What the shop does for a customer who sends the mug back. */
function refunding(id: string, payin: Payin | undefined): Html | undefined {
  const refunded = payin?.paymentRefunded?.money
  if (refunded !== undefined) return html`<p>Refunded: ${refunded.amount} ${refunded.currencyCode}.</p>`
  return payin?.process.status === 'SUCCESS'
    ? html`<form method="post" action="/refunds/${id}"><button>Refund</button></form>`
    : undefined
}

function whereToPay(payin: Payin | undefined): Html | undefined {
  const { account, reference, redirectUrl } = payin?.paymentMethodResponse ?? {}
  if (account === undefined || redirectUrl !== undefined) return undefined
  return html`<h2>Where to pay to</h2><dl><dt>Payee</dt><dd>${account.accountName}</dd><dt>Account</dt><dd>${account.accountNumber}</dd>
<dt>Reference</dt><dd>${reference}</dd></dl>`
}

export const troublePage = (title: string, text: string): string =>
  page(title, html`<p>${text}</p><p><a href="/">Back to the shop</a></p>`)
