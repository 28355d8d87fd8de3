import type { CapturedStatement } from './capture.ts'

/** A script for pgbench, and the values of its variables. */
export interface BenchScript {
  readonly text: string
  readonly variables: readonly (readonly [name: string, value: string])[]
}

const UUID_ARRAY = /^\{"?[0-9a-f]{8}-[0-9a-f-]{27}"?\}$/i
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const BYTES = /^\{?"?\\{1,2}x/
const PLAIN_TEXT_ARRAY = /^\{"?[A-Za-z0-9_-]+"?\}$/
const PLAIN_TEXT = /^[A-Za-z0-9_-]+$/

/**
 * The script that runs a captured statement. What two requests had in common is a fixed parameter; an id that differed is
 * made anew from a random number for each transaction. What else differed (digests, sealed data) is taken from the first.
 */
export function scriptFor({ text, first, second }: CapturedStatement): BenchScript {
  const variables: [string, string][] = []
  const statement = text.replaceAll(/\$(\d+)/g, (_match, digits: string) => {
    const index = Number(digits) - 1
    const value = first[index]
    if (value === null || value === undefined) return 'null'
    const random = value === second[index] ? undefined : randomLike(value)
    if (random !== undefined) return random
    const name = `p${digits}`
    if (!variables.some(([known]) => known === name)) variables.push([name, value])
    return `:${name}`
  })
  return { text: `\\set r random(1, 9000000000000000000)\n${statement};\n`, variables }
}

/** An expression for a value of the same form that no other transaction has. Undefined for what need not differ. */
function randomLike(value: string): string | undefined {
  if (UUID_ARRAY.test(value)) return "('{' || lpad(:r::text, 32, '0') || '}')"
  if (UUID.test(value)) return "lpad(:r::text, 32, '0')"
  if (BYTES.test(value)) return undefined
  if (PLAIN_TEXT_ARRAY.test(value)) return "('{b' || :r::text || '}')"
  return PLAIN_TEXT.test(value) ? "('b' || :r::text)" : undefined
}
