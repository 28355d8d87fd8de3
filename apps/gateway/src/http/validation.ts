import { COMPARED_PATTERN, DOCUMENTED, EXACT_NUMBER, PRINTABLE_PATTERN } from '@tollgate/contract'
import type { ErrorCode } from '@tollgate/contract/words'
import { parseAmount } from '@tollgate/money'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { NumberText } from '../platform/json/index.ts'
import type { Violation } from '../platform/refusal.ts'

/** Thrown by a validator; the error handler turns it into a 400. */
export class InputInvalid extends Error {
  override readonly name = 'InputInvalid'
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super('the input is not valid')
    this.violations = violations
  }
}

const VIOLATIONS_MAX = 20
/** Put into every object of a schema: a NumberText is a number, though JavaScript takes it for an object. */
const OBJECT_ONLY = 'objectOnly'
/** Put into every member that its object may lack: empty, it is not what ATTRIBUTE_REQUIRED speaks of. */
const OPTIONAL = 'optional'

/**
 * Makes validators of schemas. Nothing is coerced and nothing is removed: a wrong type is an error, an unknown member
 * is ignored (specification section 9). Defaults are filled in. A schema is compiled when it is first used: a start would
 * otherwise spend a quarter of its time on routes that nobody may call.
 */
export function createValidatorCompiler(): (
  schema: object,
) => (value: unknown) => { value: unknown } | { error: Error } {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    coerceTypes: false,
    removeAdditional: false,
    strict: false,
    // The sentence about a union needs the schema beside the error.
    verbose: true,
    // The schemas are ours and typed; looking them over by the schema of schemas takes longer than compiling them.
    validateSchema: false,
  })
  ajv.addKeyword({
    keyword: EXACT_NUMBER,
    validate: (_schema: unknown, value: unknown) => isExactNumber(value),
  })
  ajv.addKeyword({
    keyword: OBJECT_ONLY,
    validate: (_schema: unknown, value: unknown) => !(value instanceof NumberText),
  })
  ajv.addFormat('date-time', true)
  return (schema) => {
    let compiled: ValidateFunction | undefined
    let integers: readonly (readonly string[])[] = []
    return (value) => {
      if (compiled === undefined) {
        compiled = ajv.compile(withMarks(schema))
        integers = integersIn(schema)
      }
      for (const path of integers) writeAsInteger(value, path)
      return compiled(value) ? { value } : { error: new InputInvalid(violationsOf(compiled)) }
    }
  }
}

/** The members that must be integers, each as the way to it. */
function integersIn(schema: unknown): readonly (readonly string[])[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Reflect.get(schema, 'type') === 'integer') return [[]]
  const properties: unknown = Reflect.get(schema, 'properties')
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties).flatMap(([name, member]) =>
    integersIn(member).map((path) => [name, ...path]),
  )
}

const INTEGER_TEXT = /^\d{1,16}$/

/** `3600.0` and `3.6e3` are integers, too (JSON Schema 6.1.1). Any other number stays the text that it is. */
function writeAsInteger(value: unknown, [name, ...rest]: readonly string[]): void {
  if (name === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return
  const member: unknown = Reflect.get(value, name)
  if (rest.length > 0) writeAsInteger(member, rest)
  else if (member instanceof NumberText) {
    const text = parseAmount(member.text)
    // Microseconds have 16 digits: they are an integer, and too large.
    const isExact = text !== undefined && INTEGER_TEXT.test(text) && Number.isSafeInteger(Number(text))
    if (isExact) Reflect.set(value, name, Number(text))
  }
}

/** A copy of the schema in which every object says that it is no number, and every member whether it is optional. */
function withMarks(schema: object): object {
  const copy = new Map(Object.entries(schema).map(([name, member]) => [name, deeply(member)]))
  if (copy.get('type') === 'object') copy.set(OBJECT_ONLY, true)
  const required = requiredBy(schema)
  for (const [name, member] of Object.entries(copy.get('properties') ?? {}))
    if (typeof member === 'object' && member !== null && !required.includes(name))
      Reflect.set(member, OPTIONAL, true)
  return Object.fromEntries(copy)
}

function deeply(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(deeply)
  return typeof member === 'object' && member !== null ? withMarks(member) : member
}

/** The members that an object needs, also those of which it needs one. */
function requiredBy(schema: unknown): readonly unknown[] {
  if (Array.isArray(schema)) return schema.flatMap(requiredBy)
  if (typeof schema !== 'object' || schema === null) return []
  const names: unknown = Reflect.get(schema, 'required')
  const oneOfThem = [DOCUMENTED, 'anyOf'].flatMap((name) => requiredBy(Reflect.get(schema, name)))
  return Array.isArray(names) ? oneOfThem.concat(names) : oneOfThem
}

function isExactNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof NumberText
}

/** One per field: what else is wrong with it shows when the first is put right. */
function violationsOf(validate: ValidateFunction): readonly Violation[] {
  const errors = validate.errors ?? []
  const notObjects = new Set(errors.filter(isNotObject).map((error) => error.instancePath))
  const violations = new Map<string, Violation>()
  for (const error of errors) {
    if (isInsideUnion(error) || (!isNotObject(error) && notObjects.has(error.instancePath))) continue
    const violation = toViolation(error)
    if (!violations.has(violation.field)) violations.set(violation.field, violation)
    if (violations.size === VIOLATIONS_MAX) break
  }
  return [...violations.values()]
}

