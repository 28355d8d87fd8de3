import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { openSession, runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { CLI, startGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { type Booking, mt940 } from '../support/mt940.ts'
import { statusReport } from '../support/pain002.ts'
import { createPayin, newId, payinWithStatus } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from '../support/payouts.ts'
import { runProgram } from '../support/process.ts'
import { fundBalance } from '../support/topups.ts'

// One person cannot create money: what one member of staff hands in or decides moves nothing without a second one.

const TIMEOUT_MS = 60_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'

const own = temporaryFolder()
const folder = join(own, 'statements')
const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    settings: {
      TOLLGATE_SECOND_PERSON: 'on',
      TOLLGATE_SECOND_PERSON_FROM: 'CZK=1000',
      TOLLGATE_STATEMENTS_DIR: folder,
    },
  },
)
after(() => rmSync(own, { recursive: true, force: true }))
const token = await gateway.demo().token('GET /payins/.*', 'POST /payins/.*', ...PAYOUT_OPERATIONS)
const [fina, fred, appa, both] = await Promise.all([
  addOperator('fina', 'FINANCE'),
  addOperator('fred', 'FINANCE'),
  addOperator('appa', 'APPROVER'),
  addOperator('both', 'FINANCE', 'APPROVER'),
])

async function addOperator(code: string, ...roles: readonly string[]): Promise<string> {
  const options = roles.flatMap((role) => ['--role', role])
  return (await gateway.cli('operators', 'create', code, ...options)).stdout.trim()
}

/** A person would wait, too, when told to. */
async function send(request: RawRequest): Promise<RawResponse> {
  let response = await gateway.sendToOperators(request)
  const isAdmitted = async (): Promise<boolean> => {
    if (response.status === 429) response = await gateway.sendToOperators(request)
    return response.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: TIMEOUT_MS, what: 'the gateway to take a request' })
  return response
}

const post = (key: string, path: string, body: unknown = {}): Promise<RawResponse> =>
  send({ method: 'POST', path, token: key, body })
const get = async (path: string): Promise<unknown> =>
  expectSuccess(await send({ method: 'GET', path, token: appa }), 200)
const handIn = (key: string, text: string): Promise<RawResponse> =>
  send({
    method: 'POST',
    path: '/operator/statements?fileName=day.sta',
    token: key,
    rawBody: text,
    headers: { 'content-type': 'text/plain' },
  })
const report = (key: string, content: string): Promise<RawResponse> =>
  send({
    method: 'POST',
    path: '/operator/payout-reports?fileName=status.xml',
    token: key,
    rawBody: content,
    headers: { 'content-type': 'application/xml' },
  })
const decide = (key: string, lineId: string, body: unknown): Promise<RawResponse> =>
  post(key, `/operator/statement-lines/${lineId}/!decide`, body)

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const show = (id: string): Promise<unknown> => get(`/operator/confirmations/${id}`)

/** The id of what waits by this answer. */
function waitingIn(response: RawResponse): string {
  assert.equal(response.status, 202, response.text)
  assert.equal(textAt(response.body, 'waiting', 'state'), 'WAITING')
  return textAt(response.body, 'waiting', 'confirmationId')
}

async function confirm(key: string, id: string, body: Readonly<Record<string, unknown>> = {}) {
  const digest = textAt(await show(id), 'digest').slice(0, 12)
  return post(key, `/operator/confirmations/${id}/!confirm`, { digest, ...body })
}

/** Takes a statement by two people. */
async function take(...bookings: readonly Booking[]): Promise<void> {
  expectSuccess(await confirm(appa, waitingIn(await handIn(fred, mt940(bookings)))), 200)
}

/** A payin that waits to be paid, and the reference that its customer was told. */
async function waitingPayin(amount: string, currencyCode = 'EUR') {
  const id = newId()
  const { body } = await createPayin(gateway, token, { id, amount, currencyCode })
  return { id, reference: textAt(body, 'paymentMethodResponse', 'reference') }
}

/** Sends requests that take a file and lets none of them go on before all have come as far as they can. */
async function whileNothingIsTaken(
  requests: () => readonly Promise<RawResponse>[],
): Promise<readonly RawResponse[]> {
  const session = await openSession(databaseUrl)
  await session.run('begin; lock table statement_files in share mode')
  const sent = requests()
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(async () => (await runSql(databaseUrl, waiting)).length >= sent.length, {
    timeoutMs: TIMEOUT_MS,
    what: 'the requests to wait for each other',
  })
  await session.run('rollback')
  await session.close()
  return Promise.all(sent)
}

