import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { deriveKeys } from '@tollgate/rail-protocol'
import { systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import {
  type PayeeAdapter,
  type PayeeReply,
  startPayeeAdapter,
  type TestLife,
  waitUntil,
} from '@tollgate/testkit'
import { createOutboundClient } from '../../../platform/outbound/index.ts'
import type { PaymentKey } from '../../payments/index.ts'
import { createPayeeChecks, findVerifications } from '../index.ts'
import { ACTOR, openRig, pain002, type Rig } from './rig.ts'

const SECRET = Buffer.alloc(32, 9)

interface PayeeRig extends Rig {
  readonly adapter: PayeeAdapter
  /** Why payees could not be checked, as the log has it, each once. */
  whys(): readonly string[]
  /** All that was logged. */
  logged(): string
  /** Another process that asks. */
  startChecks(): void
  /** The result and who said it, of the payment and of others to the same payee. */
  said(key: PaymentKey): Promise<readonly (string | undefined)[]>
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>
}

async function openPayeeRig(t: TestLife): Promise<PayeeRig> {
  const rig = await openRig(t)
  const adapter = await startPayeeAdapter(t, SECRET)
  const outbound = createOutboundClient({
    policy: { httpsOnly: false, portsAllowed: 'any', allowPrivate: true },
  })
  t.after(() => outbound.close())
  let logged = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  return {
    ...rig,
    adapter,
    logged: () => logged,
    whys: () => [...new Set([...logged.matchAll(/"why":"([^"]+)"/g)].map(([, why]) => String(why)))].sort(),
    startChecks() {
      const checks = createPayeeChecks({
        db: rig.db,
        secrets: rig.secrets,
        payments: rig.payments,
        rail: 'bank-transfer',
        pollMs: 10,
        checker: {
          keyId: 'payees-1',
          keys: deriveKeys(SECRET),
          baseUrl: adapter.url,
          outbound,
          clock: systemClock,
        },
        log: createLog({ level: 'warn', destination }),
      })
      t.after(() => checks.stop())
      checks.start()
    },
    async said(key) {
      const { ofPayment, ofOthers } = await findVerifications(rig.db, await rig.read(key))
      return [ofPayment, ofOthers].map((each) => each && `${each.result} ${each.takenBy}`)
    },
    until: (what, isSo) => waitUntil(isSo, { what, timeoutMs: 30_000 }),
  }
}

const checksOf = async (rig: Rig): Promise<readonly unknown[]> =>
  (await rig.sql('select id_payment, status_code from payee_checks order by check_no')).map((row) => [
    row['id_payment'],
    row['status_code'],
  ])

test('what waits is asked about once, with name and account, whoever asks; and what is said stands beside the payout', async (t) => {
  const rig = await openPayeeRig(t)
  rig.adapter.reply = ({ accountName }) => ({
    body: { result: accountName === 'Eve' ? 'NO_MATCH' : 'MATCH' },
  })
  const known = await rig.payOut({ needsApproval: true })
  const again = await rig.payOut({ amount: 25 })
  const wrong = await rig.payOut({ accountName: 'Eve', accountNumber: 'DE89370400440532013000' })
  rig.startChecks()
  rig.startChecks()
  await rig.until('three answers', async () => (await checksOf(rig)).length === 3)
  assert.deepEqual(await checksOf(rig), [
    ['OUT-1', 'RCVC'],
    ['OUT-2', 'RCVC'],
    ['OUT-3', 'RVNM'],
  ])
  assert.deepEqual(await rig.said(known), ['MATCH adapter:payees-1', 'MATCH adapter:payees-1'])
  assert.deepEqual(await rig.said(wrong), ['NO_MATCH adapter:payees-1', undefined])
  const question = rig.adapter.asked.find(({ accountName }) => accountName === 'Eve')
  assert.deepEqual(question, {
    reference: (await rig.read(wrong)).reference,
    currencyCode: 'EUR',
    accountName: 'Eve',
    accountNumber: 'DE89370400440532013000',
  })
  // Nothing follows: it leaves as it would have.
  assert.equal((await rig.files.create({ currencyCode: 'EUR', actor: ACTOR })).files[0]?.paymentCount, 2)
  assert.equal((await rig.read(again)).processorStatus, 'SUBMITTED')
  assert.equal((await rig.read(wrong)).processorStatus, 'SUBMITTED')
})

test('S162 what does not prove to be the adapter’s answer to this question says nothing', async (t) => {
  const rig = await openPayeeRig(t)
  const key = await rig.payOut()
  const lies: PayeeReply[] = [
    { body: { result: 'MATCH' }, sign: 'NOT' },
    { body: { result: 'MATCH' }, sign: 'WRONG_KEY' },
    { body: { result: 'MATCH' }, sign: 'OTHER' },
    { body: { result: 'SURELY' } },
    { status: 502, body: { result: 'MATCH' } },
  ]
  const keys = [key]
  while (keys.length < lies.length) keys.push(await rig.payOut())
  const references = await Promise.all(keys.map(async (each) => (await rig.read(each)).reference))
  rig.adapter.reply = ({ reference }) => lies[references.indexOf(reference)] ?? {}
  rig.startChecks()
  await rig.until(
    'every lie',
    () => new Set(rig.adapter.asked.map(({ reference }) => reference)).size === lies.length,
  )
  assert.deepEqual(await checksOf(rig), [])
  assert.deepEqual(await rig.said(key), [undefined, undefined])
  await rig.until('every reason', () => rig.whys().length >= 4)
  assert.deepEqual(rig.whys(), [
    'Tollgate-Timestamp is missing or no number of seconds',
    'result must be equal to constant',
    'the adapter answered 502',
    'the signature is not valid',
  ])
  assert.doesNotMatch(rig.logged(), /Lovelace|NL91/)
})

test('one payee at which the adapter fails keeps nobody else from being asked about; one that it refuses is not checked', async (t) => {
  const rig = await openPayeeRig(t)
  rig.adapter.reply = ({ accountName }) => {
    if (accountName === 'Poison') return { status: 500 }
    return accountName === 'Refused'
      ? { status: 400, body: { code: 'NO', message: 'No.' } }
      : { body: { result: 'MATCH' } }
  }
  await rig.payOut({ accountName: 'Poison' })
  const refused = await rig.payOut({ accountName: 'Refused', accountNumber: 'DE89370400440532013000' })
  await rig.payOut({ accountName: 'Ada' })
  rig.startChecks()
  await rig.until('the others', async () => (await checksOf(rig)).length === 2)
  assert.deepEqual(await checksOf(rig), [
    ['OUT-2', 'RVNA'],
    ['OUT-3', 'RCVC'],
  ])
  assert.deepEqual(await rig.said(refused), ['NOT_CHECKED adapter:payees-1', undefined])
})

test('nobody is asked about what a bank has, what is in another currency, and what cannot be read any more', async (t) => {
  const rig = await openPayeeRig(t)
  await rig.payOut()
  await rig.files.create({ currencyCode: 'EUR', actor: ACTOR })
  await rig.fund('1000', 'CZK')
  await rig.payOut({ currencyCode: 'CZK', accountNumber: 'CZ6508000000192000145399' })
  await rig.payOut()
  await rig.sql(`update payment_personal_data set sealed = '\\x00' where id_payment = 'OUT-3'`)
  await rig.payOut({ accountName: 'Last' })
  rig.startChecks()
  await rig.until('the last', async () => (await checksOf(rig)).length === 1)
  assert.deepEqual(
    rig.adapter.asked.map(({ accountName }) => accountName),
    ['Last'],
  )
  assert.match(rig.whys().join(), /^its payee does not open/)
  assert.match(rig.logged(), /"idPayment":"OUT-3"/)
})

test('what a bank reports later counts for more than what was said before', async (t) => {
  const rig = await openPayeeRig(t)
  const key = await rig.payOut()
  rig.startChecks()
  await rig.until('the answer', async () => (await checksOf(rig)).length === 1)
  const { files } = await rig.files.create({ currencyCode: 'EUR', actor: ACTOR })
  const { reference } = await rig.read(key)
  await rig.take(pain002(files[0]?.fileId ?? '', { lines: [[reference, 'RVNM']] }))
  assert.deepEqual(await rig.said(key), [`NO_MATCH ${ACTOR}`, undefined])
})

test('what was said of a payee stays as it is', async (t) => {
  const rig = await openPayeeRig(t)
  await rig.payOut()
  rig.startChecks()
  await rig.until('the answer', async () => (await checksOf(rig)).length === 1)
  for (const text of [
    'delete from payee_checks',
    `update payee_checks set status_code = 'RVNM'`,
    'truncate payee_checks',
  ])
    await assert.rejects(rig.sql(text), /stays as it was recorded/, text)
})
