import { EXACT_NUMBER, type Read } from '@tollgate/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'

// How the console reads the operator API's answers: by the contract's schemas, with every amount as its decimal text.

/** Turns the text of an answer into the record; undefined where it is none. */
type Reader<Record> = (text: string) => Record | undefined

const readers = new WeakMap<TSchema, (text: string) => unknown>()

/** The reader of a schema, made once. */
export function readerOf<Schema extends TSchema>(schema: Schema): Reader<Read<Schema>> {
  const isRead = checkOf(schema)
  const parse = readers.get(schema) ?? parserOf(schema)
  readers.set(schema, parse)
  return (text) => {
    const value = parse(text)
    return isRead(value) ? value : undefined
  }
}

const checks = new WeakMap<TSchema, (value: unknown) => boolean>()

function checkOf<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Read<Schema> {
  const known = checks.get(schema)
  const check = known ?? compiled(schema)
  checks.set(schema, check)
  return (value): value is Read<Schema> => check(value)
}

function compiled(schema: TSchema): (value: unknown) => boolean {
  const validator = Compile(shapeOf(schema))
  return (value) => validator.Check(value)
}

/**
 * Numbers that are amounts keep the digits that were written: they become strings before anything reads them as numbers. What looks
 * like one inside of a string does not match, for quotes are escaped there. Asking a reviver about every member takes four times as
 * long.
 */
function parserOf(schema: TSchema): (text: string) => unknown {
  const names = [...exactNames(schema)]
  const amounts = new RegExp(`"(${names.join('|')})":\\s*(-?\\d[\\d.eE+-]*)`, 'g')
  return (text) => {
    try {
      const value: unknown = JSON.parse(names.length === 0 ? text : text.replace(amounts, '"$1":"$2"'))
      return value
    } catch {
      return undefined
    }
  }
}

function exactNames(schema: unknown, name = '', found = new Set<string>()): ReadonlySet<string> {
  if (!isRecord(schema)) return found
  if (EXACT_NUMBER in schema) found.add(name)
  const { properties, items } = schema
  if (isRecord(properties))
    for (const [member, of] of Object.entries(properties)) exactNames(of, member, found)
  exactNames(items, name, found)
  return found
}

/** Members and their types. Values are left alone: new ones may appear, and so may members. */
function shapeOf(schema: unknown): TSchema {
  if (!isRecord(schema)) return {}
  const { type, required, properties, items } = schema
  if (EXACT_NUMBER in schema || 'anyOf' in schema) return { type: 'string' }
  return {
    ...(type !== undefined && { type }),
    ...(required !== undefined && { required }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, shapeOf(member)]),
      ),
    }),
    ...(items !== undefined && { items: shapeOf(items) }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
