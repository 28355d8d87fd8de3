import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import {
  runSql,
  type SoftwareAuthenticator,
  softwareAuthenticator,
  testDatabase,
  waitUntil,
} from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { mt940 } from '../support/mt940.ts'
import { operatorsOf } from '../support/operators.ts'
import { openedBy, passkeysAt } from '../support/passkeys.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus, readPayout } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// Where two people are needed: one who comes in two ways, two of whom one is gone, and two who do not agree.

const WAITS = 'approval@sandbox.test'
const UNKNOWN = 'unknown@sandbox.test'
const TIMEOUT_MS = 60_000

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    console: true,
    settings: { TOLLGATE_TRUST_PROXY: 'loopback', TOLLGATE_SECOND_PERSON: 'on' },
  },
)
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  eve: ['eve', 'ADMIN'],
  anna: ['anna', 'APPROVER'],
  bob: ['bob', 'APPROVER'],
  carol: ['carol', 'APPROVER'],
  fred: ['fred', 'FINANCE'],
  olga: ['olga', 'AUDITOR'],
})
const people = passkeysAt(gateway)
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

/** Anna has a key, and a passkey that two ADMINs stand for. */
const device = await registered()

async function registered(): Promise<SoftwareAuthenticator> {
  const made = softwareAuthenticator(gateway.consoleUrl)
  const invitation = expectSuccess(await operators.post('adam', 'invitations', { operatorCode: 'anna' }), 201)
  const passkey = expectSuccess(await people.register(textAt(invitation, 'secret'), made), 201)
  const path = `passkeys/${textAt(passkey, 'passkeyId')}/!confirm`
  expectSuccess(await operators.post('eve', path, { fingerprint: textAt(passkey, 'fingerprint') }), 200)
  return made
}

const ofPasskey = async (): Promise<string> => openedBy(await people.signIn(device)).secret
const ofKey = async (): Promise<string> => openedBy(await operators.post('anna', 'sessions')).secret

const list = async (path: string): Promise<readonly unknown[]> =>
  listAt(expectSuccess(await operators.get('olga', path), 200), 'data')

async function itemOf(id: string): Promise<unknown> {
  const items = await list('payouts?merchantCode=DEMO&limit=100')
  return items.find((each) => at(each, 'idPayout') === id) ?? assert.fail(`no payout ${id}`)
}

/** A payout that waits for two. */
async function waitingPayout() {
  const id = newId()
  await createPayout(gateway, token, { id, email: WAITS })
  return { id, contentHash: textAt(await itemOf(id), 'contentHash') }
}

const approvers = async (id: string): Promise<readonly unknown[]> =>
  listAt(await itemOf(id), 'approvals').map((each) => at(each, 'operatorCode'))
const phaseOf = async (id: string): Promise<unknown> =>
  at(await readPayout(gateway, token, id), 'process', 'processorStatus')

const actOn = (id: string, verb = 'approve') => `payouts/DEMO/${id}/!${verb}`

/** Anna's word by a session of her passkey, with a touch for it. */
async function byTouch(secret: string, path: string, body: unknown): Promise<RawResponse> {
  const request = { method: 'POST', path: `/operator/${path}` }
  const touch = textAt(expectSuccess(await people.stepUp(secret, device, request), 201), 'secret')
  return touched(secret, { path, body, touch })
}

const touched = (
  secret: string,
  { path, body, touch }: { readonly path: string; readonly body: unknown; readonly touch: string },
): Promise<RawResponse> => people.ask(secret, { method: 'POST', path, body, headers: { 'X-Step-Up': touch } })

const bySession = (secret: string, path: string, body: unknown): Promise<RawResponse> =>
  people.ask(secret, { method: 'POST', path, body })

/** What fred proposes: a statement. */
async function proposed(): Promise<{ readonly path: string; readonly body: { readonly digest: string } }> {
  const text = mt940([['5', `a gift ${newId()}`]])
  const answer = await operators.upload('fred', 'statements?fileName=day.sta', text)
  const waiting = at(expectSuccess(answer, 202), 'waiting')
  return {
    path: `confirmations/${textAt(waiting, 'confirmationId')}`,
    body: { digest: textAt(waiting, 'digest') },
  }
}

/** A payout of which its institution says nothing. */
async function unknownPayout(): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, email: UNKNOWN })
  await waitUntil(async () => (await phaseOf(id)) === 'UNKNOWN', { timeoutMs: TIMEOUT_MS, what: 'UNKNOWN' })
  return id
}

