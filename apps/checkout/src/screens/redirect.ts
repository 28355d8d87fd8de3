import { html } from '../html.ts'
import type { Payin } from '../records.ts'
import { leaveLink, qrPlate, quietLink } from './parts.ts'
import { amountText, type Page, type View } from './view.ts'

// The customer goes to the institution, and comes back.

export interface Away {
  readonly payin: Payin
  readonly redirectUrl: string
  readonly operatorName: string
  readonly live: string
}

/** The next stop is the bank. A link, and no form: nothing is sent there that is not in its address. */
export function redirect(view: View, { redirectUrl, operatorName, live }: Away): Page {
  const { say } = view.texts
  const amount = amountText(view)
  const text =
    view.shop === undefined
      ? say('redirect.textShop', { amount })
      : say('redirect.text', { amount, payee: view.shop.name })
  const content = html`<p>${text}</p>
<p class="actions"><a class="button" id="go" href="${redirectUrl}" rel="noreferrer">${say('redirect.go', { operator: operatorName })}</a></p>
<p class="hint phone-only">${say('redirect.opensApp')}</p>
<p data-enhance="proceed" data-proceed-link="go" data-proceed-seconds="5" data-proceed-text="${view.texts.template('proceed.continuing')}" hidden><span data-proceed-count></span> <button type="button" class="link" data-proceed-stop>${say('common.stop')}</button></p>
<section class="card desktop-only"><h2>${say('redirect.phone')}</h2><p>${say('redirect.phoneText')}</p>${qrPlate(view, redirectUrl, say('redirect.phoneCode', { operator: operatorName }))}</section>
${leaveLink(view, true)}`
  return {
    heading: say('redirect.title', { operator: operatorName }),
    tab: say('title.pay', { amount }),
    content,
    step: 'pay',
    live,
    refreshSeconds: 20,
  }
}

/** Back, and the bank has said nothing. */
export function returned(view: View, { redirectUrl, operatorName, live }: Away): Page {
  const { say } = view.texts
  const content = html`<p>${say('back.text')}</p>
<p class="actions"><a class="button" href="${redirectUrl}" rel="noreferrer">${say('redirect.go', { operator: operatorName })}</a>
${quietLink(`${view.base}/back`, say('back.approved'))}</p>
${leaveLink(view, true)}`
  return {
    heading: say('back.title', { operator: operatorName }),
    content,
    step: 'pay',
    live,
    refreshSeconds: 20,
  }
}
