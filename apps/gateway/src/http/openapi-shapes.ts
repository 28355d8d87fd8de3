import { isDeepStrictEqual } from 'node:util'
import { DOCUMENTED, EXACT_NUMBER } from '@tollgate/contract'
import type { App } from './app-type.ts'

// What the descriptions of all our APIs have in common.

export type Json = Record<string, unknown>

export const listFrom = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Serves the document at /openapi.json to anyone. */
export function serveDocument(app: App, describe: (app: App) => Json): void {
  let text: string | undefined
  app.get('/openapi.json', { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
    // The routes are fixed by the first request, and the document is work: it is written once.
    text ??= JSON.stringify(describe(app))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

interface Finishing {
  /** Adds to an operation what its route's schemas cannot say. */
  readonly finish: (operation: Json, path: string) => void
  readonly webhooks?: Json
}

/** The document of an app's routes, with shared shapes as components. */
export function describeRoutes(app: App, { finish, webhooks }: Finishing): Json {
  const raw: unknown = JSON.parse(JSON.stringify(app.swagger()))
  if (!isJson(raw)) throw new Error('the OpenAPI document is not an object')
  const schemas: Json = {}
  const document = hoist(raw, schemas)
  if (!isJson(document) || !isJson(document['paths'])) throw new Error('the OpenAPI document has no paths')
  for (const [path, item] of Object.entries(document['paths'])) {
    if (isJson(item))
      for (const operation of Object.values(item)) if (isJson(operation)) finish(operation, path)
  }
  const components = isJson(document['components']) ? document['components'] : {}
  const calls = webhooks === undefined ? {} : { webhooks: hoist(webhooks, schemas) }
  return { ...document, ...calls, components: { ...components, schemas: sorted({ ...schemas }) } }
}

/** Moves every schema that has a title to the components, and turns our own keywords into what readers know. */
function hoist(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas))
  if (!isJson(value)) return value
  const { [EXACT_NUMBER]: exact, [DOCUMENTED]: documented, ...rest } = value
  const mapped = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [
      name,
      name === 'examples' || name === 'example' ? member : hoist(member, schemas),
    ]),
  )
  const schema: Json = {
    ...(exact === true && { type: 'number' }),
    ...mapped,
    ...(isJson(documented) && documented),
  }
  const { title } = schema
  if (typeof title !== 'string' || !('type' in schema)) return schema
  schemas[title] = merged(title, schemas[title], withoutTitle(schema))
  return { $ref: `#/components/schemas/${title}` }
}

/** One shape of two uses. Where it is a whole body its examples have been moved beside it: they do not tell shapes apart. */
function merged(title: string, known: unknown, shape: Json): Json {
  if (!isJson(known)) return shape
  const [one, other] = [known, shape].map(({ examples: _examples, ...rest }) => rest)
  if (!isDeepStrictEqual(one, other)) throw new Error(`two different schemas have the title ${title}`)
  return { ...shape, ...known }
}

/** The description of one use does not belong to the shared shape of an error. */
function withoutTitle(schema: Json): Json {
  const { title, ...rest } = schema
  if (title === 'BasicError' || title === 'Rejection') delete rest['description']
  return rest
}

const sorted = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))

/** What the statuses of an API mean, and an example of each error. */
export interface Answers {
  readonly descriptions: Readonly<Record<string, string>>
  readonly examples: Readonly<Record<string, unknown>>
}

/** Explains every answer of the operation. */
export function explainAnswers(operation: Json, { descriptions, examples }: Answers): void {
  const responses = operation['responses']
  if (!isJson(responses)) return
  for (const [status, response] of Object.entries(responses)) {
    if (!isJson(response)) continue
    const example = examples[status]
    if (example !== undefined) addExample(response, example)
    response['description'] = descriptions[status] ?? 'Success.'
    if (status === '204') delete response['content']
  }
}

function addExample(response: Json, example: unknown): void {
  const content = response['content']
  if (!isJson(content)) return
  for (const media of Object.values(content)) if (isJson(media)) media['example'] = example
}

/** A BasicError as an example. */
export const basicExample = (code: string, message: string, extra: Json = {}): Json => ({
  code,
  message,
  requestId: '7Q2M8K1D-4f',
  timestamp: '2026-11-21T10:15:30.123Z',
  docUrl: `http://localhost:8080/errors/${code}`,
  ...extra,
})
