/** A piece of HTML. Only `html` makes one, so a text can never pass for it: every value inside is escaped. */
export class Html {
  readonly text: string

  constructor(strings: TemplateStringsArray, values: readonly HtmlValue[]) {
    this.text = strings
      .map((string, index) => string + (index < values.length ? shown(values[index]) : ''))
      .join('')
  }
}

export type HtmlValue = string | number | Html | undefined | readonly Html[]

/**
 * Writes HTML: html`<p>${text}</p>`. Texts are escaped, for elements and for attributes in double quotes; pieces of HTML
 * stay as they are; undefined is nothing. An address in `href` must have been checked to be http.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings, values)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function shown(value: HtmlValue): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((each) => each.text).join('')
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