/** Everything that money and evidence of it are in. */
const world = (): Promise<unknown> =>
  runSql(
    databaseUrl,
    `select (select json_agg(row(status, processor_status, timeline_count) order by merchant_id, kind, id_payment) from payments)::text as payments,
      (select count(*) from statement_files) as files, (select count(*) from statement_lines) as lines,
      (select json_agg(row(state, open_amount) order by line_id) from statement_lines)::text as states,
      (select count(*) from statement_decisions) as decisions, (select count(*) from payout_reports) as reports,
      (select count(*) from ledger_transfers) as transfers, (select count(*) from payment_inquiries) as inquiries`,
  )

/** Money that nobody can place; the id of its line. */
async function strayLine(amount: string): Promise<string> {
  await take([amount, `a gift ${newId()}`])
  return textAt(await get('/operator/statement-lines?limit=1'), 'data', 0, 'lineId')
}

test('D10: a statement that one person hands in moves nothing before a second one confirms what would follow', async () => {
  const { id, reference } = await waitingPayin('12.5')
  const text = mt940([
    ['12.5', `order ${reference}`],
    ['7', 'a gift'],
  ])
  const before = await world()
  const waiting = waitingIn(await handIn(fina, text))
  assert.deepEqual(await world(), before)
  const seen = await show(waiting)
  assert.equal(textAt(seen, 'digest'), digestOf(text))
  assert.deepEqual(at(seen, 'consequences', 'payments'), [
    {
      payment: { merchantCode: 'DEMO', kind: 'PAYIN', idPayment: id },
      becomes: 'SUCCESS',
      money: { amount: '12.5', currencyCode: 'EUR' },
    },
  ])
  assert.deepEqual(at(seen, 'consequences', 'sums'), [
    { what: 'SUCCESS', count: 1, money: { amount: '12.5', currencyCode: 'EUR' } },
    { what: 'SUSPENSE', count: 1, money: { amount: '7', currencyCode: 'EUR' } },
  ])
  assert.deepEqual(await world(), before)
  const consequencesDigest = textAt(seen, 'consequencesDigest').slice(0, 12)
  const done = expectSuccess(await confirm(appa, waiting, { consequencesDigest }), 200)
  assert.deepEqual([at(done, 'state'), at(done, 'endedBy')], ['CONFIRMED', 'operator:appa'])
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const [proof] = await runSql(
    databaseUrl,
    `select evidence_class, operators, operators_needed from payment_timeline where id_payment = $1 and status = 'SUCCESS'`,
    [id],
  )
  assert.deepEqual(proof, {
    evidence_class: 'BANK_UPLOAD',
    operators: ['fina', 'appa'],
    operators_needed: 2,
  })
  const file = at(await get('/operator/statements?limit=1'), 'data', 0)
  assert.deepEqual(
    [at(file, 'fileId'), at(file, 'takenBy'), at(file, 'confirmedBy')],
    [at(done, 'result'), 'operator:fina', 'operator:appa'],
  )
})

