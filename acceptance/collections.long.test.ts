import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { runProgram } from './support/process.ts'

// The API's requests as their programs take them: Postman's are sent by newman, Bruno's are held against Bruno's own schema.

const folder = fileURLToPath(new URL('../tools/collections', import.meta.url))
if (!existsSync(join(folder, 'node_modules/newman')))
  assert.equal(spawnSync('npm', ['ci'], { cwd: folder, stdio: 'ignore' }).status, 0, 'npm ci')

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const served = async (name: string): Promise<unknown> => (await fetch(`${gateway.url}${name}`)).json()
const members = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

const operations = members(at(await served('/openapi.json'), 'paths')).flatMap(([path, methods]) =>
  members(methods).map(([method, operation]) => ({
    summary: textAt(operation, 'summary'),
    address: `${method.toUpperCase()} {{baseUrl}}${path.replace(/\{(\w+)\}/g, '{{$1}}')}`,
  })),
)

/** In a sandbox that is new there are no settlements, rates and logos; what is paid already is not cancelled, and so on. */
const EXPECTED_CODES = [
  'ENTITY_NOT_FOUND',
  'PAYIN_NOT_CANCELLABLE',
  'INVALID_REF_NUM',
  'BALANCE_INSUFFICIENT',
]

test('newman sends every operation of the API in turn, with the merchant’s secret alone', async () => {
  const file = join(gateway.dataDir, 'postman.json')
  const out = join(gateway.dataDir, 'newman.json')
  writeFileSync(file, JSON.stringify(await served('/docs/postman.json')))
  const newman = join(folder, 'node_modules/newman/bin/newman.js')
  const secret = ['--env-var', `secret=${gateway.demo().secret}`]
  const report = ['--reporters', 'json', '--reporter-json-export', out]
  const ended = await runProgram([newman, 'run', file, ...secret, ...report], {}, 120_000)
  assert.equal(ended.code, 0, ended.stdout)
  const sent = listAt(JSON.parse(readFileSync(out, 'utf8')), 'run', 'executions')
  assert.deepEqual(
    sent.map((each) => textAt(each, 'item', 'name')).sort(),
    operations.map(({ summary }) => summary).sort(),
  )
  for (const each of sent) {
    const body = Buffer.from(listAt(each, 'response', 'stream', 'data').map(Number)).toString('utf8')
    const code = /"code":"(\w+)"/.exec(body)?.[1] ?? ''
    const isFine = Number(at(each, 'response', 'code')) < 300
    assert.ok(isFine || EXPECTED_CODES.includes(code), `${textAt(each, 'item', 'name')}: ${body}`)
  }
  const created = sent.filter((each) => Number(at(each, 'response', 'code')) === 201)
  assert.ok(created.length >= 4, 'a payin, a payout, a top-up and a customer')
})

test('Bruno’s collection is one by its schema, and has the same requests', async () => {
  const bruno = await served('/docs/bruno.json')
  const { collectionSchema }: BrunoSchema = createRequire(join(folder, 'package.json'))('@usebruno/schema')
  await collectionSchema.validate(withIds(bruno))
  const requests = listAt(bruno, 'items').flatMap((chapter) => listAt(chapter, 'items'))
  assert.deepEqual(
    requests.map((each) => `${textAt(each, 'request', 'method')} ${textAt(each, 'request', 'url')}`).sort(),
    operations.map(({ address }) => address).sort(),
  )
})

interface BrunoSchema {
  readonly collectionSchema: { validate(value: unknown): Promise<unknown> }
}

let ids = 0

/** Bruno gives each part of a list, and the whole, an id of its own when it takes a collection over. */
function withIds(value: unknown): unknown {
  return { uid: newUid(), ...Object.fromEntries(members(value).map(([name, each]) => [name, inner(each)])) }
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(members(value).map(([name, each]) => [name, inner(each)]))
}

function newUid(): string {
  ids += 1
  return String(ids).padStart(21, '0')
}
