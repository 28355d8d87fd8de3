import { attributes, type Html, html } from '@tollgate/runtime/html'
import { FORMAT_TABLE, ibanAttributes } from '../formats/index.ts'
import type { Fault, FormField } from '../forms.ts'
import type { MessageArgs } from '../messages/index.ts'
import type { Operator, Option } from '../scenarios.ts'
import { fold, form, leaveLink, methodName, submit } from './parts.ts'
import { amountText, type Page, type View } from './view.ts'

/** What the customer is about to pay with. */
interface Choosing {
  readonly option: Option
  readonly operator: Operator | undefined
  readonly fields: readonly FormField[]
  /** What the shop supplied, as it may be shown. */
  readonly supplied: readonly { readonly label: string; readonly masked: string }[]
  readonly mayChange: boolean
}

/**
 * The form of what is missing. Where nothing is needed, it is the last word before paying, and what the method can do without is
 * folded.
 */
export function details(view: View, choosing: Choosing): Page {
  const { say } = view.texts
  const { fields, option, operator } = choosing
  const faulty = fields.filter(({ fault }) => fault !== undefined)
  const method = nameOf(view, choosing)
  const isNeeded = fields.some(
    ({ required, value, fault }) => required || value !== '' || fault !== undefined,
  )
  const inputs = fields.map((field) => input(view, field))
  const content = html`${faulty.length > 0 && summary(view, faulty)}
${provided(view, choosing)}
${form(
  view,
  'pay',
  html`<input type="hidden" name="methodCode" value="${option.paymentMethodCode}">
${operator && html`<input type="hidden" name="operatorCode" value="${operator.code}">`}
${isNeeded || fields.length === 0 ? inputs : fold(`${say('details.title')} (${say('common.optional')})`, inputs)}
${!SHOWING_FLOWS.has(option.flow) && html`<p class="hint">${say('confirm.text')}</p>`}
${submit(payText(view, choosing))}`,
)}
${leaveLink(view, false)}`
  return {
    heading: isNeeded ? say('details.title') : confirmTitle(view, method),
    tab: say('title.pay', { amount: amountText(view) }),
    content,
    method: html`${method}${choosing.mayChange && html` <a href="${view.base}?step=${option.paymentOperators.length > 1 ? 'operator' : 'method'}">${say('common.change')}<span class="visually-hidden"> (${method})</span></a>`}`,
    isFaulty: faulty.length > 0,
  }
}

/** The button only shows how to pay: nothing is charged by it. */
const SHOWING_FLOWS: ReadonlySet<string> = new Set(['QR', 'INSTRUCTIONS', 'REFERENCE'])

function nameOf(view: View, { option, operator }: Choosing): string {
  return operator?.name ?? methodName(view, option.paymentMethodCode, option.name)
}

function confirmTitle(view: View, method: string): string {
  const { texts, shop } = view
  const amount = amountText(view)
  return shop === undefined
    ? texts.say('confirm.titleShop', { amount, method })
    : texts.say('confirm.title', { amount, method, shop: shop.name })
}

/** The button says what happens next. */
function payText(view: View, choosing: Choosing): string {
  const { say } = view.texts
  switch (choosing.option.flow) {
    case 'REDIRECT':
      return say('details.continueTo', { operator: nameOf(view, choosing) })
    case 'QR':
      return say('details.showCode')
    case 'INSTRUCTIONS':
    case 'REFERENCE':
      return say('details.showInstructions')
    default:
      return say('details.pay', { amount: amountText(view) })
  }
}

function provided({ texts: { say }, shop }: View, { supplied }: Choosing): Html | undefined {
  if (supplied.length === 0) return undefined
  const by =
    shop === undefined ? say('details.providedByShop') : say('details.providedBy', { shop: shop.name })
  const items = supplied.map(
    ({ label, masked }) => html`<div class="row"><dt>${label}</dt><dd><bdi>${masked}</bdi></dd></div>`,
  )
  return html`<section class="card"><h2>${by}</h2><dl class="rows">${items}</dl></section>`
}

/** A field under any name. */
export type InputField = Omit<FormField, 'name'> & { readonly name: string }

/** One field with its label, hint and fault; also the form of the reference. */
export function input(view: View, field: InputField): Html {
  const { say } = view.texts
  const { name, format, required, value, fault } = field
  const row = FORMAT_TABLE[format]
  const label = say(row.label)
  const marks = attributes({
    id: name,
    name,
    type: row.inputMode === 'email' && format === 'EMAIL' ? 'email' : 'text',
    value,
    inputmode: row.inputMode,
    autocomplete: row.autocomplete,
    autocapitalize: row.isCode ? 'off' : undefined,
    spellcheck: 'false',
    dir: row.isCode ? 'ltr' : 'auto',
    required,
    'aria-invalid': fault === undefined ? undefined : 'true',
    'aria-describedby': `${name}-hint ${name}-error`,
    ...(format === 'IBAN' && {
      'data-enhance': 'iban',
      'data-error': `${name}-error`,
      ...ibanAttributes(view.texts),
    }),
  })
  const optional = !required && html` <span class="hint">(${say('common.optional')})</span>`
  return html`<div class="field"><label for="${name}">${label}${optional}</label>
<p class="hint" id="${name}-hint">${say(row.hint, row.example === undefined ? {} : { example: row.example })}</p>
<input${marks}>
<p class="error" id="${name}-error"${attributes({ hidden: fault === undefined })}>${fault && sayFault(view, fault, label)}</p></div>`
}

function sayFault({ texts }: View, fault: Fault, label: string): string {
  const args: MessageArgs = 'args' in fault ? fault.args : { label }
  return texts.say(fault.key, args)
}

/** What is wrong, first on the page, with the way there. */
export function summary(view: View, faulty: readonly InputField[]): Html {
  const { say } = view.texts
  const items = faulty.map(({ name, format, fault }) => {
    return (
      fault && html`<li><a href="#${name}">${sayFault(view, fault, say(FORMAT_TABLE[format].label))}</a></li>`
    )
  })
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${say('details.faults', { count: faulty.length })}</h2><ul>${items}</ul></div>`
}
