import { type Html, html } from '@tollgate/runtime/html'
import type { Payin } from '../records.ts'
import { keep, returnButton } from './parts.ts'
import { type Page, timeTag, type View } from './view.ts'

/** From then on a customer is told that it takes long, and may leave. */
const LONG_SECONDS = 120

interface Progressing {
  readonly payin: Payin
  readonly live: string
  readonly operatorName: string
  /** A question is under way, after which the page looks again soon. */
  readonly isChecking: boolean
  /** When the customer came back from the institution. */
  readonly backAtMs: number | undefined
}

/** The bank is at work. */
export function progress(view: View, progressing: Progressing): Page {
  const { payin, live, isChecking } = progressing
  const { say } = view.texts
  const { acceptedAt } = payin.paymentMethodResponse
  const isLong = view.nowMs - Date.parse(acceptedAt) > LONG_SECONDS * 1000
  const { processorStatus } = payin.process
  const isReviewed = processorStatus === 'IN_REVIEW'
  // Money may be under way: there is nothing to cancel, and nothing here may invite to a second payment.
  const content = html`<p class="lead">${isReviewed ? `${say('waiting.review')} ${say('waiting.notAgain')}` : say(processorStatus === 'DETECTED' ? 'wallet.detected' : isLong ? 'waiting.long' : 'waiting.usual')}</p>
${timeline(view, progressing)}
<p>${say('waiting.longText')}</p>
<p class="actions">${returnButton(view, false)}</p>
${keep(view)}`
  return {
    heading: say('waiting.title'),
    tab: say('title.inProgress'),
    content,
    live,
    refreshSeconds: isChecking ? 4 : 20,
    icon: 'wait',
  }
}

/** What has happened, each with its time as far as it is known, and what is awaited. */
function timeline(view: View, { payin, operatorName, backAtMs }: Progressing): Html {
  const { say } = view.texts
  const firstAt = (phase: string): string | undefined =>
    payin.timeline?.find(({ processorStatus }) => processorStatus === phase)?.happenedAt
  const back = backAtMs === undefined ? undefined : new Date(backAtMs).toISOString()
  const steps: readonly Step[] = [
    { text: say('waiting.sent'), at: payin.paymentMethodResponse.acceptedAt },
    ...(back === undefined ? [] : [{ text: say('waiting.back', { operator: operatorName }), at: back }]),
    ...(payin.externalReference === undefined
      ? []
      : [{ text: say('waiting.referenceSent'), at: firstAt('REFERENCE_SUBMITTED') }]),
    ...(payin.process.processorStatus === 'IN_REVIEW'
      ? [{ text: say('waiting.checked'), at: firstAt('IN_REVIEW') }]
      : []),
  ]
  const { confirmations } = payin
  const awaited =
    confirmations === undefined
      ? say('waiting.confirming')
      : say('wallet.confirmations', {
          count: String(confirmations.count),
          needed: String(confirmations.needed),
        })
  const items = steps.map(
    ({ text, at }) => html`<li class="done">${text}${at !== undefined && html` ${timeTag(view, at)}`}</li>`,
  )
  return html`<ol class="timeline" aria-label="${say('waiting.timeline')}">${items}<li aria-current="step">${awaited}</li></ol>`
}

interface Step {
  readonly text: string
  readonly at: string | undefined
}
