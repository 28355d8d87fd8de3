import swagger from '@fastify/swagger'
import { CallbackSchema } from '@tollgate/contract'
import type { App } from './app-type.ts'
import {
  type Answers,
  basicExample,
  describeRoutes,
  explainAnswers,
  type Json,
  listFrom,
  serveDocument,
} from './openapi-shapes.ts'

const VERSION_HEADER = {
  name: 'X-API-Version',
  in: 'header',
  required: true,
  description: 'The MAJOR version of the interface alone.',
  schema: { type: 'integer', format: 'int32', enum: [2] },
  example: 2,
}

/** The interface version of the specification (section 9). */
export const INTERFACE_VERSION = '2.83'

const TAGS = [
  { name: 'Auth', description: 'Tokens: who calls, and what they may do.' },
  {
    name: 'Payments',
    description:
      'What all payments share, and top-ups: money from another account into the merchant’s wallet.',
  },
  { name: 'Incoming payments', description: 'Money from a customer to the merchant.' },
  { name: 'Outgoing payments', description: 'Money from the merchant to another account.' },
  { name: 'Customers', description: 'The merchant’s own customers, and what they paid and were paid.' },
  { name: 'Accounts', description: 'Balances of the merchant.' },
  {
    name: 'Settlements',
    description: 'What became available, and paying it out to the merchant’s own account.',
  },
  { name: 'Merchant info', description: 'The merchant behind the token, and the reference lists.' },
  { name: 'Rate lists', description: 'Exchange rates: dated sheets, and what money is worth by them.' },
  { name: 'Sandbox', description: 'What developers look at and make happen. Live has none of it.' },
]

/** Describes every route from the schemas that validate it, served at /openapi.json. Call before the routes are added. */
export async function documentRoutes(app: App, serverUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tollgate API',
        version: INTERFACE_VERSION,
        description:
          'Payment gateway: incoming payments, payouts and top-ups, their callbacks, settlements, customers, balances, rate lists and reference lists.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: serverUrl }],
      tags: TAGS,
      components: { securitySchemes: { httpAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
  })
  serveDocument(app, describeApi)
}

/** The finished document: shared shapes as components, examples for every answer, the callback as a webhook. */
export function describeApi(app: App): Json {
  return describeRoutes(app, { finish, webhooks: { statusChange: webhook() } })
}

/** Adds what the route schemas cannot say: security, the version header and examples of the errors. */
function finish(operation: Json, path: string): void {
  const isTokenRoute = path.startsWith('/auth-tokens')
  const isOpen = path.startsWith('/brand-logos/')
  operation['security'] = isTokenRoute || isOpen ? [] : [{ httpAuth: [] }]
  const headers = isOpen ? [] : isTokenRoute ? [VERSION_HEADER, SIGNATURE_HEADER] : [VERSION_HEADER]
  operation['parameters'] = [...listFrom(operation['parameters']), ...headers]
  const own = OWN_ANSWERS[String(operation['operationId'])]
  explainAnswers(operation, {
    descriptions: { ...DESCRIPTIONS, ...own?.descriptions },
    examples: { ...ERROR_EXAMPLES, ...own?.examples },
  })
}

const SIGNATURE_HEADER = {
  name: 'X-SIGNATURE',
  in: 'header',
  required: false,
  description: 'Base64 of the RSA SHA-256 (PKCS#1 v1.5) signature over the minified body.',
  schema: { type: 'string' },
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

const ERROR_EXAMPLES: Readonly<Record<string, unknown>> = {
  400: basicExample(
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
  401: basicExample('TOKEN_EXPIRED', 'The token has expired.'),
  403: basicExample('OPERATION_NOT_PERMITTED', 'The token does not permit this operation.'),
  404: basicExample(
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
  409: basicExample('ENTITY_DUPLICATED', 'This id was already accepted; this request was not processed.', {
    duplicate: 'IDENTICAL',
    acceptedAt: '2026-11-21T10:15:28.001Z',
  }),
  410: basicExample('ENTITY_NOT_FOUND', 'There is no entity with this id.'),
  429: basicExample('RATE_LIMIT_EXCEEDED', 'Too many requests; this one was not processed.'),
  500: basicExample('SYSTEM', 'The gateway could not process the request; its outcome is not known.'),
}

/** What a status means where it is not what it means elsewhere, by operation. */
const OWN_ANSWERS: Readonly<Record<string, Partial<Answers>>> = {
  cancelPayin: {
    descriptions: { 409: 'The payin cannot be cancelled; nothing was changed. The message says why.' },
    examples: {
      409: basicExample('PAYIN_NOT_CANCELLABLE', 'This payin cannot be cancelled: it is SUCCESS.'),
    },
  },
  createCustomer: { descriptions: { 201: 'Created.' } },
  eraseCustomer: { descriptions: { 204: 'Erased.' } },
  requestSettlement: {
    descriptions: {
      201: 'Accepted for processing. There is no callback: read the settlement to see how it goes on.',
    },
  },
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
        'Sent to the callbackUrl of a payin, payout or top-up, for every change of its status. Only 200 counts as received; otherwise it is repeated 4 times at intervals of 2 minutes. An answer has 10 seconds.',
      tags: ['Payments'],
      security: [],
      parameters: [
        header('webhook-id', 'The same for all repeats of one callback.', 'string'),
        header('webhook-timestamp', 'Seconds since 1970 at the start of this attempt.', 'integer'),
        header(
          'webhook-signature',
          'Over `id.timestamp.body`: `v1a,` and the base64 of an ed25519 signature; and `v1,` and the base64 of an HMAC-SHA-256 where the merchant has a shared secret. Several are separated by a space.',
          'string',
        ),
        header('X-API-Version', 'The interface version of the callback.', 'integer'),
        header(
          'webhook-event-type',
          '`payin.status`, `payout.status` or `topup.status`: the kind of payment that `idEntity` names. `refund.status`: a refund of the payin that it names.',
          'string',
        ),
        header('User-Agent', '`Tollgate/`, the version of the gateway, and `(+callback)`.', 'string'),
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
        200: { description: 'Received. The body is not read.' },
        '2XX': { description: 'Any other than 200: not received, and repeated.' },
        '3XX': { description: 'Not followed: not received, and repeated.' },
        '4XX': { description: 'Not received, and repeated.' },
        '5XX': { description: 'Not received, and repeated.' },
      },
    },
  }
}
