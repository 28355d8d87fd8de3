import { type Html, html } from '@tollgate/runtime/html'
import { note } from './parts.ts'
import type { Visit } from './visit.ts'

/** Why what was sent was not done, above the screen that it was sent from. */
export function refusedNote({ refused }: Visit): Html | undefined {
  if (refused === undefined) return undefined
  const { message, code, requestId } = refused.error
  return note(
    'bad',
    html`<b>Not done.</b> ${message} <span class="code">${code}</span>${requestId !== undefined && html` Request <span class="code">${requestId}</span>`}`,
  )
}
