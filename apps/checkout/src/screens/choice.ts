import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { View } from './view.ts'

// One row of a list to choose from, a method or a bank, and what is said when none was chosen.

interface ChoiceOf {
  readonly name: string
  readonly value: string
  readonly shown: string
  readonly logo: Html
  readonly note?: Html | string | undefined
  readonly isChecked?: boolean
  readonly id?: string | undefined
  /** Cannot be chosen just now; the note says why. */
  readonly isClosed?: boolean
  /** What is found by searching, in a list that is searched. */
  readonly searched?: string | undefined
}

export function choice(of: ChoiceOf): Html {
  const { name, value, shown, logo, note, id, searched, isChecked = false, isClosed = false } = of
  const state = isClosed ? { disabled: true } : { checked: isChecked, required: true }
  const radio = attributes({ type: 'radio', name, value, id, ...state })
  const below = note !== undefined && html` <span class="choice__note">${note}</span>`
  return html`<li class="choice"${attributes({ 'data-filter-item': searched })}><label><input${radio}> ${logo} <span class="choice__name">${shown}</span>${below}</label></li>`
}

/** The first that can be chosen. */
export const FIRST_CHOICE = 'first-choice'

export function missingChoice({ texts: { say } }: View, text: string): Html {
  return html`<div class="summary" tabindex="-1" autofocus role="alert"><h2>${say('details.faults', { count: 1 })}</h2><ul><li><a href="#${FIRST_CHOICE}">${text}</a></li></ul></div>`
}
