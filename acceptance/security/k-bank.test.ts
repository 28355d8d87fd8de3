import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { mt940 } from '../support/mt940.ts'

// What one person can do to the house by the console's screens of bank documents, before a gateway that wants two people.

const gateway = await startGateway({ after }, { console: true, settings: { TOLLGATE_SECOND_PERSON: 'on' } })
const { consoleUrl } = gateway
const auditor = (await gateway.cli('operators', 'create', 'olga', '--role', 'AUDITOR')).stdout.trim()

/** What a browser sends with a form of our own page. */
const OURS = { origin: consoleUrl, 'sec-fetch-site': 'same-origin' }

interface Sent {
  readonly cookie?: string
  readonly body?: URLSearchParams | FormData
  readonly headers?: Readonly<Record<string, string>>
}

async function send(path: string, { cookie, body, headers = body && OURS }: Sent = {}): Promise<Response> {
  const ask = (): Promise<Response> =>
    fetch(consoleUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { ...(cookie !== undefined && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    })
  let answer = await ask()
  // An operator may ask twenty times a second; tests ask faster.
  while (answer.status === 429) {
    await sleep(200)
    answer = await ask()
  }
  return answer
}

async function signIn(code: 'ada' | 'grace'): Promise<string> {
  const body = new URLSearchParams({ key: gateway.operatorKey(code), next: '/' })
  const answer = await send('/sign-in', { body })
  assert.equal(answer.status, 303, await answer.text())
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

const [ada, grace] = [await signIn('ada'), await signIn('grace')]

async function fieldsOn(path: string, cookie: string): Promise<URLSearchParams> {
  const text = await (await send(path, { cookie })).text()
  const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  return new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]))
}

/** Uploads as a browser does; gives the confirmation that it leads to. */
async function upload(
  cookie: string,
  text: string,
  headers?: Readonly<Record<string, string>>,
): Promise<Response> {
  const data = new FormData()
  data.append('formToken', (await fieldsOn('/statements/import', cookie)).get('formToken') ?? '')
  data.append('file', new File([text], 'day.sta'))
  return send('/statements/import/take', { cookie, body: data, ...(headers !== undefined && { headers }) })
}

async function waiting(cookie: string): Promise<string> {
  const answer = await upload(cookie, mt940([['5', 'a gift']]))
  const [, id = ''] = /^\/confirmations\/(\d+)\?done=waits$/.exec(answer.headers.get('location') ?? '') ?? []
  assert.notEqual(id, '', `${answer.status} ${await answer.text()}`)
  return id
}

async function read(path: string): Promise<unknown> {
  return (await gateway.sendToOperators({ method: 'GET', path, token: auditor })).body
}

const stateOf = async (id: string): Promise<string> =>
  textAt(await read(`/operator/confirmations/${id}`), 'state')
const lineCount = async (): Promise<number> => listAt(await read('/operator/statement-lines'), 'data').length

/** All that the form of one operator’s screen would send, pressed by another one. */
async function press(
  { by, formOf }: { readonly by: string; readonly formOf: string },
  id: string,
  verb: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = await fieldsOn(`/confirmations/${id}`, formOf)
  body.set('formToken', (await fieldsOn('/statements/import', by)).get('formToken') ?? '')
  for (const [name, value] of Object.entries(more)) body.set(name, value)
  return send(`/confirmations/${id}/${verb}`, { cookie: by, body })
}