test('D11: by the command line a file waits, too, whatever the environment of the command says', async () => {
  const { id, reference } = await waitingPayin('21')
  const [file, key] = [join(own, 'cli.sta'), join(own, 'fina.key')]
  writeFileSync(file, mt940([['21', reference]]))
  writeFileSync(key, fina, { mode: 0o600 })
  const before = await world()
  for (const lowered of [
    {},
    { TOLLGATE_SECOND_PERSON: 'off' },
    { TOLLGATE_SECOND_PERSON_FROM: 'EUR=1000000' },
  ]) {
    const outcome = await runProgram([CLI, 'statements', 'import', file, '--operator-key-file', key], {
      TOLLGATE_DATA_DIR: gateway.dataDir,
      TOLLGATE_OPERATOR_PORT: new URL(gateway.operatorUrl).port,
      ...lowered,
    })
    assert.equal(outcome.code, 0, outcome.stderr)
    assert.match(outcome.stdout, /Waits for a second operator as confirmation \d+; nothing has happened yet/)
  }
  assert.deepEqual(await world(), before)
  const [, waiting = ''] =
    /^(\d+) +STATEMENT_FILE +WAITING +cli[.]sta/m.exec((await gateway.cli('confirmations', 'list')).stdout) ??
    []
  const shown = (await gateway.cli('confirmations', 'show', waiting)).stdout
  assert.match(shown, new RegExp(`DEMO +PAYIN +${id} +SUCCESS +21 EUR`))
  const [, digest = ''] = /Digest +([0-9a-f]{64})/.exec(shown) ?? []
  const other = join(own, 'appa.key')
  writeFileSync(other, appa, { mode: 0o600 })
  const signed = ['--digest', digest, '--operator-key-file', other]
  assert.match((await gateway.cli('confirmations', 'confirm', waiting, ...signed)).stdout, /State +CONFIRMED/)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('D12: a status report that one person hands in ends no payout', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  const [paid, refused] = [newId(), newId()]
  const references: string[] = []
  for (const id of [paid, refused]) {
    const { body } = await createPayout(gateway, token, { id, email: BY_FILE })
    references.push(textAt(body, 'paymentMethodResponse', 'reference'))
  }
  const run = expectSuccess(await post(both, '/operator/payout-files', { currencyCode: 'EUR' }), 200)
  const content = statusReport(textAt(run, 'files', 0, 'fileId'), [
    [references[0] ?? '', 'ACSC'],
    [references[1] ?? '', 'RJCT', 'AC04'],
  ])
  const before = await world()
  const waiting = waitingIn(await report(fina, content))
  assert.deepEqual(await world(), before)
  const seen = await show(waiting)
  assert.deepEqual(
    listAt(seen, 'consequences', 'payments').map((each) => [
      textAt(each, 'payment', 'idPayment'),
      textAt(each, 'becomes'),
    ]),
    [
      [paid, 'SUCCESS'],
      [refused, 'FAILED'],
    ],
  )
  // Who made the file of payouts does not say that the bank has paid it.
  expectError(await confirm(both, waiting), 406, 'CONFIRMATION_OTHER_PERSON')
  assert.deepEqual(await world(), before)
  expectSuccess(await confirm(appa, waiting), 200)
  await payoutWithStatus(gateway, token, { id: paid, status: 'SUCCESS' })
  await payoutWithStatus(gateway, token, { id: refused, status: 'FAILED' })
  // It is known now, and nothing is done again.
  const again = expectSuccess(await report(fina, content), 200)
  assert.equal(at(again, 'isNew'), false)
  assert.equal(at(again, 'confirmedBy'), 'operator:appa')
})

test('D13: nothing but what was seen is confirmed; what is refused or withdrawn stays listed, and its file brings nothing', async () => {
  const { id, reference } = await waitingPayin('33')
  const text = mt940([['33', reference]])
  const waiting = waitingIn(await handIn(fina, text))
  assert.equal(waitingIn(await handIn(fred, text)), waiting)
  const { confirmationId: _, ...seen } = {
    confirmationId: waiting,
    digest: digestOf('another file').slice(0, 12),
  }
  expectError(
    await post(appa, `/operator/confirmations/${waiting}/!confirm`, seen),
    409,
    'CONFIRMATION_CHANGED',
  )
  const consequencesDigest = textAt(await show(waiting), 'consequencesDigest')
  await take(['33', reference])
  // The payin is paid by another booking now: this one would be a second payment, which nobody has seen.
  expectError(await confirm(appa, waiting, { consequencesDigest }), 409, 'CONFIRMATION_CHANGED')
  const digest = digestOf(text)
  const reason = 'the bank knows no such file'
  const refused = await post(appa, `/operator/confirmations/${waiting}/!refuse`, { digest, reason })
  assert.equal(at(expectSuccess(refused, 200), 'reason'), reason)
  expectError(await confirm(appa, waiting), 409, 'CONFIRMATION_NOT_OPEN')
  const second = waitingIn(await handIn(fina, text))
  assert.equal(at(await show(second), 'earlier', 0, 'state'), 'REFUSED')
  expectError(
    await post(fred, `/operator/confirmations/${second}/!withdraw`),
    406,
    'CONFIRMATION_OTHER_PERSON',
  )
  expectSuccess(await post(fina, `/operator/confirmations/${second}/!withdraw`), 200)
  expectError(await confirm(appa, second), 409, 'CONFIRMATION_NOT_OPEN')
  const ended = listAt(await get('/operator/confirmations?states=REFUSED,WITHDRAWN'), 'data')
  assert.deepEqual(
    ended.slice(0, 2).map((each) => [at(each, 'confirmationId'), at(each, 'state')]),
    [
      [second, 'WITHDRAWN'],
      [waiting, 'REFUSED'],
    ],
  )
  const files = listAt(await get('/operator/statements?limit=100'), 'data')
  assert.equal(files.filter((file) => at(file, 'takenBy') === 'operator:fina').length, 2)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('D14: a file that somebody puts into the watched folder waits for an operator', async () => {
  const { id, reference } = await waitingPayin('41')
  const before = await world()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'planted.sta'), mt940([['41', reference]]))
  await waitUntil(() => existsSync(join(folder, 'done', 'planted.sta')), {
    timeoutMs: TIMEOUT_MS,
    what: 'the file to be moved',
  })
  assert.deepEqual(await world(), before)
  const item = at(await get('/operator/confirmations?limit=1'), 'data', 0)
  assert.deepEqual([at(item, 'title'), at(item, 'proposedBy')], ['planted.sta', 'folder'])
  expectSuccess(await confirm(appa, textAt(item, 'confirmationId')), 200)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('S10: who handed a file in never confirms or refuses it, whatever roles they hold; nor does FINANCE', async () => {
  const { id, reference } = await waitingPayin('51')
  const text = mt940([['51', reference]])
  const waiting = waitingIn(await handIn(both, text))
  const before = await world()
  expectError(await confirm(both, waiting), 406, 'CONFIRMATION_OTHER_PERSON')
  const body = { digest: digestOf(text), reason: 'mine' }
  const refused = await post(both, `/operator/confirmations/${waiting}/!refuse`, body)
  expectError(refused, 406, 'CONFIRMATION_OTHER_PERSON')
  expectError(await confirm(fred, waiting), 403, 'OPERATION_NOT_PERMITTED')
  assert.deepEqual(await world(), before)
  const thrice = await whileNothingIsTaken(() => {
    const path = `/operator/confirmations/${waiting}/!confirm`
    return [1, 2, 3].map(() => post(appa, path, { digest: digestOf(text) }))
  })
  for (const response of thrice) assert.equal(textAt(expectSuccess(response, 200), 'state'), 'CONFIRMED')
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const lines = listAt(await get('/operator/statement-lines?states=MATCHED&limit=100'), 'data')
  assert.equal(lines.filter((line) => at(line, 'payment', 'idPayment') === id).length, 1)
})

test('S18: what waited for too long is confirmed by nobody, and may be handed in again', async () => {
  const { id, reference } = await waitingPayin('53')
  const text = mt940([['53', reference]])
  const waiting = waitingIn(await handIn(fina, text))
  // Three days later, behind the back of the gateway and of what keeps the row as it is.
  await runSql(
    databaseUrl,
    `do $$ begin
      set local session_replication_role = replica;
      update confirmations set expire_at = clock_timestamp() where confirmation_id = ${waiting};
    end $$`,
  )
  const before = await world()
  expectError(await confirm(appa, waiting), 409, 'CONFIRMATION_NOT_OPEN')
  const again = waitingIn(await handIn(fina, text))
  assert.notEqual(again, waiting)
  assert.equal(textAt(await show(waiting), 'state'), 'EXPIRED')
  assert.deepEqual(await world(), before)
  expectSuccess(await confirm(appa, again), 200)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('S11: ACCEPT, COVER and NOTE of one person move nothing; the line says what waits', async () => {
  const exact = await waitingPayin('61')
  const lacking = await waitingPayin('62')
  const [accepted, covered] = [await strayLine('61'), await strayLine('60')]
  await take(['-9', `office chairs ${newId()}`])
  const noted = textAt(await get('/operator/statement-lines?limit=1'), 'data', 0, 'lineId')
  const named = (idPayment: string) => ({ merchantCode: 'DEMO', kind: 'PAYIN', idPayment })
  const wishes = [
    [accepted, { decision: 'ACCEPT', reason: 'a proof', payment: named(exact.id) }, 'APPLIED'],
    [covered, { decision: 'COVER', reason: 'charges', payment: named(lacking.id) }, 'APPLIED'],
    [noted, { decision: 'NOTE', reason: 'an invoice' }, 'NOTED'],
  ] as const
  for (const [lineId, body, becomes] of wishes) {
    const before = await world()
    const waiting = waitingIn(await decide(fina, lineId, body))
    assert.deepEqual(await world(), before)
    assert.equal(
      at(await get(`/operator/statement-lines/${lineId}`), 'waiting', 0, 'confirmationId'),
      waiting,
    )
    // While one decision waits, another one would be made on what it may change.
    expectError(await decide(both, lineId, body), 409, 'STATEMENT_LINE_NOT_OPEN')
    expectError(await confirm(fina, waiting), 403, 'OPERATION_NOT_PERMITTED')
    expectSuccess(await confirm(appa, waiting), 200)
    const line = await get(`/operator/statement-lines/${lineId}`)
    assert.deepEqual(
      [at(line, 'state'), at(line, 'decisions', 0, 'decidedBy'), at(line, 'decisions', 0, 'confirmedBy')],
      [becomes, 'operator:fina', 'operator:appa'],
    )
  }
  for (const { id } of [exact, lacking]) await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('S12: a decision whose line or payment has changed meanwhile ends, and moves nothing', async () => {
  const { id, reference } = await waitingPayin('71')
  const lineId = await strayLine('71')
  const payment = { merchantCode: 'DEMO', kind: 'PAYIN', idPayment: id }
  const byPayment = waitingIn(await decide(fina, lineId, { decision: 'ACCEPT', reason: 'a proof', payment }))
  await take(['71', reference])
  const before = await world()
  assert.match(textAt(await show(byPayment), 'impossible'), /has got its money already/)
  expectError(await confirm(appa, byPayment), 409, 'CONFIRMATION_FAILED')
  assert.deepEqual(await world(), before)
  const ended = await show(byPayment)
  assert.deepEqual([at(ended, 'state'), at(ended, 'endedBy')], ['FAILED', 'operator:appa'])
  const other = await waitingPayin('71')
  const body = { decision: 'ACCEPT', reason: 'a proof', payment: { ...payment, idPayment: other.id } }
  const byLine = waitingIn(await decide(fina, lineId, body))
  expectSuccess(await decide(fina, lineId, { decision: 'RETURN', reason: 'asked for' }), 200)
  expectError(await confirm(appa, byLine), 409, 'CONFIRMATION_FAILED')
  await payinWithStatus(gateway, token, { id: other.id, status: 'CREATED' })
})

test('S13: a large sum in many small files of one person waits like a large one', async () => {
  const states: string[] = []
  for (const text of [1, 2, 3, 4].map((part) => mt940([['300', `part ${part} ${newId()}`]], 'CZK'))) {
    const response = await handIn(fred, text)
    states.push(response.status === 202 ? 'WAITING' : textAt(expectSuccess(response, 200), 'result'))
  }
  // 1000 CZK: the fourth would make 1200.
  assert.deepEqual(states, ['TAKEN', 'TAKEN', 'TAKEN', 'WAITING'])
  const alone = listAt(await get('/operator/confirmations?states=ALONE'), 'data')
  assert.deepEqual(
    alone.map((each) => at(each, 'proposedBy')),
    ['operator:fred', 'operator:fred', 'operator:fred'],
  )
})

test('S14: who approved a payout does not make the file that it leaves in', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  await gateway.cli('merchants', 'set-payout-rule', 'DEMO', '--currency', 'EUR', '--amount-from', '100')
  const id = newId()
  const waitsNow = async (): Promise<boolean> => {
    const tried = newId()
    await createPayout(gateway, token, { id: tried, amount: '100', email: BY_FILE })
    const shown = await get('/operator/payouts?status=AWAITING_APPROVAL&limit=100')
    return listAt(shown, 'data').some((each) => at(each, 'idPayout') === tried)
  }
  await waitUntil(waitsNow, { timeoutMs: TIMEOUT_MS, what: 'the rule to be in force' })
  await createPayout(gateway, token, { id, amount: '100', email: BY_FILE })
  const items = listAt(await get('/operator/payouts?status=AWAITING_APPROVAL&limit=100'), 'data')
  const contentHash = textAt(
    items.find((item) => at(item, 'idPayout') === id),
    'contentHash',
  )
  for (const key of [both, appa])
    expectSuccess(await post(key, `/operator/payouts/DEMO/${id}/!approve`, { contentHash }), 200)
  const mine = expectSuccess(await post(both, '/operator/payout-files', { currencyCode: 'EUR' }), 200)
  const left = listAt(mine, 'leftOut').find((each) => at(each, 'idPayment') === id)
  assert.match(textAt(left, 'why'), /You approved it yourself/)
  const other = expectSuccess(await post(fred, '/operator/payout-files', { currencyCode: 'EUR' }), 200)
  const { body } = await send({
    method: 'GET',
    path: `/operator/payout-files/${textAt(other, 'files', 0, 'fileId')}`,
    token: fred,
  })
  assert.ok(listAt(body, 'payments').some((each) => at(each, 'idPayment') === id))
})

test('S15: who handed in a statement does not decide about its lines alone, nor confirms the decision', async () => {
  const { id } = await waitingPayin('500', 'CZK')
  // Below the amount from which two are needed, so that one person could do both.
  const text = mt940([['10', `a gift ${newId()}`]], 'CZK')
  expectSuccess(await handIn(both, text), 200)
  const lineId = textAt(await get('/operator/statement-lines?limit=1'), 'data', 0, 'lineId')
  const payment = { merchantCode: 'DEMO', kind: 'PAYIN', idPayment: id }
  const body = { decision: 'COVER', reason: 'all but ten', payment }
  const own_ = waitingIn(await decide(both, lineId, body))
  expectSuccess(await post(both, `/operator/confirmations/${own_}/!withdraw`), 200)
  await gateway.cli('operators', 'create', 'fay', '--role', 'FINANCE').then(async ({ stdout }) => {
    // Of somebody else the amount is below, and needs nobody.
    const other = await decide(stdout.trim(), lineId, { decision: 'RETURN', reason: 'no' })
    expectSuccess(other, 200)
  })
  const mine = mt940([['11', `a gift ${newId()}`]], 'EUR')
  expectSuccess(await confirm(appa, waitingIn(await handIn(both, mine))), 200)
  const second = textAt(await get('/operator/statement-lines?limit=1'), 'data', 0, 'lineId')
  const payin = await waitingPayin('11')
  const accept = { decision: 'ACCEPT', reason: 'a proof', payment: { ...payment, idPayment: payin.id } }
  const waiting = waitingIn(await decide(fina, second, accept))
  expectError(await confirm(both, waiting), 406, 'CONFIRMATION_OTHER_PERSON')
  await payinWithStatus(gateway, token, { id: payin.id, status: 'CREATED' })
})

test('S104: who made a file of payouts neither confirms the statement that ends them, nor says what became of them', async (t) => {
  await fundBalance(gateway, token, { id: newId(), amount: '300' })
  const id = newId()
  await createPayout(gateway, token, { id, amount: '21', email: BY_FILE })
  const made = expectSuccess(await post(both, '/operator/payout-files', { currencyCode: 'EUR' }), 200)
  const fileId = textAt(made, 'files', 0, 'fileId')
  expectSuccess(await post(both, `/operator/payout-files/${fileId}/!submitted`), 200)
  await payoutWithStatus(gateway, token, { id, status: 'CREATED' })

  const waiting = waitingIn(await handIn(fina, mt940([['3', `a gift ${newId()}`]])))
  const refused = await confirm(both, waiting)
  expectError(refused, 406, 'CONFIRMATION_OTHER_PERSON')
  assert.match(refused.text, new RegExp(fileId))
  expectSuccess(await confirm(appa, waiting), 200)

  const review = `/operator/reviews/PAYOUT/DEMO/${id}/!decide`
  const word = { outcome: 'EXECUTED', reason: 'the bank said so by phone' }
  await t.test(
    'POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 406 made the file',
    async () => expectError(await post(both, review, word), 406, 'CONFIRMATION_OTHER_PERSON'),
  )
  expectSuccess(await post(appa, review, word), 200)
  await payoutWithStatus(gateway, token, { id, status: 'CREATED' })
  expectSuccess(await post(await addOperator('abby', 'APPROVER'), review, word), 200)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('S16: what waits, and who decided, cannot be rewritten in the database', async () => {
  const refused = mt940([['80', newId()]])
  const body = { digest: digestOf(refused), reason: 'nobody knows it' }
  const path = `/operator/confirmations/${waitingIn(await handIn(fina, refused))}/!refuse`
  expectSuccess(await post(appa, path, body), 200)
  const waiting = waitingIn(await handIn(fina, mt940([['81', newId()]])))
  for (const change of [
    `update confirmations set actor = 'operator:ghost' where confirmation_id = ${waiting}`,
    `update confirmations set digest = decode(repeat('00', 32), 'hex') where confirmation_id = ${waiting}`,
    `update confirmations set state = 'CONFIRMED', ended_at = now(), ended_by = actor where confirmation_id = ${waiting}`,
    `update confirmations set state = 'WAITING', ended_at = null where state = 'REFUSED'`,
    `delete from confirmations`,
    `update confirmation_sums set amount = 0`,
    `update confirmation_policies set is_on = false`,
  ])
    await assert.rejects(runSql(databaseUrl, change), change)
})

test('S17: the books agree after all of it', async () => {
  const { stdout } = await gateway.cli('ledger', 'check', '--json')
  assert.deepEqual(listAt(JSON.parse(stdout), 'findings'), [])
})
