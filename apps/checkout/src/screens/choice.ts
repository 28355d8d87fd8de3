import { attributes, type Html, html } from '@tollgate/runtime/html'

// One row of a list to choose from, a method or a bank. The row is the button: one press chooses and goes on.

interface ChoiceOf {
  readonly name: string
  readonly value: string
  readonly shown: string
  readonly logo: Html
  readonly note?: string | undefined
  /** How soon the money usually is there. */
  readonly speed?: Html | undefined
  /** Chosen before. */
  readonly isCurrent?: boolean
  /** Cannot be chosen just now; the note says why. */
  readonly isClosed?: boolean
  /** What is found by searching, in a list that is searched. */
  readonly searched?: string | undefined
}

export function choice(of: ChoiceOf): Html {
  const { name, value, shown, logo, note, speed, searched, isCurrent = false, isClosed = false } = of
  const state = { disabled: isClosed, 'aria-current': isCurrent ? 'true' : undefined }
  const below = note !== undefined && html` <span class="choice__note">${note}</span>`
  return html`<li class="choice"${attributes({ 'data-filter-item': searched })}><button type="submit"${attributes({ name, value, ...state })}>${logo} <span class="choice__name">${shown}</span>${below} ${speed}</button></li>`
}