test('K34 who uploaded a statement does not confirm it, by no form of their own', async () => {
  const before = await lineCount()
  const id = await waiting(ada)
  const screen = await (await send(`/confirmations/${id}`, { cookie: ada })).text()
  assert.doesNotMatch(screen, /\/confirm"/)
  for (const verb of ['confirm', 'refuse']) {
    // With the fields of grace’s form.
    const answer = await press({ by: ada, formOf: grace }, id, verb, { reason: 'myself' })
    assert.equal(answer.status, 406)
    assert.match(await answer.text(), /You proposed this yourself/)
  }
  assert.equal(await stateOf(id), 'WAITING')
  assert.equal(await lineCount(), before)
  assert.equal(
    (await press({ by: grace, formOf: grace }, id, 'confirm', { reason: 'by the portal' })).status,
    303,
  )
  assert.equal(await stateOf(id), 'CONFIRMED')
  assert.equal(await lineCount(), before + 1)
})

test('K34 nobody withdraws, or decides twice, what is another one’s', async () => {
  const id = await waiting(ada)
  assert.equal((await press({ by: grace, formOf: ada }, id, 'withdraw')).status, 406)
  assert.equal(await stateOf(id), 'WAITING')
  assert.equal(
    (await press({ by: grace, formOf: grace }, id, 'refuse', { reason: 'unknown to the bank' })).status,
    303,
  )
  assert.equal(
    (await press({ by: grace, formOf: ada }, id, 'confirm', { digest: 'f'.repeat(64) })).status,
    409,
  )
  assert.equal(await stateOf(id), 'REFUSED')
})

test('K35 another file than the one that was seen is not confirmed', async () => {
  const id = await waiting(ada)
  for (const more of [{ digest: 'f'.repeat(64) }, { consequencesDigest: 'f'.repeat(64) }]) {
    const answer = await press({ by: grace, formOf: grace }, id, 'confirm', { ...more, reason: 'seen' })
    assert.equal(answer.status, 409)
  }
  assert.equal(await stateOf(id), 'WAITING')
})

test('K31 another site, a stranger and an auditor upload nothing', async () => {
  const count = async (): Promise<number> =>
    listAt(await read('/operator/confirmations?states=WAITING'), 'data').length
  const before = await count()
  const text = mt940([['5', 'a gift']])
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  ])
    assert.equal((await upload(ada, text, headers)).status, 403)
  assert.equal((await upload('', text)).status, 303)
  const key = new URLSearchParams({ key: auditor, next: '/' })
  const [olga = ''] = ((await send('/sign-in', { body: key })).headers.get('set-cookie') ?? '').split(';')
  assert.equal((await upload(olga, text)).status, 403)
  assert.equal(await count(), before)
})

test('K33 a line is read in full by a press alone, and the reading is recorded', async () => {
  const id = await waiting(ada)
  await press({ by: grace, formOf: grace }, id, 'confirm', { reason: 'by the portal' })
  const lineId = textAt(await read('/operator/statement-lines?limit=1'), 'data', 0, 'lineId')
  const readings = async (): Promise<number> =>
    listAt(await read('/operator/unmaskings'), 'data').filter((each) => at(each, 'lineId') === lineId).length
  for (const path of [`/suspense/${lineId}`, '/suspense', `/suspense/${lineId}/details`])
    assert.doesNotMatch(await (await send(path, { cookie: grace })).text(), /a gift/)
  assert.equal(await readings(), 0)
  const formToken = (await fieldsOn(`/suspense/${lineId}`, grace)).get('formToken') ?? ''
  const body = new URLSearchParams({ formToken })
  assert.match(await (await send(`/suspense/${lineId}/details`, { cookie: grace, body })).text(), /a gift/)
  assert.equal(await readings(), 1)
})

test('K32 what a payer writes is words to the operator who reads it in full', async () => {
  const texts = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
  ]
  const answer = await upload(ada, mt940(texts.map((text) => ['5', text] as const)))
  const [, id = ''] = /^\/confirmations\/(\d+)/.exec(answer.headers.get('location') ?? '') ?? []
  await press({ by: grace, formOf: grace }, id, 'confirm', { reason: 'by the portal' })
  for (const [index, text] of texts.toReversed().entries()) {
    const lineId = textAt(await read('/operator/statement-lines'), 'data', index, 'lineId')
    const formToken = (await fieldsOn(`/suspense/${lineId}`, grace)).get('formToken') ?? ''
    const body = new URLSearchParams({ formToken })
    const page = await (await send(`/suspense/${lineId}/details`, { cookie: grace, body })).text()
    const escaped = text
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
    assert.ok(page.includes(escaped), text)
    assert.doesNotMatch(page.replaceAll(/"[^"]*"/g, '""'), /<script>|<img|<[a-z]+[^>]* (?:style|on[a-z]+)=/i)
  }
})
