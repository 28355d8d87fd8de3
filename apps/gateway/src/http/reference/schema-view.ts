import { type Html, html } from '@tollgate/runtime/html'
import { isJson, type Json, listFrom } from '../openapi-shapes.ts'

/** Finds what a `$ref` names. */
export type Resolve = (schema: Json) => Json

const REF_PREFIX = '#/components/schemas/'

/** Looks references up among the shared shapes of the document. */
export function resolverOf(document: Json): Resolve {
  const { schemas } = isJson(document['components']) ? document['components'] : {}
  return (schema) => {
    const ref = schema['$ref']
    if (typeof ref !== 'string' || !isJson(schemas)) return schema
    const found = schemas[ref.slice(REF_PREFIX.length)]
    return isJson(found) ? found : {}
  }
}

/** Shapes lie within shapes; none is shown within itself. */
const DEPTH_MAX = 6

/** The members of an object, or of the items of a list, as nested lists; nothing for a plain value. */
export function membersOf(given: Json, resolve: Resolve, depth = 0): Html | undefined {
  const schema = objectIn(given, resolve)
  if (schema === undefined || depth > DEPTH_MAX) return undefined
  const required = new Set(listFrom(schema['required']))
  const members = Object.entries(isJson(schema['properties']) ? schema['properties'] : {})
  return html`<dl class="members">${members.map(([name, value]) =>
    isJson(value) ? member(name, value, { isRequired: required.has(name), resolve, depth }) : undefined,
  )}</dl>`
}

function objectIn(given: Json, resolve: Resolve): Json | undefined {
  const schema = resolve(given)
  if (isJson(schema['properties'])) return schema
  if (isJson(schema['items'])) return objectIn(schema['items'], resolve)
  const choice = listFrom(schema['anyOf']).find(
    (each) => isJson(each) && objectIn(each, resolve) !== undefined,
  )
  return isJson(choice) ? objectIn(choice, resolve) : undefined
}

interface Place {
  readonly isRequired: boolean
  readonly resolve: Resolve
  readonly depth: number
}

function member(name: string, given: Json, { isRequired, resolve, depth }: Place): Html {
  const schema = resolve(given)
  const description = given['description'] ?? schema['description']
  const inner = membersOf(given, resolve, depth + 1)
  return html`<div><dt><code>${name}</code> <span class="type">${typeOf(given, resolve)}</span>${
    isRequired && html` <span class="required">required</span>`
  }</dt><dd>${typeof description === 'string' && html`<p>${inline(description)}</p>`}${
    inner !== undefined && html`<details><summary>Members of ${name}</summary>${inner}</details>`
  }</dd></div>`
}

/** What kind of value it is, in words. */
export function typeOf(given: Json, resolve: Resolve): string {
  const schema = resolve(given)
  const values = listFrom(schema['enum'])
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(' or ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const choices = listFrom(schema['anyOf']).filter(isJson)
  if (choices.length > 0) return [...new Set(choices.map((each) => typeOf(each, resolve)))].join(' or ')
  if (isJson(schema['items'])) return `list of ${typeOf(schema['items'], resolve)}`
  const type = typeof schema['type'] === 'string' ? schema['type'] : 'any'
  return [type, ...limitsOf(schema)].join(', ')
}

function limitsOf(schema: Json): readonly string[] {
  const { format, minLength, maxLength, minimum, maximum } = schema
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...rangeOf(minLength, maxLength, ' characters'),
    ...rangeOf(minimum, maximum, ''),
  ]
}

function rangeOf(min: unknown, max: unknown, unit: string): readonly string[] {
  const [low, high] = [min, max].map((each) => (typeof each === 'number' ? String(each) : undefined))
  if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`]
  if (high !== undefined) return [`at most ${high}${unit}`]
  return low === undefined || low === '0' ? [] : [`at least ${low}${unit}`]
}

/** A sentence of ours, where what stands between backticks is code. */
export function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}