const review = (id: string) => `reviews/PAYOUT/DEMO/${id}/!decide`
const word = (outcome: string) => ({ outcome, reason: 'statement of today, line 14' })

/** Money that left, by payout. */
async function transfersOf(id: string): Promise<number> {
  const rows = await runSql(
    databaseUrl,
    `select count(*)::int as n from payment_timeline where id_payment = $1 and status = 'SUCCESS'`,
    [id],
  )
  return Number(rows[0]?.['n'])
}

/** Acts of the audit log with this path: who, by what, and how it was answered. */
async function audited(path: string): Promise<readonly string[]> {
  const rows = await runSql(
    databaseUrl,
    `select operator_code, case when session_id is null then 'KEY' else 'SESSION' end as means, answered_status
     from operator_requests where path = $1 order by request_no`,
    [`/operator/${path}`],
  )
  return rows.map((row) => [row['operator_code'], row['means'], row['answered_status']].join(' '))
}

/** What a browser sends with a form of the console's own page. */
const OURS = { origin: gateway.consoleUrl, 'sec-fetch-site': 'same-origin' }

interface Pressed {
  readonly cookie?: string
  readonly body: URLSearchParams
}

async function pressed(path: string, { cookie, body }: Pressed): Promise<Response> {
  const headers = { ...OURS, ...(cookie !== undefined && { cookie }) }
  const ask = () => fetch(gateway.consoleUrl + path, { method: 'POST', redirect: 'manual', headers, body })
  let answer = await ask()
  // An operator may ask twenty times a second; tests ask faster.
  const isAdmitted = async (): Promise<boolean> => {
    if (answer.status === 429) answer = await ask()
    return answer.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: TIMEOUT_MS, what: 'the console to take a press' })
  return answer
}

/** Ada in the console: the cookie, and the fields of a payout's form. */
async function adaInConsole(id: string): Promise<Pressed & { readonly cookie: string }> {
  const body = new URLSearchParams({ key: gateway.operatorKey('ada'), next: '/' })
  const cookie = ((await pressed('/sign-in', { body })).headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const screen = await (
    await fetch(`${gateway.consoleUrl}/payouts/PAYOUT/DEMO/${id}`, { headers: { cookie } })
  ).text()
  const hidden = [...screen.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const fields = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]))
  fields.set('reason', 'as agreed')
  assert.ok(fields.has('contentHash'), screen)
  return { cookie, body: fields }
}

test('K90 one person is one, by key, by a session of the key, and by two sessions of a passkey', async () => {
  const { id, contentHash } = await waitingPayout()
  const path = actOn(id)
  const body = { contentHash }
  expectSuccess(await operators.post('anna', path, body), 200)
  const answers = [
    await operators.post('anna', path, body),
    await bySession(await ofKey(), path, body),
    await byTouch(await ofPasskey(), path, body),
    await byTouch(await ofPasskey(), path, body),
  ]
  for (const answer of answers) expectError(answer, 409, 'APPROVAL_REPEATED')
  assert.deepEqual(await approvers(id), ['anna'])
  assert.equal(await phaseOf(id), 'AWAITING_APPROVAL')
  // Each try is in the record, with how it was asked.
  assert.deepEqual(await audited(path), [
    'anna KEY 200',
    'anna KEY 409',
    'anna SESSION 409',
    'anna SESSION 409',
    'anna SESSION 409',
  ])
  expectSuccess(await operators.post('bob', path, body), 200)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })

  const unknown = await unknownPayout()
  expectSuccess(await operators.post('anna', review(unknown), word('EXECUTED')), 200)
  for (const answer of [
    await bySession(await ofKey(), review(unknown), word('EXECUTED')),
    await byTouch(await ofPasskey(), review(unknown), word('EXECUTED')),
  ])
    expectError(answer, 409, 'REVIEW_REPEATED')
  assert.equal(await transfersOf(unknown), 0)
})

