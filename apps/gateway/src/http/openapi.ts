import { isDeepStrictEqual } from 'node:util'
import swagger from '@fastify/swagger'
import { CallbackSchema, EXACT_NUMBER } from '@tollgate/contract'
import type { App } from './app-type.ts'

const VERSION_HEADER = {
  name: 'X-API-Version',
  in: 'header',
  required: true,
  description: 'The MAJOR version of the interface alone.',
  schema: { type: 'integer', format: 'int32', enum: [2] },
  example: 2,
}

/** The interface version of the specification (section 9). */
export const INTERFACE_VERSION = '2.82'

const TAGS = [
  { name: 'Auth', description: 'Tokens: who calls, and what they may do.' },
  { name: 'Incoming payments', description: 'Money from a customer to the merchant.' },
  { name: 'Accounts', description: 'Balances of the merchant.' },
  { name: 'Merchant info', description: 'The merchant behind the token, and the reference lists.' },
]

type Json = Record<string, unknown>

/** Describes every route from the schemas that validate it, served at /openapi.json. Call before the routes are added. */
export async function documentRoutes(app: App, serverUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tollgate API',
        version: INTERFACE_VERSION,
        description: 'Payment gateway: incoming payments, their callbacks, balances and reference lists.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: serverUrl }],
      tags: TAGS,
      components: { securitySchemes: { httpAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
  })
  let text: string | undefined
  app.get('/openapi.json', { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
    // The routes are fixed by the first request, and the document is work: it is written once.
    text ??= JSON.stringify(describeApi(app))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/** The finished document: shared shapes as components, examples for every answer, the callback as a webhook. */
export function describeApi(app: App): Json {
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
  const webhooks = { statusChange: hoist(webhook(), schemas) }
  return { ...document, webhooks, components: { ...components, schemas: sorted({ ...schemas }) } }
}

const listFrom = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Moves every schema that has a title to the components, and turns our own keyword into what readers know. */
function hoist(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas))
  if (!isJson(value)) return value
  const { [EXACT_NUMBER]: exact, ...rest } = value
  const mapped = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [
      name,
      name === 'examples' || name === 'example' ? member : hoist(member, schemas),
    ]),
  )
  const schema: Json = exact === true ? { type: 'number', ...mapped } : mapped
  const { title } = schema
  if (typeof title !== 'string' || !('type' in schema)) return schema
  const shape = withoutTitle(schema)
  if (schemas[title] !== undefined && !isDeepStrictEqual(schemas[title], shape))
    throw new Error(`two different schemas have the title ${title}`)
  schemas[title] = shape
  return { $ref: `#/components/schemas/${title}` }
}

/** The description of one use does not belong to the shared shape of an error. */
function withoutTitle(schema: Json): Json {
  const { title, ...rest } = schema
  if (title === 'BasicError' || title === 'Rejection') delete rest['description']
  return rest
}

const sorted = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Adds what the route schemas cannot say: security, the version header and examples of the errors. */
function finish(operation: Json, path: string): void {
  const isTokenRoute = path.startsWith('/auth-tokens')
  operation['security'] = isTokenRoute ? [] : [{ httpAuth: [] }]
  const headers = isTokenRoute ? [VERSION_HEADER, SIGNATURE_HEADER] : [VERSION_HEADER]
  operation['parameters'] = [...listFrom(operation['parameters']), ...headers]
  const responses = operation['responses']
  if (!isJson(responses)) return
  for (const [status, response] of Object.entries(responses)) {
    if (!isJson(response)) continue
    const example = ERROR_EXAMPLES[status]
    if (example !== undefined) addExample(response, example)
    response['description'] = DESCRIPTIONS[status] ?? 'Success.'
    if (status === '204') delete response['content']
  }
}

const SIGNATURE_HEADER = {
  name: 'X-SIGNATURE',
  in: 'header',
  required: false,
  description: 'Base64 of the RSA SHA-256 (PKCS#1 v1.5) signature over the minified body.',
  schema: { type: 'string' },
}

