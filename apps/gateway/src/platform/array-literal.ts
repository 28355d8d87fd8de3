/**
 * PostgreSQL's text of an array: batches travel as one per column. The driver makes such texts as well, by two patterns per
 * value, which is most of what sending a batch costs. Undefined where a value is none of texts, numbers, truth values,
 * bytes and nothing: the driver knows what to do with it.
 */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  const elements: string[] = []
  for (const value of values) {
    const element = elementOf(value)
    if (element === undefined) return undefined
    elements.push(element)
  }
  return `{${elements.join(',')}}`
}

function elementOf(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value)
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean') return `"${String(value)}"`
  return Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : undefined
}

/** Always in quotation marks: without them `null` would be nothing, and a comma the end. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
