import type { ErrorCode } from '@tollgate/contract'
import { EXACT_NUMBER } from '@tollgate/contract'
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

/**
 * Compiles schemas to validators. Nothing is coerced and nothing is removed: a wrong type is an error, an unknown member
 * is ignored (specification section 9). Defaults are filled in.
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
  })
  ajv.addKeyword({
    keyword: EXACT_NUMBER,
    validate: (_schema: unknown, value: unknown) => isExactNumber(value),
  })
  ajv.addFormat('date-time', true)
  return (schema) => {
    const validate = ajv.compile(schema)
    return (value) => (validate(value) ? { value } : { error: new InputInvalid(violationsOf(validate)) })
  }
}

function isExactNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof NumberText
}

function violationsOf(validate: ValidateFunction): readonly Violation[] {
  const errors = (validate.errors ?? []).filter((error) => error.keyword !== 'const' || !isInsideUnion(error))
  return errors.slice(0, VIOLATIONS_MAX).map(toViolation)
}

/** The members of a union fail one by one; only the union itself is worth a sentence. */
function isInsideUnion(error: ErrorObject): boolean {
  return error.schemaPath.includes('/anyOf/')
}

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
  const field = path === '' ? 'body' : path
  const [code, message] = describe(error)
  return { field, code, message }
}

function describe(error: ErrorObject): readonly [ErrorCode, string] {
  switch (error.keyword) {
    case 'type':
      return ['ATTRIBUTE_INVALID', `must be ${article(String(error.params['type']))}`]
    case EXACT_NUMBER:
      return ['ATTRIBUTE_INVALID', 'must be a number (without quotation marks)']
    case 'anyOf':
      return ['ATTRIBUTE_VALUE_INVALID', `must be one of ${literals(error).join(', ')}`]
    case 'pattern':
      return ['ATTRIBUTE_VALUE_INVALID', `must match ${String(error.params['pattern'])}`]
    case 'minLength':
      return error.params['limit'] === 1
        ? ['ATTRIBUTE_REQUIRED', 'must not be empty']
        : ['ATTRIBUTE_VALUE_INVALID', error.message ?? 'is too short']
    default:
      return ['ATTRIBUTE_VALUE_INVALID', error.message ?? 'is not valid']
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

function literals(error: ErrorObject): readonly string[] {
  const options: unknown = error.schema
  if (!Array.isArray(options)) return []
  return options.map((option: unknown) =>
    typeof option === 'object' && option !== null && 'const' in option ? String(option.const) : '…',
  )
}
