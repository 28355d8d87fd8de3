import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { formTokenOf } from '../src/session.ts'
import { readUpload } from '../src/uploads.ts'
import { COOKIE, openRig, type Rig, refusal, SESSION, selfWith } from './support.ts'

// Uploading a bank's file by a plain form: what is sent on, what is refused, and what hostile bodies come to.

const PATH = '/statements/import/take'
const me = selfWith('statements.read', 'statements.take', 'confirmations.read')
const TAKEN = {
  result: 'TAKEN',
  fileId: '12',
  format: 'MT940',
  warnings: ['the sums differ'],
  looked: 2,
  matched: 1,
  statements: [
    {
      label: 'statement 1',
      accountCode: 'MAIN',
      currencyCode: 'EUR',
      lineCount: 2,
      knownCount: 1,
      pendingCount: 0,
    },
  ],
}
const WAITING = {
  confirmationId: '31',
  kind: 'STATEMENT_FILE',
  state: 'WAITING',
  title: 'a.sta',
  digest: 'ab',
  lineIds: [],
  proposedBy: 'operator:ada',
  proposedAt: '2026-11-20T18:04:11.093Z',
  expireAt: '2026-11-23T18:04:11.093Z',
  sums: [],
}

const openForm = (
  t: Parameters<typeof openRig>[0],
  answer: Rig['answers'][string] = { body: TAKEN },
): Promise<Rig> =>
  openRig(t, {
    'GET /operator/me': me,
    'GET /operator/statements': { body: { data: [] } },
    'POST /operator/statements': answer,
  })

const changes = ({ heard }: Rig) => heard.filter(({ method }) => method !== 'GET')

/** As a browser at our own page sends it. */
function upload(rig: Rig, data: FormData, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(rig.url + PATH, {
    method: 'POST',
    body: data,
    headers: { cookie: COOKIE, origin: rig.url, 'sec-fetch-site': 'same-origin', ...headers },
    redirect: 'manual',
  })
}

function dataOf(fields: Readonly<Record<string, string>>, file = new File([':20:'], 'a.sta')): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries({ formToken: formTokenOf(SESSION), ...fields }))
    data.append(name, value)
  data.append('file', file)
  return data
}

test('a file is sent on as it is, with what was said of it, and what followed is shown', async (t) => {
  const rig = await openForm(t)
  const file = new File([':20:\r\n--not-a-boundary\r\n'], 'C:\\bank\\Kontoauszug "März".sta')
  const answer = await upload(
    rig,
    dataOf({ account: 'MAIN', encoding: 'cp850', strict: 'true', mapping: '' }, file),
  )
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  const [sent] = changes(rig)
  assert.equal(sent?.body, ':20:\r\n--not-a-boundary\r\n')
  assert.deepEqual(Object.fromEntries(sent.query), {
    fileName: 'Kontoauszug "März".sta',
    account: 'MAIN',
    encoding: 'cp850',
    strict: 'true',
  })
  assert.match(text, /was imported\.<\/b> 1 of 2 new lines matched/)
  assert.match(text, /<a href="\/suspense">1 line waits in suspense<\/a>/)
  assert.match(text, /the sums differ/)
})

test('bytes of any kind arrive unchanged', async () => {
  const bytes = Buffer.from(Array.from({ length: 2_048 }, (_, index) => index % 256))
  const request = new Request('http://x/', { method: 'POST', body: dataOf({}, new File([bytes], 'b')) })
  const type = request.headers.get('content-type') ?? ''
  const sent = await readUpload(Buffer.from(await request.arrayBuffer()), type)
  assert.deepEqual(Buffer.from(sent?.file?.bytes ?? []), bytes)
})

test('what needs a second operator leads to its confirmation', async (t) => {
  const rig = await openForm(t, { status: 202, body: { waiting: WAITING } })
  assert.equal((await upload(rig, dataOf({}))).headers.get('location'), '/confirmations/31?done=waits')
})

