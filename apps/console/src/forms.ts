import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { type IconName, icon } from './icons.ts'
import { ApiRefusal } from './operator-api.ts'
import { refusedNote } from './refused.ts'
import type { Visit } from './visit.ts'

// Forms of a screen that has several: what was typed stays in the one that was refused, with the reason beside it.

/** The field that says which form it was; a form that filled several names all of them. */
const WHICH = 'form'

/** One form, and what was typed into it if it was refused. */
interface Typed {
  readonly isRefused: boolean
  value(name: string, otherwise?: string): string
  isTicked(name: string, otherwise?: boolean): boolean
}

export function typedInto({ refused }: Visit, key: string): Typed {
  const keys = refused?.form.get(WHICH)?.split(' ') ?? []
  const form = keys.includes(key) ? refused?.form : undefined
  return {
    isRefused: form !== undefined,
    value: (name, otherwise = '') => form?.get(name) ?? (form === undefined ? otherwise : ''),
    isTicked: (name, otherwise = false) => (form === undefined ? otherwise : form.has(name)),
  }
}

interface FormOf {
  readonly path: string
  readonly verb: string
  /** Where a screen has several forms of one verb. */
  readonly key?: string
  readonly fields: HtmlValue
  readonly button: string
  readonly style?: 'btn-main' | 'btn-bad'
}

/** A form with fields, which sends to an act of the screen at `path`. */
export function actForm(visit: Visit, { path, verb, key = verb, fields, button, style }: FormOf): Html {
  const { isRefused } = typedInto(visit, key)
  return html`<form class="form" method="post" action="${path}/${verb}${visit.search}">${visit.formToken}<input type="hidden" name="${WHICH}" value="${key}">${isRefused && refusedNote(visit)}<div class="form-fields">${fields}</div><p class="acts"><button class="btn ${style ?? 'btn-main'}">${button}</button></p></form>`
}

interface ButtonOf {
  readonly path: string
  readonly verb: string
  readonly words: HtmlValue
  readonly icon?: IconName
  readonly style?: string
  readonly hidden?: Readonly<Record<string, string>>
}

/** A press without anything to type. */
export const actButton = (
  { formToken, search }: Visit,
  { path, verb, words, icon: name, style = '', hidden = {} }: ButtonOf,
): Html =>
  html`<form method="post" action="${path}/${verb}${search}">${formToken}${Object.entries(hidden).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}<button class="btn ${style}">${name !== undefined && icon(name)}${words}</button></form>`

/** A refusal of what has no fields of its own, above the screen. */
export const looseNote = (visit: Visit): Html | undefined =>
  visit.refused?.form.has(WHICH) === true ? undefined : refusedNote(visit)

/** Something that opens by a press; it stays open while it is refused. */
export const folded = (words: string, content: HtmlValue, isOpen: boolean, name: IconName = 'plus'): Html =>
  html`<details class="fold"${attributes({ open: isOpen })}><summary class="btn">${icon(name)}${words}</summary><div class="fold-body">${content}</div></details>`

interface Field {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly hint?: HtmlValue
  readonly isRequired?: boolean
  readonly maxLength?: number
  readonly type?: 'text' | 'email' | 'url' | 'date' | 'number'
  readonly placeholder?: string
  readonly isCode?: boolean
  readonly isWide?: boolean
}

const hintOf = (hint: HtmlValue): Html | undefined =>
  hint === undefined || hint === '' ? undefined : html`<small>${hint}</small>`

const fieldClass = ({ isWide }: Pick<Field, 'isWide'>): string =>
  isWide === true ? 'field field-wide' : 'field'

export function textField(field: Field): Html {
  const { name, label, value = '', hint, isRequired, maxLength = 250, type = 'text', placeholder } = field
  const more = { required: isRequired, placeholder, class: `input${field.isCode === true ? ' code' : ''}` }
  return html`<label class="${fieldClass(field)}"><span>${label}</span><input name="${name}" type="${type}" value="${value}" maxlength="${maxLength}" autocomplete="off"${attributes(more)}>${hintOf(hint)}</label>`
}

export function areaField(field: Field & { readonly rows?: number }): Html {
  const { name, label, value = '', hint, isRequired, maxLength = 12_000, placeholder, rows = 4 } = field
  // A browser drops the first line end of what stands here.
  return html`<label class="field field-wide"><span>${label}</span><textarea class="input code" name="${name}" rows="${rows}" maxlength="${maxLength}" spellcheck="false" autocomplete="off"${attributes({ required: isRequired, placeholder })}>
${value}</textarea>${hintOf(hint)}</label>`
}

interface Choice {
  readonly value: string
  readonly words: string
}

export const selectField = (
  field: Pick<Field, 'name' | 'label' | 'value' | 'hint' | 'isWide'> & {
    readonly choices: readonly Choice[]
  },
): Html =>
  html`<label class="${fieldClass(field)}"><span>${field.label}</span><select class="input" name="${field.name}">${field.choices.map(({ value, words }) => html`<option value="${value}"${attributes({ selected: value === field.value })}>${words}</option>`)}</select>${hintOf(field.hint)}</label>`

export const tickField = ({
  name,
  label,
  isTicked,
  hint,
}: {
  readonly name: string
  readonly label: string
  readonly isTicked: boolean
  readonly hint?: HtmlValue
}): Html =>
  html`<label class="tickfield"><input type="checkbox" name="${name}" value="yes"${attributes({ checked: isTicked })}><span>${label}${hintOf(hint)}</span></label>`

/** The lines of a field, without empty ones. */
export const linesOf = (text: string | null): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What was typed, or undefined where nothing was. */
export function given(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name)?.trim() ?? ''
  return text === '' ? undefined : text
}

/** What was typed is not what the field takes: in words, where the API would answer with a pattern. */
export const notTaken = (name: string, text: string, says: string): ApiRefusal =>
  new ApiRefusal(400, {
    code: 'ATTRIBUTE_VALUE_INVALID',
    message: `${name}: ${JSON.stringify(text)} ${says}`,
  })

export const notAnAmount = (name: string, text: string): ApiRefusal =>
  notTaken(name, text, 'is not an amount. Write it with a point, such as 1234.50.')

/** Throws ApiRefusal for a text that is no plain amount. */
export function requireAmount(name: string, text: string | undefined): void {
  if (text !== undefined && !/^\d+(?:\.\d+)?$/.test(text)) throw notAnAmount(name, text)
}
