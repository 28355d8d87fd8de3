import {
  HAND_OVER_EXAMPLE,
  HandOverRequestSchema,
  NotificationSchema,
  PAYEE_QUESTION_EXAMPLE,
  PayeeAnswerSchema,
  PayeeQuestionSchema,
  PaymentStateSchema,
  ProtocolErrorSchema,
  ProtocolMoneySchema,
  STATE_EXAMPLE,
} from '@tollgate/rail-protocol'

type Json = Record<string, unknown>

const SIGNED = [
  'Everything is signed, and what is not is not believed. A request carries `Tollgate-Key` (the name of the shared secret),',
  '`Tollgate-Timestamp` (seconds since 1970, at most 300 from the receiver’s clock) and `Tollgate-Signature: v1=<hex>`:',
  'HMAC-SHA-256 over the lines `v1`, method, path with query, timestamp, SHA-256 of the body in hex, joined by line feeds.',
  'An answer carries the last two; its lines are `v1`, `ANSWER`, status, the signature of the request in hex, timestamp,',
  'SHA-256 of the body in hex. Each side signs with a key of its own, derived from the shared secret:',
  'HMAC-SHA-256(secret, `tollgate gateway`) for what the gateway sends, HMAC-SHA-256(secret, `tollgate institution`) for',
  'what the institution sends.',
].join(' ')

const DESCRIPTION = [
  'What the gateway asks of an institution’s adapter, and how the institution reports. An adapter stands between the gateway',
  'and a bank, wallet or scheme, under a base URL of its own. The reference is the key of everything: a request that comes',
  'again is the same request. Bodies are JSON in UTF-8 of at most 16 KiB; amounts are texts. Members that a receiver does not',
  'know are left alone.\n\n',
].join(' ')

const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const content = (name: string, example: unknown): Json => ({
  'application/json': { schema: schemaRef(name), example },
})
const signedHeaders = {
  'Tollgate-Timestamp': { $ref: '#/components/headers/TollgateTimestamp' },
  'Tollgate-Signature': { $ref: '#/components/headers/TollgateSignature' },
}
const answer = (description: string, name: string, example: unknown): Json => ({
  description,
  headers: signedHeaders,
  content: content(name, example),
})
const state = (description: string, status: string): Json =>
  answer(description, 'PaymentState', { ...withoutPayer, status })
const problem = (description: string, code: string, message: string): Json =>
  answer(description, 'ProtocolError', { code, message })

const { payer: _payer, ...withoutPayer } = STATE_EXAMPLE
const NOT_FOUND = problem('The reference is not known.', 'NOT_FOUND', 'There is no such payment.')
const reference = { $ref: '#/components/parameters/Reference' }

const paths: Json = {
  '/payments/{reference}': {
    parameters: [reference],
    put: {
      operationId: 'handOverPayment',
      summary: 'Take a payment, once, however often it is handed over',
      tags: ['Payments'],
      requestBody: { required: true, content: content('HandOverRequest', HAND_OVER_EXAMPLE) },
      responses: {
        200: state(
          'The reference is known with the same content; the payment is as it is by now.',
          'PENDING',
        ),
        201: state('The payment is taken.', 'PENDING'),
        400: problem(
          'The payment cannot be taken, now or later.',
          'ACCOUNT_INVALID',
          'There is no such account.',
        ),
        409: problem(
          'The reference is known with other content. Nothing was changed.',
          'CONFLICT',
          'The reference is known with another amount.',
        ),
      },
    },
    get: {
      operationId: 'readPayment',
      summary: 'Tell what became of a payment',
      tags: ['Payments'],
      responses: { 200: state('The payment as it is.', 'PENDING'), 404: NOT_FOUND },
    },
  },
  '/payments/{reference}/cancel': {
    parameters: [reference],
    post: {
      operationId: 'cancelPayment',
      summary: 'Call a payment off, if it is not too late; the state says what became of it',
      tags: ['Payments'],
      responses: { 200: state('What became of it.', 'CANCELLED'), 404: NOT_FOUND },
    },
  },
  '/payee-checks': {
    post: {
      operationId: 'checkPayee',
      summary: 'Say whether the name and the account of a payee belong together; asking changes nothing',
      description:
        'Only asked of the adapter that TOLLGATE_PAYEE_CHECKS_FILE names, which need not be one of a rail. Without a signed answer, or with 500 and more, it is asked again later; another status counts as NOT_CHECKED.',
      tags: ['Payees'],
      requestBody: { required: true, content: content('PayeeQuestion', PAYEE_QUESTION_EXAMPLE) },
      responses: {
        200: answer('What the bank of the payee says.', 'PayeeAnswer', { result: 'MATCH' }),
        400: problem(
          'It cannot be asked about, now or later.',
          'ACCOUNT_INVALID',
          'There is no such account.',
        ),
      },
    },
  },
}

