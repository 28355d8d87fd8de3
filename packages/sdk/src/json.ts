/** Members that hold an amount of money wherever the interface uses them: decimal strings here, numbers on the wire. */
const AMOUNT_MEMBERS: ReadonlySet<string> = new Set(['amount', 'min', 'max', 'minAmount', 'maxAmount'])
/** Members that are exact, too, but that no request carries: prices of a rate sheet. */
const RATE_MEMBERS: ReadonlySet<string> = new Set(['rate', 'buy', 'sell', 'mid'])
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

// Each goes through the text from string to string, so that what stands in a string is never taken for a member.
const MEMBERS_WITH_NUMBERS =
  /"([^"\\]*(?:\\.[^"\\]*)*)"(?:(\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}]))?/gs
const MEMBERS_WITH_TEXTS = /"([^"\\]*(?:\\.[^"\\]*)*)"(?::"([^"\\]*(?:\\.[^"\\]*)*)")?/gs

/**
 * Reads JSON without ever passing money through a float: numbers that are amounts (`amount`, `min`, `max`, `minAmount`,
 * `maxAmount`) or exchange rates (`rate`, `buy`, `sell`, `mid`) become strings with the digits that were written. Other
 * numbers are plain numbers. Throws SyntaxError.
 */
export function parseLossless(text: string): unknown {
  return JSON.parse(
    text.replace(MEMBERS_WITH_NUMBERS, (whole, name: string, colon?: string, number?: string) =>
      number !== undefined && isExact(name) ? `"${name}"${colon ?? ''}"${number}"` : whole,
    ),
  )
}

const isExact = (name: string): boolean => AMOUNT_MEMBERS.has(name) || RATE_MEMBERS.has(name)

/**
 * Writes compact JSON; strings that are amounts become JSON numbers with exactly their digits.
 * Throws RangeError for one that is not a JSON number.
 */
export function stringifyLossless(value: unknown): string {
  return JSON.stringify(value, (key, member: unknown) =>
    typeof member === 'string' && AMOUNT_MEMBERS.has(key) ? checkedAmount(member) : member,
  ).replace(MEMBERS_WITH_TEXTS, (whole, name: string, text?: string) =>
    text !== undefined && AMOUNT_MEMBERS.has(name) ? `"${name}":${text}` : whole,
  )
}

/** The amount itself if its text is a JSON number (`149.90`, not `.5`, `1,50` or `+1`); otherwise throws RangeError. */
export function checkedAmount(amount: string): string {
  if (!JSON_NUMBER.test(amount)) throw new RangeError(`not a decimal amount: ${JSON.stringify(amount)}`)
  return amount
}

/**
 * Removes the whitespace outside strings and touches nothing else: this is the text that a merchant signs
 * (specification 5.1). Nothing is parsed and written again, since two JSON writers rarely agree byte by byte.
 */
export function minify(text: string): string {
  // A string that never ends runs to the end of the text, so there is nothing to go back to and try again.
  return text.replace(/("(?:[^"\\]|\\.?)*(?:"|$))|[ \t\n\r]+/gs, '$1')
}

/** The own member of an object, or undefined. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** The own member of an object if it is a text. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name)
  return typeof found === 'string' ? found : undefined
}
