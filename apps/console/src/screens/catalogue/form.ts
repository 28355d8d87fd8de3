import { type Amount, parseAmount, type RawJson, rawAmount } from '@tollgate/money'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { notAnAmount } from '../../forms.ts'
import type { Visit } from '../../visit.ts'

// Fields of forms, and reading them.

interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isRequired?: boolean
  readonly isWide?: boolean
  /** Of digits: a phone shows the keys for them. */
  readonly isAmount?: boolean
}

/** What was typed into a form that was refused, else the value. */
export const typedIn = ({ refused }: Visit, name: string, value = ''): string =>
  refused?.form.get(name) ?? value

export function input(visit: Visit, field: Field & { readonly value?: string | undefined }): Html {
  const { name, isRequired, isAmount, value } = field
  return labelled(
    field,
    html`<input class="input" name="${name}" value="${typedIn(visit, name, value)}" maxlength="256" autocomplete="off"${attributes({ required: isRequired, inputmode: isAmount === true ? 'decimal' : undefined })}>`,
  )
}

export type Choice = readonly [value: string, words: string]

export function select(
  visit: Visit,
  field: Field & { readonly value?: string | undefined; readonly choices: readonly Choice[] },
): Html {
  const chosen = typedIn(visit, field.name, field.value)
  return labelled(
    field,
    html`<select class="input" name="${field.name}">${field.choices.map(([value, words]) => html`<option value="${value}"${attributes({ selected: value === chosen })}>${words}</option>`)}</select>`,
  )
}

const labelled = ({ label, hint, isWide }: Field, control: Html): Html =>
  html`<label class="field${isWide === true && ' wide'}"><span>${label}</span>${control}${hint !== undefined && html`<small>${hint}</small>`}</label>`

/** A text of a form; undefined where nothing was typed. */
export const textOf = (form: URLSearchParams, name: string): string | undefined => {
  const text = form.get(name)?.trim() ?? ''
  return text === '' ? undefined : text
}

/** The members of a form that were typed, by their names. */
export const textsOf = (form: URLSearchParams, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const text = textOf(form, name)
      return text === undefined ? [] : [[name, text]]
    }),
  )

/** The same for amounts, with the digits that were typed. Throws ApiRefusal for what is none. */
export const amountsOf = (
  form: URLSearchParams,
  names: readonly string[],
): Readonly<Record<string, RawJson>> =>
  Object.fromEntries(
    Object.entries(textsOf(form, names)).map(([name, text]) => [name, rawAmount(amountOf(name, text))]),
  )

function amountOf(name: string, text: string): Amount {
  const amount = parseAmount(text)
  if (amount !== undefined) return amount
  throw notAnAmount(name, text)
}
