import assert from 'node:assert/strict'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { at } from './json.ts'

/** The gateway's own description of its answers. */
export interface Description {
  /** Fails the test when the answer is not one that the description promises for the request. */
  check(request: RawRequest, response: RawResponse): void
}

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[.]\d{3}Z$/

/** Takes in an OpenAPI document. Members that it does not name count as wrong: whoever reads it must find them all. */
export function createDescription(document: unknown): Description {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('date-time', ISO_UTC)
  const components = closed(at(document, 'components'))
  const compiled = new Map<string, ValidateFunction>()

  function validatorOf(key: string, mediaTypes: unknown): ValidateFunction | undefined {
    const known = compiled.get(key)
    if (known !== undefined) return known
    const schema = closed(at(mediaTypes, 'application/json', 'schema'))
    if (!isObject(schema)) return undefined
    const validate = ajv.compile({ ...schema, components })
    compiled.set(key, validate)
    return validate
  }

  return {
    check(request, response) {
      const template = templateOf(document, request)
      // What lies outside of the interface is not described.
      if (template === undefined) return
      const { status } = response
      const key = `${request.method} ${template} ${status}`
      const method = request.method.toLowerCase()
      const answer = at(document, 'paths', template, method, 'responses', String(status))
      assert.ok(answer !== undefined, `${key} is not in the description`)
      // What is no JSON is a text, and all that is promised is its media type.
      const mediaTypes = at(answer, 'content')
      if (isOtherText(mediaTypes, response)) return
      const validate = validatorOf(key, mediaTypes)
      if (validate === undefined) {
        assert.equal(response.text, '', `${template} ${response.status} has no body`)
        return
      }
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      const isValid = validate(JSON.parse(response.text))
      assert.ok(
        isValid,
        `${template} ${response.status}: ${ajv.errorsText(validate.errors)}: ${response.text}`,
      )
    },
  }
}

function isOtherText(mediaTypes: unknown, { headers }: RawResponse): boolean {
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';')
  return mediaType !== 'application/json' && at(mediaTypes, mediaType) !== undefined
}

/** The template that the request's path fills; one without parameters goes first. */
function templateOf(document: unknown, { method, path }: RawRequest): string | undefined {
  const segments = segmentsOf(path)
  const paths = at(document, 'paths')
  if (segments === undefined || !isObject(paths)) return undefined
  const matching = Object.keys(paths).filter(
    (template) =>
      at(paths, template, method.toLowerCase()) !== undefined && fills(segments, template.split('/')),
  )
  return matching.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))[0]
}

function segmentsOf(path: string): readonly string[] | undefined {
  const [plain = ''] = path.split('?')
  try {
    return plain.split('/').map((segment) => decodeURIComponent(segment))
  } catch {
    return undefined
  }
}

function fills(segments: readonly string[], template: readonly string[]): boolean {
  return (
    segments.length === template.length &&
    template.every((part, index) => part.startsWith('{') || part === segments[index])
  )
}

/** The same schemas, whose objects have no members beside the named ones. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]))
  return isObject(schema['properties']) ? { additionalProperties: false, ...members } : members
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
