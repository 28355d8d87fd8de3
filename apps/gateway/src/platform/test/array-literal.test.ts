import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@tollgate/testkit'
import fc from 'fast-check'
import pg from 'pg'
import { arrayLiteral } from '../database.ts'

const NASTY = [
  '',
  ' ',
  'null',
  'NULL',
  '{',
  '}',
  '{}',
  ',',
  '"',
  '\\',
  '\\"',
  '\\x00',
  'a,b',
  "'",
  '\n',
  '💶',
  '$1',
]

test('the server reads every text, number, truth value and byte as it was', async (t) => {
  const client = new pg.Client({ connectionString: (await testDatabase(t)).url })
  await client.connect()
  t.after(() => client.end())
  const read = async (type: string, values: readonly unknown[]): Promise<unknown> => {
    const result = await client.query<{ read: unknown }>(`select $1::${type}[] as read`, [
      arrayLiteral(values),
    ])
    return result.rows[0]?.read
  }
  const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary' }))
  // PostgreSQL has no text with a zero byte, and no half of a pair.
  const storable = text.map((each) => each.replaceAll('\0', '').toWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(storable)), async (values) => {
      assert.deepEqual(await read('text', values), values)
    }),
  )
  const bytes = [Buffer.from([0, 1, 34, 92, 255]), null, Buffer.alloc(0)]
  assert.deepEqual(await read('bytea', bytes), bytes)
  assert.deepEqual(await read('integer', [1, -2, null, undefined]), [1, -2, null, null])
  assert.deepEqual(await read('boolean', [true, false, null]), [true, false, null])
  assert.deepEqual(await read('double precision', [1.5, -0, 1e21, Infinity, -Infinity, NaN]), [
    1.5,
    0,
    1e21,
    Infinity,
    -Infinity,
    NaN,
  ])
  const exact = ['1.50', '-0.000000000000000001']
  assert.deepEqual(await read('numeric[]::text', exact), exact)
  assert.deepEqual(await read('text', []), [])
})

test('what it does not know is left to the driver', () => {
  for (const value of [new Date(0), {}, ['nested'], 1n]) assert.equal(arrayLiteral(['a', value]), undefined)
})
