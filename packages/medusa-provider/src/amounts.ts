// Medusa's amounts have 20 digits and may have more decimals than their currency. None of them passes through a float here.

const DECIMAL = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/**
 * The plain decimal text of an amount of Medusa: a number, a text, a BigNumber (`raw`), or the raw value of one (`value`).
 * Throws RangeError for anything else.
 */
export function decimalOf(amount: unknown): string {
  const raw = memberOf(amount, 'raw') ?? amount
  const text = String(memberOf(raw, 'value') ?? raw)
  const [, whole, fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  if (whole === undefined) throw new RangeError(`not an amount of money: ${text}`)
  const shift = Number(exponent)
  const digits = shift < 0 ? whole.padStart(whole.length - shift, '0') : whole
  const decimals = shift < 0 ? fraction : fraction.padEnd(shift, '0')
  const point = digits.length + shift
  const all = digits + decimals
  return plain(all.slice(0, point), all.slice(point))
}

/** The amount with at most so many decimals, half up. */
export function roundedTo(amount: string, decimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.')
  if (fraction.length <= decimals) return amount
  const kept = BigInt(whole + fraction.slice(0, decimals))
  const rounded = String(kept + (Number(fraction[decimals]) >= HALF ? 1n : 0n)).padStart(decimals + 1, '0')
  return plain(rounded.slice(0, rounded.length - decimals), rounded.slice(rounded.length - decimals))
}

const HALF = 5

/** Without the zeros that say nothing. */
function plain(whole: string, fraction: string): string {
  const head = whole.replace(/^0+(?=\d)/, '')
  const tail = fraction.replace(/0+$/, '')
  return tail === '' ? head : `${head}.${tail}`
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