/** What a number lacks to be the object it should be is not worth a sentence. */
const isNotObject = (error: ErrorObject): boolean => error.keyword === OBJECT_ONLY

/** The members of a union fail one by one; only the union itself is worth a sentence. */
const isInsideUnion = (error: ErrorObject): boolean => /\/anyOf\/\d/.test(error.schemaPath)

function toViolation(error: ErrorObject): Violation {
  const path = error.instancePath.split('/').slice(1).join('.')
  if (error.keyword === 'required') {
    const missing = String(error.params['missingProperty'])
    return {
      field: path === '' ? missing : `${path}.${missing}`,
      code: 'ATTRIBUTE_REQUIRED',
      message: 'is required',
    }
  }
  const [code, message] = codeAndMessage(error)
  return { field: path === '' ? 'body' : path, code, message }
}

const EMPTY = 'must not be empty'
const EMPTY_REFUSED_BY: ReadonlySet<string> = new Set(['minLength', 'pattern'])

type Sentence = (
  params: Readonly<Record<string, unknown>>,
  error: ErrorObject,
) => readonly [ErrorCode, string]

const wrongType = (message: string): readonly [ErrorCode, string] => ['ATTRIBUTE_INVALID', message]
const wrongValue = (message: string): readonly [ErrorCode, string] => ['ATTRIBUTE_VALUE_INVALID', message]
const atLeast = (limit: unknown, things: string): readonly [ErrorCode, string] =>
  limit === 1 ? ['ATTRIBUTE_REQUIRED', EMPTY] : wrongValue(`must have at least ${String(limit)} ${things}`)

/** What is told in place of a pattern that says little to a reader. */
const PATTERN_SENTENCES: ReadonlyMap<unknown, string> = new Map([
  [PRINTABLE_PATTERN, 'must be printable text, not blank, without control and direction characters'],
  [
    COMPARED_PATTERN,
    'must be printable text, not blank, without control, direction and zero-width characters',
  ],
])

const SENTENCES: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  [
    'type',
    ({ type }, error) =>
      type === 'integer'
        ? integerSentence(error)
        : wrongType(`must be ${String(type).split(',').map(article).join(' or ')}`),
  ],
  [OBJECT_ONLY, () => wrongType('must be an object')],
  [EXACT_NUMBER, () => wrongType('must be a number (without quotation marks)')],
  ['anyOf', (_params, error) => wrongValue(`must be one of ${literals(error).join(', ')}`)],
  [
    'pattern',
    ({ pattern }, error) => wrongValue(PATTERN_SENTENCES.get(pattern) ?? likeExample(String(pattern), error)),
  ],
  ['minLength', ({ limit }) => atLeast(limit, 'characters')],
  ['maxLength', ({ limit }) => wrongValue(`must have at most ${String(limit)} characters`)],
  ['minItems', ({ limit }) => atLeast(limit, 'entries')],
  ['maxItems', ({ limit }) => wrongValue(`must have at most ${String(limit)} entries`)],
  ['minimum', ({ limit }) => wrongValue(`must be at least ${String(limit)}`)],
  ['maximum', ({ limit }) => wrongValue(`must be at most ${String(limit)}`)],
])

function codeAndMessage(error: ErrorObject): readonly [ErrorCode, string] {
  if (error.data === '' && EMPTY_REFUSED_BY.has(error.keyword))
    return error.parentSchema?.[OPTIONAL] === true ? wrongValue(EMPTY) : ['ATTRIBUTE_REQUIRED', EMPTY]
  const sentence = SENTENCES.get(error.keyword)
  return sentence === undefined ? wrongValue(error.message ?? 'is not valid') : sentence(error.params, error)
}

/** An integer that JavaScript cannot hold, or below 0, still has the type of one: what is wrong with it is its size. */
function integerSentence({ data, parentSchema }: ErrorObject): readonly [ErrorCode, string] {
  if (typeof data === 'string') return wrongType('must be an integer (without quotation marks)')
  if (!(data instanceof NumberText)) return wrongType('must be an integer')
  const text = parseAmount(data.text) ?? ''
  if (text.includes('.')) return wrongType('must be an integer (without a fraction)')
  const isBelow = text.startsWith('-')
  const limit: unknown = parentSchema?.[isBelow ? 'minimum' : 'maximum']
  if (text === '' || typeof limit !== 'number') return wrongType('must be an integer')
  return wrongValue(`must be at ${isBelow ? 'least' : 'most'} ${String(limit)}`)
}

/** A pattern is exact and hard to read: the example beside it says to most readers what to write. */
function likeExample(pattern: string, { parentSchema }: ErrorObject): string {
  const examples: unknown = parentSchema?.['examples']
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  return typeof example === 'string'
    ? `must look like ${example} (the pattern is ${pattern})`
    : `must match ${pattern}`
}

function article(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function literals(error: ErrorObject): readonly string[] {
  const options: unknown = error.schema
  if (!Array.isArray(options)) return []
  return options.map((option: unknown) =>
    typeof option === 'object' && option !== null && 'const' in option ? String(option.const) : '…',
  )
}
