import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RowText, rowsOfLife, type Snapshot, type Table } from '../contenders/life-rows.ts'
import { scriptOfLife } from '../contenders/life-script.ts'
import { createRequestReader } from '../load/callbacks.ts'
import { createLives } from '../load/lives.ts'

test('requests are found in the bytes of a connection, however they are cut', () => {
  const request = (path: string, body: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const bytes = Buffer.from(request('/callbacks/one', '{"a":1}') + request('/callbacks/two', ''))
  for (const step of [1, 7, bytes.length]) {
    const paths: string[] = []
    const read = createRequestReader((path) => paths.push(path))
    for (let at = 0; at < bytes.length; at += step) read(bytes.subarray(at, at + step))
    assert.deepEqual(paths, ['/callbacks/one', '/callbacks/two'])
  }
})

const preparedAs = (id: string) => ({
  labelIndex: 0,
  expectedStatus: 201,
  next: () => Buffer.alloc(0),
  id: () => id,
})

test('the time of a life counts from when its request was due, late as it may have been sent', () => {
  const ended: (readonly [string, number])[] = []
  const lives = createLives({ ports: [], inFlightMax: 1 }, (prepared, dueMs) =>
    ended.push([prepared.id(), dueMs]),
  )
  lives.onSent(preparedAs('late'), 7)
  lives.onCallback('late')
  assert.deepEqual(ended, [['late', 7]])
})

test('a payment begins when another has ended, a repeated callback ends none, and at the end all are waited for', async () => {
  const ended: string[] = []
  const sent: string[] = []
  const lives = createLives({ ports: [], inFlightMax: 2 }, (prepared) => ended.push(prepared.id()))
  const connection = {
    send(dueMs: number) {
      const id = `id-${sent.length + 1}`
      sent.push(id)
      lives.onSent(preparedAs(id), dueMs)
    },
  }
  for (let count = 0; count < 4; count += 1) lives.onFree(connection)
  assert.deepEqual(sent, ['id-1', 'id-2'])
  for (const id of ['id-1', 'id-1', 'unknown']) lives.onCallback(id)
  assert.deepEqual([ended, sent], [['id-1'], ['id-1', 'id-2', 'id-3']])
  const end = lives.end()
  for (const id of ['id-2', 'id-3']) lives.onCallback(id)
  await end
  assert.deepEqual(
    [ended, sent],
    [
      ['id-1', 'id-2', 'id-3'],
      ['id-1', 'id-2', 'id-3'],
    ],
  )
})

const table = (
  name: string,
  key: readonly string[],
  ...columns: readonly (readonly [string, string])[]
): Table => ({
  name,
  key,
  columns: columns.map(([column, type]) => ({ name: column, type, isNumbered: column === 'number' })),
})
const PAYMENTS = table('payments', ['id'], ['id', 'text'], ['merchant_id', 'bigint'], ['status', 'text'])
const BALANCES = table('balances', ['merchant_id'], ['merchant_id', 'bigint'], ['available', 'numeric'])
/** With a number that the database gives. */
const ATTEMPTS = table(
  'callback_attempts',
  ...([['event_id'], ['number', 'bigint'], ['event_id', 'uuid'], ['id', 'text']] as const),
)
const OTHERS = table('others', ['name'], ['name', 'text'], ['seen', 'text'])

const snapshot = (...rows: readonly (readonly [Table, RowText])[]): Snapshot =>
  new Map(
    rows.map(([{ name, key }, row]) => [JSON.stringify([name, ...key.map((column) => row[column])]), row]),
  )

test('PostgreSQL alone writes the rows of one payment in three transactions, and nothing else', () => {
  const tables = [PAYMENTS, BALANCES, ATTEMPTS, OTHERS]
  const payment = (status: string) => [PAYMENTS, { id: 'life-0001', merchant_id: '7', status }] as const
  const balance = (available: string) => [BALANCES, { merchant_id: '7', available }] as const
  const other = (seen: string) => [OTHERS, { name: 'worker', seen }] as const
  const event_id = '0e2a1a34-98b4-4a36-9d2f-0b9d1d2f3a4b'
  const attempt = [ATTEMPTS, { number: '5', event_id, id: 'life-0001' }] as const
  const rows = rowsOfLife(
    tables,
    {
      before: snapshot(balance('10'), other('a')),
      created: snapshot(balance('10'), other('b'), payment('CREATED')),
      booked: snapshot(balance('15.5'), other('c'), payment('SUCCESS'), attempt),
      noted: snapshot(balance('15.5'), other('d'), payment('SUCCESS'), attempt),
    },
    { merchantId: '7', idPayment: 'life-0001' },
  )
  const life = { rows, merchantId: '7', idPayment: 'life-0001', drawn: [], merchants: { from: 1, to: 9 } }
  const { text, variables } = scriptOfLife(life)
  assert.equal(
    text,
    String.raw`\set r random(1, 9000000000000000000)
\set m random(1, 9)
\startpipeline
begin;
insert into payments (id, merchant_id, status) values (('b' || :r::text)::text, :m, :v1::text::text);
commit;
\endpipeline
\startpipeline
begin;
update payments set status = :v3::text::text where id = ('b' || :r::text)::text;
update balances set available = available + :v2::numeric where merchant_id = :m;
commit;
\endpipeline
\startpipeline
begin;
insert into callback_attempts (event_id, id) values ((lpad(:r::text, 30, '0') || '01')::uuid, ('b' || :r::text)::text);
commit;
\endpipeline
`,
  )
  assert.deepEqual(variables, [
    ['v1', 'CREATED'],
    ['v2', '5.5'],
    ['v3', 'SUCCESS'],
  ])
})
