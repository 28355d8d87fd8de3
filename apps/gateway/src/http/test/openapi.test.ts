import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { answers } from '@tollgate/contract'
import type { TestLife } from '@tollgate/testkit'
import { Type } from 'typebox'
import type { App } from '../app-type.ts'
import { describeApi, documentRoutes } from '../openapi.ts'
import { edge } from './http.ts'

const ThingSchema = Type.Object({ name: Type.String() }, { title: 'Thing' })

async function documented(t: TestLife): Promise<App> {
  const { app } = edge(t)
  await documentRoutes(app, 'https://pay.example')
  return app
}

function addRoute(app: App, url: string, schema: typeof ThingSchema | ReturnType<typeof Type.Object>): void {
  app.get(
    url,
    {
      schema: {
        operationId: `read${url.slice(1)}`,
        tags: ['Auth'],
        response: answers({ 200: schema }, 401, 406),
      },
    },
    async () => ({ name: 'x' }),
  )
}

/** Every `$ref` of a document. */
function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  )
}

test('shapes with a title are written once, and every reference leads to one', async (t) => {
  const app = await documented(t)
  addRoute(app, '/a', ThingSchema)
  addRoute(app, '/b', ThingSchema)
  await app.ready()
  const document = JSON.parse(JSON.stringify(describeApi(app)))
  assert.deepEqual(Object.keys(document.paths), ['/a', '/b'])
  const refs = refsIn(document)
  assert.ok(refs.includes('#/components/schemas/Thing'))
  for (const ref of refs) {
    const name = ref.replace('#/components/schemas/', '')
    assert.ok(Object.hasOwn(document.components.schemas, name), ref)
  }
})

test('a shape that is a whole answer here and a part of one there is one shape, with its examples', async (t) => {
  const app = await documented(t)
  const Part = Type.Object({ name: Type.String() }, { title: 'Part', examples: [{ name: 'x' }] })
  addRoute(app, '/a', Part)
  addRoute(app, '/b', Type.Object({ part: Part }))
  await app.ready()
  const { components } = JSON.parse(JSON.stringify(describeApi(app)))
  assert.deepEqual(Object.keys(components.schemas.Part.properties), ['name'])
  assert.deepEqual(components.schemas.Part.examples, [{ name: 'x' }])
})

test('two different shapes under one title are a mistake that does not pass unseen', async (t) => {
  const app = await documented(t)
  addRoute(app, '/a', ThingSchema)
  addRoute(app, '/b', Type.Object({ size: Type.Integer() }, { title: 'Thing' }))
  await app.ready()
  assert.throws(() => describeApi(app), /two different schemas have the title Thing/)
})

test('each operation says how it is secured, which version it wants, and shows an example of each error', async (t) => {
  const app = await documented(t)
  addRoute(app, '/a', ThingSchema)
  await app.ready()
  const { paths } = JSON.parse(JSON.stringify(describeApi(app)))
  const operation = paths['/a'].get
  assert.deepEqual(operation.security, [{ httpAuth: [] }])
  assert.equal(operation.parameters.at(-1).name, 'X-API-Version')
  assert.equal(operation.responses['401'].content['application/json'].example.code, 'TOKEN_EXPIRED')
  assert.ok(Array.isArray(operation.responses['406'].content['application/json'].example))
})

test('an operation whose answer means something of its own says so', async () => {
  const { paths } = JSON.parse(await readFile('docs/openapi.json', 'utf8'))
  const cancel = paths['/payins/{idPayin}/!cancel'].post.responses['409']
  assert.match(cancel.description, /^The payin cannot be cancelled/)
  assert.equal(cancel.content['application/json'].example.code, 'PAYIN_NOT_CANCELLABLE')
  const create = paths['/payins/{idPayin}'].post.responses
  assert.match(create['409'].description, /^The id was already accepted/)
  assert.match(create['201'].description, /callback/)
  assert.equal(paths['/customers/{idCustomer}'].post.responses['201'].description, 'Created.')
  assert.equal(paths['/customers/{idCustomer}/!erase'].post.responses['204'].description, 'Erased.')
  assert.match(paths['/settlements/{idSettlement}'].post.responses['201'].description, /no callback/)
})

test('the callback is described as a webhook with exactly its body', async (t) => {
  const app = await documented(t)
  await app.ready()
  const { webhooks, components } = JSON.parse(JSON.stringify(describeApi(app)))
  const [ref] = refsIn(webhooks.statusChange.post.requestBody)
  const schema = components.schemas[String(ref).replace('#/components/schemas/', '')]
  assert.deepEqual(Object.keys(schema.properties), ['idEntity'])
})

test('the document is served to anyone, as JSON, without itself', async (t) => {
  const app = await documented(t)
  addRoute(app, '/a', ThingSchema)
  const answer = await app.inject({ url: '/openapi.json' })
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.deepEqual(Object.keys(answer.json().paths), ['/a'])
  assert.deepEqual(answer.json().servers, [{ url: 'https://pay.example' }])
})
