import { html } from '@tollgate/runtime/html'
import type { Payin } from '../records.ts'
import { leaveLink, notice, onPhone, quietLink, returnButton } from './parts.ts'
import { amountText, type Page, type View } from './view.ts'

// The customer goes to the institution, and comes back.

interface Away {
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
  const content = html`<p class="lead">${text}</p>
<p class="actions"><a class="button" id="go" href="${redirectUrl}" rel="noreferrer">${say('redirect.go', { operator: operatorName })}</a></p>
<p class="hint phone-only">${say('redirect.opensApp')}</p>
<p data-enhance="proceed" data-proceed-link="go" data-proceed-seconds="5" data-proceed-text="${view.texts.template('proceed.continuing')}" hidden><span data-proceed-count></span> <button type="button" class="link" data-proceed-stop>${say('common.stop')}</button></p>
${onPhone(view, say('redirect.phone'))}
${leaveLink(view, true)}`
  return {
    heading: say('redirect.title', { operator: operatorName }),
    tab: say('title.pay', { amount }),
    content,
    live,
    refreshSeconds: 20,
  }
}

/** The bank does not have the payment, or it is not known whether it has; nobody need wait before a door that is shut. */
export function unavailable(view: View, { payin, redirectUrl, operatorName, live }: Away): Page {
  const { say } = view.texts
  const isUnsent = payin.process.processorStatus === 'ACCEPTED'
  const content = html`${notice('warning', html`<p>${isUnsent && `${say('redirect.unavailableText')} `}${say('unavailable.text')}</p>`)}
<p class="actions"><a class="button" href="${view.base}">${say('common.tryAgain')}</a>
<a class="button button--quiet" href="${redirectUrl}" rel="noreferrer">${say('unavailable.anyway', { operator: operatorName })}</a></p>
${view.mode === 'PAY' && html`<p class="actions">${returnButton(view, false)}</p>`}`
  return {
    heading: say('redirect.unavailable', { operator: operatorName }),
    content,
    live,
    refreshSeconds: UNAVAILABLE_SECONDS,
    icon: 'wait',
  }
}

const UNAVAILABLE_SECONDS = 10

/** Back, and the bank has said nothing. */
export function returned(view: View, { redirectUrl, operatorName, live }: Away): Page {
  const { say } = view.texts
  const content = html`<p class="lead">${say('back.text')}</p>
<p class="actions"><a class="button" href="${redirectUrl}" rel="noreferrer">${say('redirect.go', { operator: operatorName })}</a>
${view.mode === 'PAY' && quietLink(`${view.base}/back?approved=1`, say('back.approved'))}</p>
${leaveLink(view, true)}`
  return {
    heading: say('back.title', { operator: operatorName }),
    content,
    live,
    refreshSeconds: 20,
  }
}
