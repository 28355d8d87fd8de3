import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brunoCollection, postmanCollection } from '../reference/collections.ts'

const signature = { name: 'X-SIGNATURE', in: 'header', schema: { type: 'string' } }
const example = { merchantCode: 'DEMO', timestamp: 1795255200, operations: ['GET /payins/.*'] }
const document = {
  tags: [{ name: 'Auth', description: 'Tokens.' }],
  paths: {
    '/auth-tokens': {
      post: {
        operationId: 'createAuthToken',
        summary: 'Create a token',
        tags: ['Auth'],
        security: [],
        parameters: [signature],
        requestBody: { content: { 'application/json': { schema: {}, example } } },
      },
    },
  },
}

for (const [name, make] of [
  ['Postman', postmanCollection],
  ['Bruno', brunoCollection],
] as const)
  test(`${name}: live asks for a signature and never for a secret, the sandbox for the secret alone`, () => {
    const textFor = (isLive: boolean): string =>
      JSON.stringify(make({ document, publicUrl: 'https://pay.example', isLive }))
    assert.match(textFor(true), /\{\{signature\}\}/)
    assert.doesNotMatch(textFor(true), /\{\{secret\}\}|DEMO/)
    assert.match(textFor(false), /\{\{secret\}\}/)
    assert.doesNotMatch(textFor(false), /\{\{signature\}\}|1795255200/)
  })
