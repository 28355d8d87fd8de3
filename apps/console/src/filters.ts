import { attributes, type Html, html } from '@tollgate/runtime/html'
import { icon } from './icons.ts'
import { withQuery } from './parts.ts'

// Filters of a list: pills, each with a plain form of its own. The address is the state.

interface Choice {
  readonly value: string
  readonly words: string
}

interface Field {
  /** Of the query. */
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'date' | 'datetime-local'
  /** In place of something to type. */
  readonly choices?: readonly Choice[]
  readonly hint?: string
}

/** One pill: a filter that may have several fields. */
export interface Filter {
  readonly name: string
  readonly fields: readonly Field[]
}

/** The pills of a list; `path` is its address. */
export function filterBar(path: string, query: URLSearchParams, filters: readonly Filter[]): Html {
  const names = filters.flatMap(({ fields }) => fields.map(({ name }) => name))
  const isFiltered = names.some((name) => (query.get(name) ?? '') !== '')
  const cleared = Object.fromEntries(
    [...names, 'cursor', 'trail', 'done'].map((name) => [name, undefined] as const),
  )
  return html`<div class="filters" role="group" aria-label="Filters">${filters.map((filter) => pill(path, query, filter))}${isFiltered && html`<a class="btn btn-bare" href="${withQuery(path, query, cleared)}">Clear</a>`}</div>`
}

function pill(path: string, query: URLSearchParams, { name, fields }: Filter): Html {
  const set = fields.flatMap((field) => {
    const value = query.get(field.name) ?? ''
    return value === '' ? [] : [shown(field, value, fields.length > 1)]
  })
  const isOn = set.length > 0
  const own = new Set([...fields.map((field) => field.name), 'cursor', 'trail', 'done'])
  const others = [...query].filter(([key, value]) => !own.has(key) && value !== '')
  const summary = isOn ? html`${name}: <b>${set.join(', ')}</b>${icon('down')}` : html`${icon('plus')}${name}`
  return html`<details class="pill${isOn && ' pill-on'}"><summary>${summary}</summary><form class="pop" action="${path}">${others.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}${fields.map((field) => control(field, query.get(field.name) ?? ''))}<button class="btn btn-main">Apply</button></form></details>
`
}

const shown = ({ label, choices }: Field, value: string, isNamed: boolean): string => {
  const words = choices?.find((choice) => choice.value === value)?.words ?? value
  return isNamed ? `${label.toLowerCase()} ${words}` : words
}

function control({ name, label, type = 'text', choices, hint }: Field, value: string): Html {
  const small = hint !== undefined && html`<small>${hint}</small>`
  if (choices !== undefined)
    return html`<label class="field"><span>${label}</span><select class="input" name="${name}"><option value="">Any</option>${choices.map((choice) => html`<option value="${choice.value}"${attributes({ selected: choice.value === value })}>${choice.words}</option>`)}</select>${small}</label>`
  // A browser's field for a moment takes no zone; in the address it may have one.
  const typed = type === 'datetime-local' ? value.replace(/(?:\.\d+)?Z$/, '') : value
  return html`<label class="field"><span>${label}</span><input class="input" type="${type}" name="${name}" value="${typed}" maxlength="250" autocomplete="off"${attributes({ step: type === 'datetime-local' ? '1' : undefined })}>${small}</label>`
}

/** A moment as forms and addresses have it, as the API takes it: UTC. What is none is left for the API to refuse. */
export function momentOf(text: string | null): string | undefined {
  if (text === null || text === '') return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return `${text}:00Z`
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return `${text}Z`
  return text
}
