/// <reference lib="dom" />
import { type IbanFault, ibanFault } from '@tollgate/payment-codes/iban'
import { cleanIban } from '../../formats/iban.ts'
import { regroup } from './caret.ts'
import { announce, attribute, byId, hide, show, templateText } from './page.ts'

/** `iban`: grouped and judged as it is typed. */
export function enhanceIban(input: Element): void {
  if (!(input instanceof HTMLInputElement)) return
  const error = byId(attribute(input, 'data-error'))
  const judge = (isLeft: boolean): void => {
    const iban = cleanIban(input.value)
    const fault = iban === '' ? undefined : ibanFault(iban)
    showFault(input, error, fault !== undefined && isSaid(fault, isLeft) ? fault : undefined)
  }
  input.addEventListener('input', (event) => {
    // An input method that is composing a symbol would be confused by a change.
    if (event instanceof InputEvent && event.isComposing) return
    group(input, event instanceof InputEvent && event.inputType === 'deleteContentBackward')
    judge(false)
  })
  let isPressed = false
  addEventListener('pointerdown', () => (isPressed = true), true)
  addEventListener('pointerup', () => (isPressed = false), true)
  input.addEventListener('blur', () => {
    // What the server said of an empty field stays until something is typed.
    if (input.value === '') return
    // A fault that appears moves what is below: the button that is being pressed would slip away from under the pointer.
    if (isPressed) addEventListener('click', () => judge(true), { once: true })
    else judge(true)
  })
  group(input, false)
}

/** What is only begun is not wrong yet. */
function isSaid(fault: IbanFault, isLeft: boolean): boolean {
  if (isLeft) return true
  return fault.kind !== 'tooShort' && !(fault.kind === 'country' && fault.country.length < 2)
}

function group(input: HTMLInputElement, isDeletedBackwards: boolean): void {
  const { text, caret } = regroup({
    text: input.value,
    caret: input.selectionStart ?? input.value.length,
    isDeletedBackwards,
  })
  if (text === input.value) return
  input.value = text
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}

function showFault(input: HTMLInputElement, error: HTMLElement | null, fault: IbanFault | undefined): void {
  input.removeAttribute('aria-invalid')
  if (error === null) return
  if (fault === undefined) {
    error.textContent = ''
    hide(error)
    return
  }
  const { kind, ...args } = fault
  const name = `data-iban-${kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const text = templateText(input, name, args)
  // Said once for each fault: not again while its numbers change.
  if (attribute(error, 'data-fault') !== kind || error.hidden) announce(text)
  error.setAttribute('data-fault', kind)
  input.setAttribute('aria-invalid', 'true')
  error.textContent = text
  show(error)
}
