import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencePage } from '../reference/page.ts'

const operation = (given: object) => ({
  operationId: 'createThing',
  summary: 'Create a <thing>',
  tags: ['Things'],
  parameters: [{ name: 'idThing', in: 'path', required: true, example: 'T-1', schema: { type: 'string' } }],
  responses: { 201: { description: 'Accepted.' } },
  ...given,
})
const document = (given: object = {}) => ({
  tags: [{ name: 'Things', description: 'All `things`.' }],
  paths: { '/things/{idThing}': { post: operation(given) } },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 5 }, part: { $ref: '#/components/schemas/Thing' } },
      },
    },
  },
})
const page = (isLive: boolean, given: object = {}): string =>
  referencePage({ document: document(given), publicUrl: 'https://api.test', isLive })

test('H23: in live the reference has no form and no script', () => {
  assert.doesNotMatch(page(true), /<form|<script|type="file"/)
  assert.match(page(false), /<form/)
})

test('what the document says stays text', () => {
  assert.match(page(true), /Create a &lt;thing&gt;/)
  assert.doesNotMatch(page(true), /<thing>/)
})

test('a shape within itself is shown to a certain depth', () => {
  const schema = { $ref: '#/components/schemas/Thing' }
  const shown = page(true, { requestBody: { content: { 'application/json': { schema } } } })
  assert.match(shown, /string, at most 5 characters<\/span> <span class="required">required/)
  assert.ok(shown.split('Members of part').length < 12)
})

test('the example names the id, the token and the body', () => {
  const shown = page(true, {
    requestBody: { content: { 'application/json': { schema: {}, example: { a: 1 } } } },
  })
  assert.match(shown, /curl -X POST &#39;https:\/\/api\.test\/things\/T-1&#39;/)
  assert.match(shown, /Authorization: Bearer \$TOKEN/)
  assert.match(shown, /&quot;a&quot;: 1/)
})