const webhooks: Json = {
  notification: {
    post: {
      operationId: 'notifyGateway',
      summary: 'Tell the gateway that a payment has changed',
      description:
        'Sent to `/rails/{railCode}/notifications` of the gateway’s API, where railCode is the code under which the gateway knows the institution. Exactly this path is signed, whatever stands before it in the public address. 200 says that the message is stored; anything but 200 and 401 is to be sent again, under the same idNotification.',
      tags: ['Notifications'],
      requestBody: {
        required: true,
        content: content('Notification', { idNotification: 'N-2026-000913', payment: STATE_EXAMPLE }),
      },
      responses: {
        200: {
          description: 'Stored; also for a repeat.',
          content: { 'application/json': { schema: { type: 'object' }, example: {} } },
        },
        401: {
          description: 'The signature is not valid, or the time is too far away. Send it with a new time.',
        },
        404: { description: 'There is no such rail.' },
        429: { description: 'Too many messages; this one was not stored. Send it again after Retry-After.' },
        500: { description: 'It may not be stored. Send it again.' },
      },
    },
  },
}

const components: Json = {
  securitySchemes: {
    tollgateSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'Tollgate-Signature',
      description:
        'Together with Tollgate-Key and Tollgate-Timestamp, as the description of this document says.',
    },
  },
  parameters: {
    Reference: {
      name: 'reference',
      in: 'path',
      required: true,
      description: 'The gateway’s name of the payment.',
      schema: HandOverRequestSchema.properties.reference,
    },
  },
  headers: {
    TollgateTimestamp: {
      description: 'Seconds since 1970.',
      schema: { type: 'string' },
      example: '1790000000',
    },
    TollgateSignature: {
      description: 'Of this answer, bound to its request.',
      schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
      example: `v1=${'0123456789abcdef'.repeat(4)}`,
    },
  },
  schemas: {
    HandOverRequest: HandOverRequestSchema,
    PaymentState: PaymentStateSchema,
    Notification: {
      ...NotificationSchema,
      properties: { ...NotificationSchema.properties, payment: schemaRef('PaymentState') },
    },
    ProtocolError: ProtocolErrorSchema,
    Money: ProtocolMoneySchema,
    PayeeQuestion: PayeeQuestionSchema,
    PayeeAnswer: PayeeAnswerSchema,
  },
}

/** The open rail protocol as an OpenAPI document, made from the schemas that the gateway itself uses. */
export function railProtocolDocument(): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate open rail protocol',
      version: '1',
      description: DESCRIPTION + SIGNED,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'http://localhost:8083', description: 'The adapter; here the bank simulator of the sandbox.' },
    ],
    security: [{ tollgateSignature: [] }],
    tags: [
      { name: 'Payments', description: 'What the adapter answers.' },
      { name: 'Payees', description: 'What is asked before money leaves.' },
      { name: 'Notifications', description: 'What the institution sends on its own.' },
    ],
    paths,
    webhooks,
    components,
  }
  return `${JSON.stringify(withSharedMoney(document), null, 2)}\n`
}

/** Money is one shape: wherever it stands inside another, the reference stands for it. */
function withSharedMoney(document: Json): unknown {
  const money = JSON.stringify(ProtocolMoneySchema.properties)
  const share = (value: unknown, path: string): unknown => {
    if (isList(value)) return value.map((item) => share(item, path))
    if (typeof value !== 'object' || value === null) return value
    const entries: [string, unknown][] = Object.entries(value)
    const memberOf = (wanted: string): unknown => entries.find(([name]) => name === wanted)?.[1]
    if (path !== '/components/schemas/Money' && JSON.stringify(memberOf('properties')) === money) {
      const description = memberOf('description')
      return { ...schemaRef('Money'), ...(description !== undefined && { description }) }
    }
    return Object.fromEntries(entries.map(([name, each]) => [name, share(each, `${path}/${name}`)]))
  }
  return share(document, '')
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
