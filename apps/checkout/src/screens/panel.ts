import { type Html, html } from '@tollgate/runtime/html'
import { form } from './parts.ts'
import type { View } from './view.ts'

// The sandbox's panel: what shall the bank do?

const OUTCOMES = [
  ['paid', 'panel.paid'],
  ['declined', 'panel.rejected'],
  ['expired', 'panel.expires'],
  ['unknown', 'panel.slow'],
  ['partial', 'panel.partial'],
] as const

/** Whether the panel can make it happen. */
export const isOutcome = (text: string): boolean => OUTCOMES.some(([outcome]) => outcome === text)

export function testPanel(view: View): Html {
  const { say } = view.texts
  const buttons = OUTCOMES.map(
    ([outcome, key]) =>
      html`<button type="submit" class="button button--quiet button--small" name="outcome" value="${outcome}">${say(key)}</button>`,
  )
  return html`<details class="developer" lang="en" dir="ltr"><summary>${say('panel.title')}</summary><p>${say('panel.text')}</p>${form(view, 'trigger', html`${buttons}`)}</details>`
}
