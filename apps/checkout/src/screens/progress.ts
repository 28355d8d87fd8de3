import { type Html, html } from '../html.ts'
import type { Payin } from '../records.ts'
import { copyButton, leaveLink, returnButton } from './parts.ts'
import { type Page, timeText, type View } from './view.ts'

/** From then on a customer is told that it takes long, and may leave. */
const LONG_SECONDS = 120

export interface Progressing {
  readonly payin: Payin
  readonly live: string
  readonly operatorName: string
  /** A question is under way, after which the page looks again soon. */
  readonly isChecking: boolean
}

/** The bank is at work. */
export function progress(view: View, { payin, live, isChecking }: Progressing): Page {
  const { say } = view.texts
  const { acceptedAt } = payin.paymentMethodResponse
  const isLong = view.nowMs - Date.parse(acceptedAt) > LONG_SECONDS * 1000
  const isReviewed = payin.process.processorStatus === 'IN_REVIEW'
  const content = html`<ol class="timeline" aria-label="${say('waiting.timeline')}">
<li class="done">${say('waiting.sent')} <time datetime="${acceptedAt}">${timeText(view, acceptedAt)}</time></li>
${payin.externalReference !== undefined && html`<li class="done">${say('waiting.referenceSent')}</li>`}
<li aria-current="step">${say('waiting.confirming')}</li>
</ol>
<p>${say(isReviewed ? 'waiting.review' : isLong ? 'waiting.long' : 'waiting.usual')}</p>
${isLong && html`<p>${say('waiting.longText')}</p><p class="actions">${returnButton(view, false)}</p>`}
${link(view)}
${leaveLink(view, true)}`
  return {
    heading: say('waiting.title'),
    tab: say('title.inProgress'),
    content,
    step: 'pay',
    live,
    refreshSeconds: isChecking ? 4 : 20,
    icon: 'wait',
  }
}

/** The address of this page, to keep: it opens in this browser. */
function link(view: View): Html {
  const { say } = view.texts
  const label = say('waiting.link')
  return html`<p hidden id="page-link"><bdi class="ltr">${view.pageUrl}</bdi></p><p>${copyButton(view, { label, value: view.pageUrl, from: 'page-link' })}</p>`
}
