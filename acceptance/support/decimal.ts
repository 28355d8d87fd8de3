const DECIMALS = 18

/** The sum of plain decimals, exactly. */
export function sumOf(amounts: readonly string[]): string {
  return printed(amounts.reduce((sum, amount) => sum + scaled(amount), 0n))
}

/** `a - b`, exactly. */
export function differenceOf(a: string, b: string): string {
  return printed(scaled(a) - scaled(b))
}

function scaled(amount: string): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:[.](\d+))?$/.exec(amount) ?? []
  if (whole === undefined || fraction.length > DECIMALS)
    throw new RangeError(`not a plain decimal: ${amount}`)
  const value = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  return sign === '-' ? -value : value
}

function printed(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(DECIMALS + 1, '0')
  const plain = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/[.]?0+$/, '')
  return value < 0n ? `-${plain}` : plain
}
