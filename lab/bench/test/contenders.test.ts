import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReport } from '../contenders/pgbench.ts'
import { scriptFor } from '../contenders/pgbench-script.ts'
import { createWireReader, type SeenStatement } from '../contenders/wire.ts'

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const text = (value: string): Buffer => Buffer.from(`${value}\0`)
const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content])
}

test('statements and parameters are read off the wire, however it is cut', () => {
  const startup = Buffer.concat([int32(12), int32(196_608), text('abc')])
  const bytes = Buffer.concat([
    startup,
    message('P', text('insert_one'), text('insert into a values ($1, $2, $3)'), int16(0)),
    message(
      'B',
      text(''),
      text('insert_one'),
      int16(3),
      int16(0),
      int16(0),
      int16(1),
      int16(3),
      int32(2),
      Buffer.from('{}'),
      int32(-1),
      int32(2),
      Buffer.from([0xab, 0xcd]),
      int16(0),
    ),
    message('E', text(''), int32(0)),
    message('Q', text('begin')),
  ])
  for (const step of [1, 3, bytes.length]) {
    const seen: SeenStatement[] = []
    const read = createWireReader((statement) => seen.push(statement))
    for (let at = 0; at < bytes.length; at += step) read(bytes.subarray(at, at + step))
    assert.deepEqual(seen, [
      { name: 'insert_one', text: 'insert into a values ($1, $2, $3)', values: ['{}', null, '\\xabcd'] },
      { name: '', text: 'begin', values: [] },
    ])
  }
})

test('what two requests share stays as it is, and an id that differs is made anew for each transaction', () => {
  const { text: script, variables } = scriptFor({
    text: 'select $1::bigint[], $2::text[], $3::uuid[], $4::bytea[], $12::text[], $1::bigint[]',
    first: [
      '{"1"}',
      '{"capture-0-first"}',
      '{"0e2a1a34-98b4-4a36-9d2f-0b9d1d2f3a4b"}',
      '{"\\\\xab01"}',
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      '{NULL}',
    ],
    second: [
      '{"1"}',
      '{"capture-0-second"}',
      '{"1e2a1a34-98b4-4a36-9d2f-0b9d1d2f3a4b"}',
      '{"\\\\xcd01"}',
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      '{NULL}',
    ],
  })
  assert.equal(
    script,
    `\\set r random(1, 9000000000000000000)
select :p1::bigint[], ('{b' || :r::text || '}')::text[], ('{' || lpad(:r::text, 32, '0') || '}')::uuid[], :p4::bytea[], :p12::text[], :p1::bigint[];
`,
  )
  assert.deepEqual(variables, [
    ['p1', '{"1"}'],
    ['p4', '{"\\\\xab01"}'],
    ['p12', '{NULL}'],
  ])
})

const REPORT = `pgbench (15.18, server 18.4)
number of transactions actually processed: 9174
number of failed transactions: 0 (0.000%)
latency average = 10.463 ms
initial connection time = 41.677 ms
tps = 3058.439978 (without initial connection time)
`

test('the report of pgbench is read', () => {
  assert.deepEqual(parseReport(REPORT), {
    transactions: 9174,
    throughputPerSecond: 3058.439978,
    latencyMeanMs: 10.463,
  })
})

test('a trial in which pgbench got nothing done is the slowest', () => {
  assert.equal(parseReport('number of transactions actually processed: 0\n').throughputPerSecond, 0)
})

test('a transaction of pgbench that failed fails the run', () => {
  assert.throws(
    () => parseReport(REPORT.replace('failed transactions: 0', 'failed transactions: 3')),
    /^Error: 3 trans/,
  )
  assert.throws(() => parseReport('nothing'), /something else than expected/)
})
