import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createAnswerReader } from '../load/answers.ts'
import { LoadFailed, runLoad } from '../load/drive.ts'
import { ID_LENGTH, ID_PLACEHOLDER, type LoadPlan } from '../load/plan.ts'
import { requestTemplate } from '../load/requests.ts'
import { createChooser } from '../load/templates.ts'

const ANSWER = 'HTTP/1.1 201 Created\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello'

test('an answer is found whole, and in pieces cut anywhere', () => {
  for (let cut = 0; cut <= ANSWER.length; cut += 1) {
    const statuses: number[] = []
    const reader = createAnswerReader({ onAnswer: (status) => statuses.push(status) })
    for (const piece of [ANSWER.slice(0, cut), ANSWER.slice(cut), ANSWER]) {
      if (piece !== '') reader.read(Buffer.from(piece), piece.length)
    }
    assert.deepEqual(statuses, [201, 201], `cut at ${cut}`)
  }
})

test('an answer that does not say how long it is is refused', () => {
  const reader = createAnswerReader({ onAnswer: () => undefined })
  const chunked = Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n')
  assert.throws(() => reader.read(chunked, chunked.length), /does not say how long/)
})

const template = (label: string, ids: 'new' | readonly string[], weight = 1) =>
  requestTemplate({
    label,
    method: 'POST',
    path: `/payins/${ID_PLACEHOLDER}`,
    body: { callbackUrl: `http://a/${ID_PLACEHOLDER}` },
    expectedStatus: 201,
    ids,
    weight,
  })

test('every request has an id of its own, in every place, and is otherwise the same', () => {
  const choose = createChooser([template('create', 'new')])
  const seen = new Set<string>()
  for (let count = 0; count < 1000; count += 1) {
    const text = choose().next().toString('latin1')
    const [first, second] = text.match(/[0-9a-f]{24}/g) ?? []
    assert.equal(first, second)
    assert.equal(text.length, template('create', 'new').text.length)
    seen.add(first ?? '')
  }
  assert.equal(seen.size, 1000)
})

test('templates are chosen by their weights', () => {
  const choose = createChooser([template('often', 'new', 9), template('seldom', 'new', 1)])
  let often = 0
  for (let count = 0; count < 10_000; count += 1) if (choose().labelIndex === 0) often += 1
  assert.ok(often > 8_700 && often < 9_300, `${often} of 10000`)
})

test('ids of a list have the right length', () => {
  assert.throws(() => createChooser([template('read', ['short'])]), new RegExp(`${ID_LENGTH} characters`))
})

async function serverAnswering(
  status: (count: number) => number,
): Promise<{ port: number; close: () => void }> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      count += 1
      response.writeHead(status(count), { 'content-length': '2' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { port: address.port, close: () => server.close() }
}

const planFor = (port: number, change: Partial<LoadPlan> = {}): LoadPlan => ({
  port,
  connections: 4,
  warmupSeconds: 0.1,
  seconds: 0.5,
  templates: [template('create', 'new')],
  ...change,
})

test('the generator counts the answers of the time that is measured, and tells when it begins', async (t) => {
  const server = await serverAnswering(() => 201)
  t.after(server.close)
  let began = false
  const result = await runLoad(planFor(server.port), {
    onMeasuring: () => {
      began = true
    },
  })
  assert.ok(began)
  const [create] = result.labels
  assert.ok(create !== undefined && create.requests > 0)
  assert.equal(
    create.latencies.reduce((sum, [, count]) => sum + count, 0),
    create.requests,
  )
  assert.ok(result.requestsInAll >= create.requests)
})

test('at a fixed rate no more is sent than is due', async (t) => {
  const server = await serverAnswering(() => 201)
  t.after(server.close)
  const { requestsInAll } = await runLoad(planFor(server.port, { ratePerSecond: 100 }))
  assert.ok(requestsInAll > 0 && requestsInAll <= 65, `${requestsInAll} answers within 0.6 s at 100 a second`)
})

test('one answer with another status fails the load, and is shown', async (t) => {
  const server = await serverAnswering((count) => (count === 50 ? 429 : 201))
  t.after(server.close)
  await assert.rejects(runLoad(planFor(server.port)), (error) => {
    assert.ok(error instanceof LoadFailed)
    assert.match(error.message, /an answer was 429, not 201: \{\}/)
    return true
  })
})
