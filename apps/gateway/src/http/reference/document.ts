import { isDeepStrictEqual } from 'node:util'
import { isJson, type Json, listFrom } from '../openapi-shapes.ts'

/** One operation of the API, as the OpenAPI document describes it. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly body: Content | undefined
  readonly answers: readonly Answer[]
  /** False where a signature, or nothing, takes the place of a token. */
  readonly needsToken: boolean
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
  readonly description: string
  readonly example: string
  readonly schema: Json
}

export interface Content {
  readonly schema: Json
  readonly example: unknown
}

export interface Answer {
  readonly status: string
  readonly description: string
  readonly content: Content | undefined
}

/** Operations that belong together. */
export interface Chapter {
  readonly name: string
  readonly description: string
  readonly operations: readonly Operation[]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const jsonOf = (value: unknown): Json => (isJson(value) ? value : {})

/** The operations of a document by their tags, in the document's order. */
export function chaptersOf(document: Json): readonly Chapter[] {
  const operations = Object.entries(jsonOf(document['paths'])).flatMap(([path, item]) =>
    Object.entries(jsonOf(item)).map(([method, operation]) => ({
      tag: textOf(listFrom(jsonOf(operation)['tags'])[0]),
      operation: operationOf(method, path, jsonOf(operation)),
    })),
  )
  return listFrom(document['tags']).map((tag) => {
    const { name, description } = jsonOf(tag)
    return {
      name: textOf(name),
      description: textOf(description),
      operations: operations.filter((each) => each.tag === name).map(({ operation }) => operation),
    }
  })
}

function operationOf(method: string, path: string, operation: Json): Operation {
  return {
    id: textOf(operation['operationId']),
    method: method.toUpperCase(),
    path,
    summary: textOf(operation['summary']),
    description: textOf(operation['description']),
    parameters: listFrom(operation['parameters']).map((parameter) => parameterOf(jsonOf(parameter))),
    body: contentOf(operation['requestBody']),
    answers: Object.entries(jsonOf(operation['responses'])).map(([status, answer]) => ({
      status,
      description: textOf(jsonOf(answer)['description']),
      content: contentOf(answer),
    })),
    needsToken: !isDeepStrictEqual(operation['security'], []),
  }
}

function parameterOf(parameter: Json): Parameter {
  const schema = jsonOf(parameter['schema'])
  const example = parameter['example'] ?? listFrom(schema['examples'])[0] ?? ''
  return {
    name: textOf(parameter['name']),
    in: textOf(parameter['in']),
    isRequired: parameter['required'] === true,
    description: textOf(parameter['description'] ?? schema['description']),
    example: typeof example === 'string' ? example : JSON.stringify(example),
    schema,
  }
}

function contentOf(holder: unknown): Content | undefined {
  const json = jsonOf(jsonOf(holder)['content'])['application/json']
  if (!isJson(json)) return undefined
  return { schema: jsonOf(json['schema']), example: json['example'] }
}
