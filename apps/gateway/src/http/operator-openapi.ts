import swagger from '@fastify/swagger'
import type { App } from './app-type.ts'
import { basicExample, describeRoutes, explainAnswers, type Json, serveDocument } from './openapi-shapes.ts'

const TAGS = [
  { name: 'Operators', description: 'Who operates the gateway, and what they may do.' },
  {
    name: 'Institutions',
    description: 'Banks, wallets and rails: whether they are there, and what they report.',
  },
  { name: 'Payments', description: 'A payment with everything that happened to it.' },
  {
    name: 'Settlements',
    description: 'When merchants’ money becomes available, and where it is paid out to.',
  },
  { name: 'Restore gap', description: 'After a restore: what was paid since the backup.' },
  { name: 'Merchants', description: 'Merchants, their credentials and terms.' },
  { name: 'Catalogue', description: 'What can be paid with: methods, banks, currencies, limits and fees.' },
  {
    name: 'Bank accounts',
    description: 'Your own accounts: where customers pay to, and payouts leave from.',
  },
  { name: 'Callbacks', description: 'What merchants are told, and whether they heard it.' },
  { name: 'Customers', description: 'Merchants’ customers, without what names them.' },
  { name: 'Audit log', description: 'What operators did, before and after, in one chain of hashes.' },
  { name: 'Balances', description: 'What merchants have and owe, and what is in suspense.' },
  { name: 'Journal', description: 'All transfers of the ledger in one chain of hashes.' },
  { name: 'Rate lists', description: 'What currencies are worth, sheet by sheet.' },
  { name: 'Retention', description: 'What is kept for a time only.' },
  { name: 'Payouts', description: 'Money that leaves, and those who let it.' },
  { name: 'Statements', description: 'What our banks say arrived and left, and the payments it belongs to.' },
  {
    name: 'Payout files',
    description: 'Payouts on their way to a bank in files, and what the bank reports.',
  },
  { name: 'Reviews', description: 'Payments with unknown outcome, which operators decide.' },
]

/** Describes every route of the operator API, served at /openapi.json. Call before the routes are added. */
export async function documentOperatorRoutes(app: App, serverUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tollgate operator API',
        version: '1',
        description: 'For the people who operate the gateway. Merchants never reach it.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: serverUrl }],
      tags: TAGS,
      components: {
        securitySchemes: {
          operatorKey: { type: 'http', scheme: 'bearer', bearerFormat: 'tgop_… or tgos_…' },
        },
      },
    },
  })
  serveDocument(app, describeOperatorApi)
}

/** The finished document: shared shapes as components, examples for every answer. */
export function describeOperatorApi(app: App): Json {
  return describeRoutes(app, { finish })
}

function finish(operation: Json): void {
  operation['security'] ??= [{ operatorKey: [] }]
  explainAnswers(operation, { descriptions: DESCRIPTIONS, examples: ERROR_EXAMPLES })
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Done.',
  204: 'Done.',
  400: 'The input is not valid against the interface definition.',
  401: 'Missing or wrong operator key.',
  403: 'No role of the operator permits this.',
  404: 'There is no such operation.',
  406: 'A rule of the business does not allow it: one item per reason.',
  409: 'Somebody was faster, or it is done already; nothing was changed by this request.',
  410: 'There is no such entity.',
  429: 'Too many requests, or too many wrong keys from this address; the request was not processed.',
  500: 'Server error; its outcome is not known. Look before you repeat it.',
}

const ERROR_EXAMPLES: Readonly<Record<string, unknown>> = {
  400: basicExample('ATTRIBUTE_REQUIRED', 'reason: is missing.', {
    violations: [{ field: 'reason', code: 'ATTRIBUTE_REQUIRED', message: 'is missing' }],
  }),
  401: basicExample('TOKEN_INVALID', 'The operator key is not valid.'),
  403: basicExample('OPERATION_NOT_PERMITTED', 'Your roles do not permit this: it needs payouts.approve.'),
  404: basicExample('ROUTE_NOT_FOUND', 'There is no such operation.'),
  406: [
    {
      code: 'APPROVAL_OWN_REQUEST',
      message: 'You requested this payment, so other operators have to approve it.',
    },
  ],
  409: basicExample(
    'APPROVAL_NOT_OPEN',
    'This payment is not waiting for approval: it is SUCCESS (CONFIRMED).',
  ),
  410: basicExample('ENTITY_NOT_FOUND', 'There is no entity with this id.'),
  429: basicExample('RATE_LIMIT_EXCEEDED', 'Too many requests; this one was not processed.'),
  500: basicExample('SYSTEM', 'The gateway could not process the request; its outcome is not known.'),
}