test('K91 one person who approves at once by API, command line’s key, session and console has approved once', async () => {
  const { id, contentHash } = await waitingPayout()
  const screen = await adaInConsole(id)
  const request = {
    method: 'POST',
    path: `/operator/${actOn(id)}`,
    body: { contentHash },
    token: gateway.operatorKey('ada'),
  } as const
  const session = openedBy(
    await gateway.sendToOperators({ ...request, path: '/operator/sessions', body: {} }),
  )
  await Promise.all([
    gateway.sendToOperators(request),
    gateway.sendToOperators(request),
    gateway.sendToOperators({ ...request, token: session.secret }),
    pressed(`/payouts/PAYOUT/DEMO/${id}/approve`, screen),
    pressed(`/payouts/PAYOUT/DEMO/${id}/approve`, screen),
  ])
  assert.deepEqual(await approvers(id), ['ada'])
  assert.equal(await phaseOf(id), 'AWAITING_APPROVAL')
  const statuses = (await audited(actOn(id))).map((line) => line.slice(-3))
  assert.deepEqual(statuses.toSorted(), ['200', '409', '409', '409', '409'])

  const both = await Promise.all(['bob', 'carol'].map((name) => approvedBy(name, id, contentHash)))
  assert.deepEqual(both.toSorted(), [200, 409])
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  assert.equal(await transfersOf(id), 1)
})

const approvedBy = async (name: string, id: string, contentHash: string): Promise<number> =>
  (await operators.post(name === 'bob' ? 'bob' : 'carol', actOn(id), { contentHash })).status

test('K92 of an approval and a rejection at once one holds, and the money is paid or free, never both', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, contentHash } = await waitingPayout()
    expectSuccess(await operators.post('anna', actOn(id), { contentHash }), 200)
    const answers = await Promise.all([
      operators.post('bob', actOn(id), { contentHash }),
      operators.post('carol', actOn(id, 'reject'), { contentHash, reason: 'not theirs' }),
    ])
    const [approved, rejected] = answers.map(({ status }) => status)
    assert.deepEqual([approved, rejected].toSorted(), [200, 409])
    await payoutWithStatus(gateway, token, { id, status: approved === 200 ? 'SUCCESS' : 'CANCELLED' })
    assert.equal(await transfersOf(id), approved === 200 ? 1 : 0)
  }
})

/** What anna has said, and fred has proposed, before they are gone. */
async function begun() {
  const [payout, unknown, statement] = [await waitingPayout(), await unknownPayout(), await proposed()]
  expectSuccess(await operators.post('anna', actOn(payout.id), { contentHash: payout.contentHash }), 200)
  expectSuccess(await operators.post('anna', review(unknown), word('EXECUTED')), 200)
  return { payout, unknown, statement }
}

/** Bob says the same, and is the first now; carol is the second. */
async function onlyTwoMoreMove({ payout, unknown, statement }: Awaited<ReturnType<typeof begun>>) {
  const { id, contentHash } = payout
  assert.deepEqual(await approvers(id), [])
  expectSuccess(await operators.post('bob', actOn(id), { contentHash }), 200)
  assert.equal(await phaseOf(id), 'AWAITING_APPROVAL')
  assert.deepEqual(await approvers(id), ['bob'])
  expectSuccess(await operators.post('carol', actOn(id), { contentHash }), 200)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })

  const seen = expectSuccess(await operators.get('olga', review(unknown).replace('/!decide', '')), 200)
  const counting = listAt(seen, 'inquiries').filter((each) => at(each, 'counts') === true)
  assert.deepEqual(
    counting.filter((each) => at(each, 'operatorCode') === 'anna'),
    [],
  )
  expectSuccess(await operators.post('bob', review(unknown), word('EXECUTED')), 200)
  assert.equal(await transfersOf(unknown), 0)
  expectSuccess(await operators.post('carol', review(unknown), word('EXECUTED')), 200)
  await payoutWithStatus(gateway, token, { id: unknown, status: 'SUCCESS' })

  const shown = expectSuccess(await operators.get('olga', statement.path), 200)
  assert.match(textAt(shown, 'impossible'), /fred, who proposed it, may not do so any more/)
  const files = await list('statements?limit=100')
  expectError(
    await operators.post('bob', `${statement.path}/!confirm`, statement.body),
    409,
    'CONFIRMATION_FAILED',
  )
  assert.equal((await list('statements?limit=100')).length, files.length)
  const ended = expectSuccess(await operators.get('olga', statement.path), 200)
  assert.deepEqual([at(ended, 'state'), at(ended, 'endedBy')], ['FAILED', 'operator:bob'])
}

