import { type Html, html } from '@tollgate/runtime/html'
import { FORMAT_TABLE, referenceFormat } from '../formats/index.ts'
import type { MessageKey } from '../messages/index.ts'
import type { Payin } from '../records.ts'
import { type InputField, input, summary } from './details.ts'
import { whereToPay } from './instructions.ts'
import { fold, form, leaveLink, notice, quietLink, returnButton, rows, submit } from './parts.ts'
import type { Page, View } from './view.ts'

/** What a reference form shows. */
export interface Referring {
  readonly payin: Payin
  readonly live: string
  readonly field: InputField
  /** Why the last one was not taken. */
  readonly refusal: MessageKey | undefined
  readonly isAfterwards: boolean
}

/**
 * Where to pay, where that is still to be done, and the reference that the customer got for it. Nothing is asked again by itself:
 * what is typed would be lost.
 */
export function reference(view: View, referring: Referring): Page {
  const { say } = view.texts
  const { payin, live, field, refusal } = referring
  const hasToPay = !referring.isAfterwards && payin.paymentMethodResponse.account !== undefined
  const content = html`${field.fault && summary(view, [field])}
${refusal !== undefined && notice('bad', html`<p role="alert">${say(refusal)}</p>`)}
${hasToPay && html`${whereToPay(view, payin)}<h2>${say('reference.title')}</h2>`}
<p class="${hasToPay ? 'hint' : 'lead'}">${say('reference.text')}</p>
${view.mode === 'PAY' && referenceForm(view, field)}
${fold(say('reference.where'), html`<p>${say('reference.whereApp')}</p><p>${say('reference.whereReceipt')}</p>`)}
${referring.isAfterwards && quietLink(view.base, say('reference.cannotFind'))}
${wayOut(view, payin)}`
  return {
    heading: say(hasToPay ? 'transfer.title' : 'reference.title'),
    content,
    live,
    isFaulty: field.fault !== undefined || refusal !== undefined,
  }
}

/** What has ended, or was perhaps paid already, is not cancelled by leaving. */
function wayOut(view: View, { process, externalReference }: Payin): Html | undefined {
  if (process.status === 'CREATED' && externalReference === undefined) return leaveLink(view, true)
  return html`<p class="actions">${returnButton(view, false)}</p>`
}

function referenceForm(view: View, field: InputField): ReturnType<typeof form> {
  return form(view, 'reference', html`${input(view, field)}${submit(view.texts.say('reference.send'))}`)
}

/** The reference that was sent, with thanks. */
export function thanks(view: View, { paymentMethodResponse, externalReference = '' }: Payin): Html {
  const { say } = view.texts
  const { label } = FORMAT_TABLE[referenceFormat(paymentMethodResponse.paymentMethodCode)]
  return html`${notice('good', html`<p>${say('reference.thanks')}</p>`)}
${rows(view, [{ id: 'sent', label: say(label), shown: externalReference, isCode: true }])}`
}

/** It was sent; until the payment is found it may be corrected, on a screen that does not ask again while somebody types. */
export function referenceSent(view: View, { payin, live }: Pick<Referring, 'payin' | 'live'>): Page {
  const { say } = view.texts
  const content = html`${thanks(view, payin)}
<p>${say('waiting.notAgain')} ${say('waitFor.text')}</p>
<p class="actions">${view.mode === 'PAY' && quietLink(`${view.base}?step=reference`, say('reference.correct'))} ${returnButton(view, false)}</p>`
  return { heading: say('waiting.title'), content, live, refreshSeconds: 20, icon: 'wait' }
}