function addExample(response: Json, example: unknown): void {
  const content = response['content']
  if (!isJson(content)) return
  for (const media of Object.values(content)) if (isJson(media)) media['example'] = example
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Accepted for processing; the callback reports every change of the status.',
  204: 'Stored.',
  400: 'The input is not valid against the interface definition.',
  401: 'Missing or wrong token or credential.',
  403: 'The token lacks permission for this request.',
  404: 'X-API-Version is missing or not supported.',
  406: 'The input fails business validation: one item per reason.',
  409: 'The id was already accepted; this request was not processed.',
  410: 'There is no such entity.',
  429: 'Rate limit exceeded; the request was not processed.',
  500: 'Server error; its outcome is not known. Repeat it with the same id.',
}

const basic = (code: string, message: string, extra: Json = {}): Json => ({
  code,
  message,
  requestId: '7Q2M8K1D-4f',
  timestamp: '2026-11-21T10:15:30.123Z',
  docUrl: `http://localhost:8080/errors/${code}`,
  ...extra,
})

const ERROR_EXAMPLES: Readonly<Record<string, unknown>> = {
  400: basic(
    'ATTRIBUTE_INVALID',
    'paymentRequested.money.amount: must be a number (without quotation marks).',
    {
      violations: [
        {
          field: 'paymentRequested.money.amount',
          code: 'ATTRIBUTE_INVALID',
          message: 'must be a number (without quotation marks)',
        },
      ],
    },
  ),
  401: basic('TOKEN_EXPIRED', 'The token has expired.'),
  403: basic('OPERATION_NOT_PERMITTED', 'The token does not permit this operation.'),
  404: basic(
    'API_VERSION_UNSUPPORTED',
    'The header X-API-Version is missing or names an unsupported version.',
    { supportedVersions: [2] },
  ),
  406: [
    {
      code: 'AMOUNT_BELOW_MINIMUM',
      message: 'The amount is below the minimum.',
      field: 'paymentRequested.money.amount',
      paymentMethodCode: 'BANK_TRANSFER',
      limit: { min: 1, max: 100000, currencyCode: 'EUR' },
    },
  ],
  409: basic(
    'ENTITY_DUPLICATED',
    'This id was already accepted; this request was not processed.',
    {
      duplicate: 'IDENTICAL',
      acceptedAt: '2026-11-21T10:15:28.001Z',
    },
  ),
  410: basic('ENTITY_NOT_FOUND', 'There is no entity with this id.'),
  429: basic('RATE_LIMIT_EXCEEDED', 'Too many requests; this one was not processed.'),
  500: basic('SYSTEM', 'The gateway could not process the request; its outcome is not known.'),
}

/** The callback that the gateway sends (specification section 6). */
function webhook(): Json {
  const header = (name: string, description: string, type: string): Json => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type },
  })
  return {
    post: {
      operationId: 'statusChangeCallback',
      summary: 'The status of a payment has changed',
      description:
        'Sent to the callbackUrl. Only 200 counts as received; otherwise it is repeated 4 times at intervals of 2 minutes.',
      tags: ['Incoming payments'],
      security: [],
      parameters: [
        header('webhook-id', 'The same for all repeats of one callback.', 'string'),
        header('webhook-timestamp', 'Seconds since 1970 at the start of this attempt.', 'integer'),
        header(
          'webhook-signature',
          '`v1a,` and the base64 of an ed25519 signature over `id.timestamp.body`; several are separated by a space.',
          'string',
        ),
        header('X-API-Version', 'The interface version of the callback.', 'integer'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: CallbackSchema,
            example: { idEntity: 'ORD-2026-041' },
          },
        },
      },
      responses: {
        200: { description: 'Received.' },
        '4XX': { description: 'Not received: it is repeated.' },
      },
    },
  }
}