test('a file that is refused is refused with its line, and what was typed is kept', async (t) => {
  const rig = await openForm(t, refusal(400, 'BODY_INVALID', 'line 14: is no booking.'))
  const answer = await upload(rig, dataOf({ encoding: 'cp852', mapping: '{"delimiter": ";"}' }))
  const text = await answer.text()
  assert.equal(answer.status, 400)
  assert.match(text, /Not done\.<\/b> line 14: is no booking\./)
  assert.match(text, /Choose the file again/)
  assert.match(text, /name="encoding" value="cp852"/)
  assert.match(text, /\{&quot;delimiter&quot;: &quot;;&quot;\}/)
})

test('no file, or an empty one, is said to be so', async (t) => {
  const rig = await openForm(t)
  for (const [file, says] of [
    [new File([], ''), 'No file was chosen'],
    [new File([], 'a.sta'), 'a.sta is empty'],
  ] as const) {
    const answer = await upload(rig, dataOf({}, file))
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), new RegExp(says))
  }
  assert.equal(changes(rig).length, 0)
})

test('without the operator API the file is to be chosen again: a browser does not keep it', async (t) => {
  const rig = await openForm(t, { status: 503, body: 'away' })
  const answer = await upload(rig, dataOf({}))
  assert.equal(answer.status, 503)
  assert.match(
    await answer.text(),
    /not known whether it was done[\s\S]*href="\/statements\/import"[\s\S]*Choose the file again/,
  )
})

const BOUNDARY = '----WebKitFormBoundaryABCDEFGHIJKLMNOP'
const part = (name: string, value: string, more = ''): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const token = (): string => part('formToken', formTokenOf(SESSION))
const END = `--${BOUNDARY}--\r\n`
const FILE = part('file', ':20:', '; filename="a.sta"')

const HOSTILE: Readonly<Record<string, () => string>> = {
  'no end': () => token() + FILE,
  'no parts': () => '',
  'only an end': () => END,
  'two files': () => token() + FILE + FILE + END,
  'two files of other names': () => token() + FILE + FILE.replace('"file"', '"other"') + END,
  'two tokens': () => token() + token() + FILE + END,
  'many parts': () => token() + part('a', 'b').repeat(100_000) + FILE + END,
  'a field of a megabyte': () => token() + part('mapping', 'x'.repeat(1_000_000)) + FILE + END,
  'no name': () => `${token()}--${BOUNDARY}\r\ncontent-disposition: form-data\r\n\r\nx\r\n${FILE}${END}`,
  'no header': () => `${token()}--${BOUNDARY}\r\n\r\nx\r\n${FILE}${END}`,
  'an endless header': () => `${token()}--${BOUNDARY}\r\nx: ${'y'.repeat(200_000)}`,
  'a part within a part': () =>
    token() + part('file', part('file', 'x'), '; filename="a"').replaceAll('\r\n', '\n') + END,
  'another boundary': () => (token() + FILE + END).replaceAll('MNOP', 'MNOQ'),
  'the token in the file': () => part('file', formTokenOf(SESSION), '; filename="formToken"') + END,
  'the token as a file': () => part('formToken', formTokenOf(SESSION), '; filename="a"') + FILE + END,
}

test('K30 a hostile body is a form without its token, and nothing is sent on', async (t) => {
  const rig = await openForm(t)
  const types = [`multipart/form-data; boundary=${BOUNDARY}`, `multipart/form-data; boundary="${BOUNDARY}"`]
  for (const [what, body] of Object.entries(HOSTILE))
    for (const type of types) {
      const answer = await send(rig, body(), type)
      assert.ok([403, 413].includes(answer.status), `${what}: ${answer.status}`)
    }
  const right = token() + FILE + END
  for (const type of [
    'multipart/form-data',
    `multipart/form-data; boundary=`,
    `multipart/form-data; boundary=${BOUNDARY}; boundary=other`,
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
    `multipart/mixed; boundary=${BOUNDARY}`,
    'application/octet-stream',
    'application/json',
  ]) {
    const { status } = await send(rig, right, type)
    assert.ok(status >= 400 && status < 500, `${type}: ${status}`)
  }
  assert.equal(changes(rig).length, 0)
  assert.equal((await send(rig, right, types[0] ?? '')).status, 200)
})

