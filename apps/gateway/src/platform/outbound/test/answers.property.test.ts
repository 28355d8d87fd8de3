import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { testRounds } from '@tollgate/testkit'
import fc from 'fast-check'
import { BODY_BYTES_MAX, createOutboundClient, type OutboundResult } from '../client.ts'
import { LOOPBACK_OPEN, receiver, requestTo } from './receivers.ts'

// Receivers that answer anything, in any pieces.

const RUNS = testRounds(250)
/** Far above what an answer takes that ends by itself. */
const DEADLINE_MS = 8_000

const client = createOutboundClient({ policy: LOOPBACK_OPEN })

/** How a receiver answers: these bytes, cut there, and then an end. */
interface Behaviour {
  readonly bytes: Buffer
  /** From 0 to 1. */
  readonly cuts: readonly number[]
  readonly isReset: boolean
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })

async function play(socket: Socket, { bytes, cuts: places, isReset }: Behaviour): Promise<void> {
  socket.setNoDelay(true)
  const ends = [
    ...places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ]
  let at = 0
  for (const end of ends) {
    socket.write(bytes.subarray(at, end))
    at = end
    await turn()
  }
  if (isReset) socket.resetAndDestroy()
  else socket.end()
}

const HEADERS = [
  'Content-Type: text/plain',
  'X-A:',
  'X-A: b\r\nX-A: c',
  'Set-Cookie: a=b',
  'Location: http://169.254.169.254/',
  'Connection: keep-alive',
  `X-Long: ${'y'.repeat(2_000)}`,
]

/** Answers as they should be: any status, some headers, a body with its length, in chunks, or up to the end. */
const honest = fc.record({
  status: fc.integer({ min: 200, max: 999 }),
  reason: fc.constantFrom('', ' OK', ' Not OK at all', ' \u00e9'),
  interim: fc.constantFrom('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  headers: fc.subarray(HEADERS),
  body: fc.string({ maxLength: 6_000 }),
  form: fc.constantFrom('length', 'chunks', 'end'),
  cuts,
})

function bytesOf({
  status,
  reason,
  interim,
  headers,
  body,
  form,
}: Omit<typeof honest extends fc.Arbitrary<infer Value> ? Value : never, 'cuts'>): Buffer {
  const size = Buffer.byteLength(body)
  const framed = {
    length: [`Content-Length: ${size}`, body],
    chunks: [
      'Transfer-Encoding: chunked',
      size === 0 ? '0\r\n\r\n' : `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    end: ['X-End: 1', body],
  }[form]
  const [frame = '', content = ''] = framed
  const head = [`HTTP/1.1 ${status}${reason}`, ...headers, frame].join('\r\n')
  return Buffer.from(`${interim}${head}\r\n\r\n${content}`)
}

/** What any answer may come to: a status that was really sent, or a failure that says nothing of where it was sent. */
function assertSane(result: OutboundResult, bytes: Buffer): void {
  const text = bytes.toString('latin1')
  if (result.kind === 'failed') {
    assert.match(result.reason, /^(?:reset|protocol|other)$/, `${result.reason}: ${JSON.stringify(text)}`)
    assert.doesNotMatch(result.message, /127\.0\.0\.1|:\d{2,5}/)
    return
  }
  assert.ok(result.status >= 200, JSON.stringify(text))
  assert.match(text, new RegExp(`HTTP/1\\.[01] ${result.status}`))
  assert.ok(Buffer.byteLength(result.bodyStart) <= 3 * BODY_BYTES_MAX)
  assert.doesNotMatch(result.bodyStart, /[^\P{Cc}\t\r\n]/u)
}

test('C4 an answer as it should be is read, in whatever pieces it comes', async (t) => {
  let next: Behaviour | undefined
  const shop = await receiver(t, (socket) => {
    socket.once('data', () => next && void play(socket, next))
  })
  await fc.assert(
    fc.asyncProperty(honest, async ({ cuts: places, ...answer }) => {
      // Without content, by definition: what follows is not its body.
      fc.pre(answer.status !== 204 && answer.status !== 304)
      const bytes = bytesOf(answer)
      next = { bytes, cuts: places, isReset: false }
      const result = await client.post({ ...requestTo(shop.url, DEADLINE_MS), mayReuse: false })
      assertSane(result, bytes)
      assert.equal(result.kind === 'answered' && result.status, answer.status, bytes.toString())
    }),
    { numRuns: RUNS },
  )
})

const FRAGMENTS = [
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 200',
  'HTTP/1.0 200 OK\r\n',
  'HTTP/1.1 ',
  'HTTP/2 200\r\n',
  '200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 500\r\n',
  'HTTP/1.1 302 Found\r\nLocation: /\r\n',
  '\r\n',
  '\r\n\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  '5\r\nhello\r\n',
  'ffffffffffffffff\r\n',
  '0\r\n\r\n',
  '{"status":200}',
  'Upgrade: websocket\r\n',
  'X: \u0000\r\n',
  ' folded\r\n',
  ': none\r\n',
  '\n',
  '\u0016\u0003\u0001',
  'x'.repeat(20_000),
]

test('C4 whatever comes back is a result: no status that was not sent, no error, no waiting', async (t) => {
  let next: Behaviour | undefined
  const shop = await receiver(t, (socket) => {
    socket.once('data', () => next && void play(socket, next))
  })
  const fragments = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) },
      fc.uint8Array({ maxLength: 20 }).map((noise) => Buffer.from(noise).toString('latin1')),
    ),
    {
      maxLength: 8,
    },
  )
  const beginnings = fc.constantFrom(
    '',
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 500\r\nX: y\r\n\r\n',
    'HTTP/1.1 102 Wait\r\n\r\n',
  )
  const outcomes = { answered: 0, failed: 0 }
  await fc.assert(
    fc.asyncProperty(beginnings, fragments, cuts, fc.boolean(), async (beginning, parts, places, isReset) => {
      const bytes = Buffer.from(beginning + parts.join(''), 'latin1')
      next = { bytes, cuts: places, isReset }
      const result = await client.post({ ...requestTo(shop.url, DEADLINE_MS), mayReuse: false })
      assertSane(result, bytes)
      assert.ok(
        result.tookMs < DEADLINE_MS,
        `${result.tookMs} ms for ${JSON.stringify(bytes.toString('latin1'))}`,
      )
      outcomes[result.kind] += 1
    }),
    { numRuns: RUNS },
  )
  assert.ok(outcomes.answered > RUNS / 50 && outcomes.failed > RUNS / 50, JSON.stringify(outcomes))
})
