import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { withoutNotices } from '../setup/deaf-relay.ts'

/** A message of PostgreSQL's server: its type, its length, its content. */
function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)])
}

const PARTS = [message('C', 'COMMIT'), message('N', 'canceling wait'), message('N', ''), message('Z', 'I')]
const HEARD = Buffer.concat([message('C', 'COMMIT'), message('Z', 'I')]).toString()

for (const size of [1, 3, 1_000]) {
  test(`notices are left out and nothing else, in pieces of ${size} bytes`, async () => {
    const bytes = Buffer.concat(PARTS)
    const relay = withoutNotices()
    const heard = text(relay)
    for (let start = 0; start < bytes.length; start += size) relay.write(bytes.subarray(start, start + size))
    relay.end()
    assert.equal(await heard, HEARD)
  })
}