test('K93 the word of a person who is disabled before the second one speaks counts no more', async () => {
  const waiting = await begun()
  for (const code of ['anna', 'fred'])
    expectSuccess(await operators.post('adam', `operators/${code}/!disable`), 200)
  await onlyTwoMoreMove(waiting)
  for (const code of ['anna', 'fred'])
    expectSuccess(await operators.post('adam', `operators/${code}/!enable`), 200)
})

test('K94 the word of a person who loses the role before the second one speaks counts no more', async () => {
  const waiting = await begun()
  const roles = async (code: string, role: string): Promise<void> => {
    expectSuccess(await operators.put('adam', `operators/${code}/roles`, { roles: [role] }), 200)
  }
  for (const code of ['anna', 'fred']) await roles(code, 'SUPPORT')
  await onlyTwoMoreMove(waiting)
  await roles('anna', 'APPROVER')
  await roles('fred', 'FINANCE')
})

test('K95 a touch is for one act about one payout, is used once, and does not outlive what was seen', async () => {
  const [one, other] = [await waitingPayout(), await waitingPayout()]
  const secret = await ofPasskey()
  const touchFor = async (path: string): Promise<string> => {
    const request = { method: 'POST', path: `/operator/${path}` }
    return textAt(expectSuccess(await people.stepUp(secret, device, request), 201), 'secret')
  }
  const touch = await touchFor(actOn(one.id))
  const body = { contentHash: one.contentHash }
  for (const [path, given] of [
    [actOn(other.id), { contentHash: other.contentHash }],
    [actOn(one.id, 'reject'), { ...body, reason: 'not theirs' }],
  ] as const)
    expectError(await touched(secret, { path, body: given, touch }), 403, 'STEP_UP_REQUIRED')
  expectError(await touched(await ofPasskey(), { path: actOn(one.id), body, touch }), 403, 'STEP_UP_REQUIRED')
  expectSuccess(await touched(secret, { path: actOn(one.id), body, touch }), 200)
  expectError(await touched(secret, { path: actOn(one.id), body, touch }), 403, 'STEP_UP_REQUIRED')

  // Between the look and the press somebody writes another amount into the database.
  const late = await touchFor(actOn(other.id))
  await runSql(databaseUrl, `update payments set method_code = 'WALLET' where id_payment = $1`, [other.id])
  const seen = { path: actOn(other.id), body: { contentHash: other.contentHash }, touch: late }
  expectError(await touched(secret, seen), 409, 'APPROVAL_CONTENT_CHANGED')
  expectError(await touched(secret, seen), 403, 'STEP_UP_REQUIRED')
  assert.deepEqual(await approvers(other.id), [])
  assert.deepEqual(await approvers(one.id), ['anna'])
})

test('K96 two who do not say the same are not two, nor is one who says both', async () => {
  const id = await unknownPayout()
  expectSuccess(await operators.post('anna', review(id), word('EXECUTED')), 200)
  expectSuccess(await operators.post('bob', review(id), word('NOT_EXECUTED')), 200)
  expectSuccess(await operators.post('anna', review(id), word('NOT_EXECUTED')), 200)
  await payoutWithStatus(gateway, token, { id, status: 'FAILED' })
  assert.equal(await transfersOf(id), 0)
})

test('K97 the second person’s session that ends between the touch and the press does nothing', async () => {
  const { id, contentHash } = await waitingPayout()
  expectSuccess(await operators.post('bob', actOn(id), { contentHash }), 200)
  const opened = openedBy(await people.signIn(device))
  const request = { method: 'POST', path: `/operator/${actOn(id)}` }
  const touch = textAt(expectSuccess(await people.stepUp(opened.secret, device, request), 201), 'secret')
  expectSuccess(await operators.remove('adam', `sessions/${opened.id}`), 200)
  const given = { path: actOn(id), body: { contentHash }, touch }
  expectError(await touched(opened.secret, given), 401, 'TOKEN_INVALID')
  expectError(await touched(await ofPasskey(), given), 403, 'STEP_UP_REQUIRED')
  assert.deepEqual(await approvers(id), ['bob'])
})

test('K98 the books agree and the audit log is whole after all of it', async () => {
  const { stdout } = await gateway.cli('ledger', 'check', '--json')
  // K95 wrote into the database, past the gateway; nothing was booked by it.
  assert.deepEqual(listAt(JSON.parse(stdout), 'findings'), [])
  await gateway.cli('audit', 'verify')
})
