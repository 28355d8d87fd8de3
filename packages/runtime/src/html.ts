/** A piece of HTML. Only `html` makes one, so a text can never pass for it: every value inside is escaped. */
export class Html {
  readonly text: string

  constructor(strings: TemplateStringsArray, values: readonly HtmlValue[]) {
    this.text = strings
      .map((string, index) => string + (index < values.length ? shown(values[index]) : ''))
      .join('')
  }
}

export type HtmlValue = string | number | Html | undefined | false | readonly (Html | undefined | false)[]

/**
 * Writes HTML: html`<p>${text}</p>`. Texts are escaped, for elements and for attributes in double quotes; pieces of HTML
 * stay as they are; undefined and false are nothing. An address in `href` must have been checked to be http.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings, values)
}

/**
 * Attributes by name: false and undefined leave one out, true is one without a value. Names are the program's own, never
 * a customer's.
 */
export function attributes(of: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  const parts = Object.entries(of).map(([name, value]) => {
    if (!ATTRIBUTE_NAME.test(name)) throw new Error(`not the name of an attribute: ${name}`)
    if (value === undefined || value === false) return undefined
    return value === true ? html` ${name}` : html` ${name}="${value}"`
  })
  return html`${parts}`
}

const ATTRIBUTE_NAME = /^[a-z][a-z0-9-]*$/

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

function shown(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(shown).join('')
  return String(value).replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '')
}
