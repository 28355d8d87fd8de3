import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { camt, MIB, ownIban } from './security/support/bank-files.ts'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'

// Statements so large that the gateway has a process of their own import them.

const TIMEOUT_MS = 60_000
const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway(
  { after },
  { databaseUrl, settings: { TOLLGATE_SECOND_PERSON: 'on', TOLLGATE_SECOND_PERSON_FROM: 'EUR=100000' } },
)
const ada = gateway.operatorKey('ada')
const iban = await ownIban(databaseUrl)

const BOOKINGS = 20
/** Whoever is to be killed within its transaction has more to do. */
const BOOKINGS_MANY = 3_000
/** What makes a statement larger than a MiB. */
const PADDING = `<!--${'x'.repeat(1.1 * MIB)}-->`

interface Given {
  readonly id: string
  /** What the first booking says; 10.00 came with it. */
  readonly text?: string
  readonly cents?: number
  readonly count?: number
}

function largeStatement({ id, text = 'none', cents = 100, count = BOOKINGS }: Given): string {
  const bookings = Array.from({ length: count }, (_, index) => ({
    cents: index === 0 ? 1_000 : cents,
    text: index === 0 ? text : 'invoice',
    reference: `${id}-${index}`,
  }))
  return camt('camt.053.001.08', { id, iban, bookings }).replace('<GrpHdr>', `${PADDING}<GrpHdr>`)
}

const grace = gateway.operatorKey('grace')

/** Asks again when it was too often. */
async function ask(
  token: string,
  request: Parameters<typeof gateway.sendToOperators>[0],
): Promise<RawResponse> {
  let response: RawResponse | undefined
  const isAdmitted = async (): Promise<boolean> => {
    response = await gateway.sendToOperators({ ...request, token })
    return response.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: TIMEOUT_MS, what: 'the gateway to answer an operator' })
  assert.ok(response !== undefined)
  return response
}

function confirmationIn({ body }: RawResponse): { readonly confirmationId: string; readonly digest: string } {
  return {
    confirmationId: textAt(body, 'waiting', 'confirmationId'),
    digest: textAt(body, 'waiting', 'digest'),
  }
}

const handIn = (rawBody: string): Promise<RawResponse> =>
  ask(ada, {
    method: 'POST',
    path: '/operator/statements?fileName=large.xml',
    rawBody,
    headers: { 'content-type': 'application/xml' },
  })

/** The processes that import for this gateway. */
function importers(): readonly string[] {
  const parent = String(gateway.process().pid)
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, ...rest]) => ppid === parent && rest.join(' ').includes('importer.ts'))
    .flatMap(([pid]) => pid ?? [])
}

/** Waits until one runs, and answers which. */
async function untilImporting(): Promise<number> {
  await waitUntil(() => importers().length > 0, { timeoutMs: TIMEOUT_MS, what: 'a process that imports' })
  return Number(importers()[0])
}

/** Waits until one is within a transaction, and answers which. */
async function untilStoring(): Promise<number> {
  const isStoring = async (): Promise<boolean> =>
    (
      await runSql(
        databaseUrl,
        `select 1 from pg_stat_activity where application_name = 'tollgate import' and query like 'insert into statement_lines%'`,
      )
    ).length > 0
  await waitUntil(isStoring, { timeoutMs: TIMEOUT_MS, what: 'a process that stores lines' })
  return untilImporting()
}

const linesOf = async (id: string): Promise<unknown> =>
  (
    await runSql(
      databaseUrl,
      `select count(*)::int as lines from statement_lines where bank_reference like '${id}-%'`,
    )
  )[0]?.['lines']

test('a process of its own imports a large statement, which pays what it names, and ends', async () => {
  const token = await gateway.demo().token('GET /payins/.*', 'POST /payins/.*')
  const payin = newId()
  const { body } = await createPayin(gateway, token, { id: payin, amount: '10.00', currencyCode: 'EUR' })
  const text = textAt(body, 'paymentMethodResponse', 'reference')
  const id = newId()
  const [taken] = await Promise.all([handIn(largeStatement({ id, text })), untilImporting()])
  const answer = expectSuccess(taken, 200)
  assert.equal(at(answer, 'matched'), 1)
  assert.equal(await linesOf(id), BOOKINGS)
  await payinWithStatus(gateway, token, { id: payin, status: 'SUCCESS' })
  assert.deepEqual(importers(), [])
})

test('what is wrong with a large statement is answered as with a small one', async () => {
  const id = newId()
  const broken = largeStatement({ id }).replace(/<\/Document>$/, '')
  const refused = await handIn(broken)
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.text, /ATTRIBUTE_VALUE_INVALID/)
  const strange = await handIn(largeStatement({ id }).replaceAll(iban, 'DE02120300000000202051'))
  assert.equal(strange.status, 400, strange.text)
  assert.match(strange.text, /none of ours.*tollgate accounts add/)
  assert.equal(await linesOf(id), 0)
})

test('a large statement above the limit waits, and a process of its own looks at what would follow and confirms it', async () => {
  const token = await gateway.demo().token('GET /payins/.*', 'POST /payins/.*')
  const payin = newId()
  const { body } = await createPayin(gateway, token, { id: payin, amount: '10.00', currencyCode: 'EUR' })
  const text = textAt(body, 'paymentMethodResponse', 'reference')
  const id = newId()
  const waiting = await handIn(largeStatement({ id, text, cents: 1_000_000 }))
  assert.equal(waiting.status, 202, waiting.text)
  const { confirmationId, digest } = confirmationIn(waiting)
  assert.equal(await linesOf(id), 0)
  const path = `/operator/confirmations/${confirmationId}`
  const [seen] = await Promise.all([ask(grace, { method: 'GET', path }), untilImporting()])
  assert.deepEqual(at(expectSuccess(seen, 200), 'consequences', 'payments', 0, 'payment', 'idPayment'), payin)
  assert.equal(await linesOf(id), 0)
  const confirm = (key: string, given: object): Promise<RawResponse> =>
    ask(key, { method: 'POST', path: `${path}/!confirm`, body: { digest, ...given } })
  expectError(await confirm(grace, { digest: '0'.repeat(64) }), 409, 'CONFIRMATION_CHANGED')
  expectError(await confirm(ada, {}), 406, 'CONFIRMATION_OTHER_PERSON')
  const consequencesDigest = textAt(seen.body, 'consequencesDigest')
  const [done] = await Promise.all([confirm(grace, { consequencesDigest }), untilImporting()])
  assert.equal(at(expectSuccess(done, 200), 'state'), 'CONFIRMED')
  assert.equal(await linesOf(id), BOOKINGS)
  await payinWithStatus(gateway, token, { id: payin, status: 'SUCCESS' })
})

test('a process that is killed while it imports leaves nothing behind, and the file can be handed in again', async () => {
  const id = newId()
  const file = largeStatement({ id, count: BOOKINGS_MANY })
  const [killed] = await Promise.all([
    handIn(file),
    untilStoring().then((pid) => process.kill(pid, 'SIGKILL')),
  ])
  assert.equal(killed.status, 500, killed.text)
  assert.equal(await linesOf(id), 0)
  expectSuccess(await handIn(file), 200)
  assert.equal(await linesOf(id), BOOKINGS_MANY)
})