function send(rig: Rig, body: string, contentType: string): Promise<Response> {
  return fetch(rig.url + PATH, {
    method: 'POST',
    body,
    headers: {
      cookie: COOKIE,
      origin: rig.url,
      'sec-fetch-site': 'same-origin',
      'content-type': contentType,
    },
    redirect: 'manual',
  })
}

test('K31 nobody’s file is read before it is known who sends it, and that they may', async (t) => {
  const rig = await openForm(t)
  assert.equal((await upload(rig, dataOf({}), { origin: 'https://evil.example' })).status, 403)
  assert.equal(
    (await upload(rig, dataOf({ formToken: formTokenOf('tgos_another-session-altogether') }))).status,
    403,
  )
  // Their head alone is answered: not a byte of the body was sent.
  assert.match(await headOnly(rig, ''), /^HTTP\/1\.1 303 [\s\S]*location: \/sign-in/i)
  rig.answers['GET /operator/me'] = selfWith('statements.read')
  assert.match(await headOnly(rig, COOKIE), /^HTTP\/1\.1 403 /)
  rig.answers['GET /operator/me'] = me
  assert.match(await headOnly(rig, COOKIE, 17 * 1_048_576), /^HTTP\/1\.1 413 /)
  assert.equal(changes(rig).length, 0)
})

/** Sends the head of an upload, and gives what is answered to it. */
function headOnly({ url }: Rig, cookie: string, length = 1_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const { host, port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    const lines = [
      `POST ${PATH} HTTP/1.1`,
      `host: ${host}`,
      `origin: ${url}`,
      'sec-fetch-site: same-origin',
      `content-type: multipart/form-data; boundary=${BOUNDARY}`,
      `content-length: ${length}`,
      ...(cookie === '' ? [] : [`cookie: ${cookie}`]),
    ]
    let text = ''
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      socket.destroy()
      resolve(text)
    })
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  })
}

test('K31 only a few files are read at once', async (t) => {
  const rig = await openForm(t)
  const sockets = await Promise.all(Array.from({ length: 4 }, () => hang(rig)))
  const busy = await upload(rig, dataOf({}))
  assert.equal(busy.status, 503)
  assert.match(await busy.text(), /Nothing was changed/)
  for (const socket of sockets) socket.destroy()
  for (let tries = 0; tries < 100; tries += 1) if ((await upload(rig, dataOf({}))).status === 200) return
  assert.fail('the places are not free again')
})

test('K103 whoever leaves while the operator API is asked takes no place along', async (t) => {
  const rig = await openForm(t)
  for (let time = 0; time < 40; time += 1) {
    const socket = writeHead(rig)
    const left = once(socket, 'close')
    rig.answers['GET /operator/me'] = async () => {
      socket.resetAndDestroy()
      // The console is in this process: in so many turns it has heard that the browser left.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      return me
    }
    await left
  }
  rig.answers['GET /operator/me'] = me
  await waitUntil(async () => (await upload(rig, dataOf({}))).status === 200, {
    timeoutMs: 10_000,
    what: 'a free place',
  })
})

/** An upload that has been let in and does not go on. */
async function hang(rig: Rig): Promise<ReturnType<typeof connect>> {
  const before = rig.heard.length
  const socket = writeHead(rig)
  while (rig.heard.length === before) await new Promise((resolve) => setImmediate(resolve))
  return socket
}

/** Sends the head of an upload whose body does not come. */
function writeHead({ url }: Rig): ReturnType<typeof connect> {
  const { host, port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nhost: ${host}\r\norigin: ${url}\r\nsec-fetch-site: same-origin\r\ncookie: ${COOKIE}\r\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\r\ncontent-length: 1000\r\n\r\n`,
  )
  return socket
}
