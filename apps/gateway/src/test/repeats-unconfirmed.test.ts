import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { STATE_EXAMPLE } from '@tollgate/rail-protocol'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { createSecondPerson } from '../modules/confirmations/index.ts'
import { createNotificationIntake } from '../modules/notifications/index.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import { createPayoutReportService } from '../modules/payout-files/index.ts'
import { createStatementActs, createStatementService } from '../modules/statements/index.ts'
import { OWN_IBAN, writeCamt } from '../modules/statements/test/camt-writer.ts'
import { openDatabase } from '../platform/database.ts'
import { createMetrics } from '../platform/metrics.ts'
import { Refusal } from '../platform/refusal.ts'
import { createSecrets } from '../platform/secrets.ts'
import { type LonelyServer, openLonelyServer } from './support/lonely-server.ts'
import { messageOfBank, reportingBank } from './support/reporting-bank.ts'

// What ends the tries of whoever sent something, and is not of the create: the answer to a repeat must not come before the
// standby has what was there already. The first try was broken off while it waited, so its row can be seen and may be lost.

const NAME = 'repeats test'
const ACCOUNTS = `
  insert into currencies (currency_code, name, type, minor_units) values ('EUR', 'Euro', 'FIAT', 2) on conflict do nothing;
  insert into bank_accounts (account_code, currency_code, holder, bank_name, iban, account_number, bank_code, is_default)
  values ('MAIN', 'EUR', 'Tollgate', 'Bank', '${OWN_IBAN}', '0532013000', '37040044', true)`

async function openRig(t: TestContext) {
  const server = await openLonelyServer(t, NAME)
  await server.sql(ACCOUNTS)
  await server.sql(PAYOUT)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url: server.url, poolMax: 6, log, applicationName: NAME })
  t.after(() => db.close())
  const secrets = createSecrets(Buffer.alloc(32, 7))
  const shared = { db, log, secrets, ids: randomIds, clock: systemClock, metrics: createMetrics() }
  const payments = createPaymentService({ ...shared, batchRowsMax: 100, batchesInFlightMax: 2 })
  const needs = {
    ...shared,
    payments,
    merchantIdOf: async () => undefined,
    merchantCodeOf: async () => 'SHOP',
  }
  const statements = createStatementService(needs)
  const policy = { isOn: true, from: new Map(), expiresAfterSeconds: 3_600, isFolderChannel: false }
  const acts = createStatementActs({
    ...needs,
    statements,
    secondPerson: createSecondPerson({ secrets, policy }),
    findOwnPayoutFile: async () => undefined,
  })
  const rail = reportingBank()
  const rails = new Map([[rail.code, rail]])
  const notifications = createNotificationIntake({ ...shared, rails, wakeWorker: () => undefined })
  const reports = createPayoutReportService({ ...shared, payments, rail: 'bank' })
  return { server, payments, notifications, statements, acts, reports }
}

const PAYOUT = `insert into payments (merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
    method_code, rail, reference, instructions, is_test, expire_at)
  values (1, 'PAYOUT', 'P-1', gen_random_uuid(), '\\x00', 'QUEUED', 5, 'EUR', 0, 'BANK_TRANSFER', 'bank', 'P1', '{}', true, now() + interval '1 day')`

function refusalOnly(error: unknown): string {
  if (error instanceof Refusal) return error.code
  throw error
}

const REPORT = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
<GrpHdr><MsgId>BANK-1</MsgId><CreDtTm>2026-11-21T12:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>NOFILE</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>ACSC</GrpSts></OrgnlGrpInfAndSts>
</CstmrPmtStsRpt></Document>`

/** The first try is broken off; its repeat is answered when the standby is back, and not before. */
async function repeatWaits(server: LonelyServer, send: () => Promise<unknown>): Promise<unknown> {
  await server.loseStandby()
  const first = assert.rejects(send(), { name: 'CommitUnknown' })
  await server.untilWaiting()
  await server.breakOff()
  await first
  const again = send()
  const waits = await Promise.race([server.untilWaiting().then(() => true), again.then(() => false)])
  await server.findStandby()
  assert.ok(waits, 'it was answered while the standby was away')
  return again
}

test('a repeat is answered when the standby has what it repeats', async (t) => {
  const { server, payments, notifications, statements, acts, reports } = await openRig(t)

  await t.test('a notification: the institution never sends it again', async () => {
    const message = messageOfBank({ idNotification: 'N-1', payment: STATE_EXAMPLE })
    assert.equal(await repeatWaits(server, () => notifications.accept('bank', message)), 'TAKEN')
  })

  await t.test('a statement that is known: it is not fetched again', async () => {
    const bytes = Buffer.from(writeCamt({ statements: [{ entries: [{ amount: '5', text: 'a' }] }] }))
    const order = { fileName: 'day.xml', bytes, actor: 'operator:ada', confirmedBy: 'operator:bob' }
    const known = await repeatWaits(server, () => statements.take(order))
    assert.equal(typeof known === 'object' && known !== null && 'kind' in known && known.kind, 'KNOWN')
  })

  await t.test('a statement that waits for a second operator', async () => {
    const bytes = Buffer.from(
      writeCamt({ statements: [{ id: 'S2', entries: [{ amount: '6', text: 'b' }] }] }),
    )
    const order = { fileName: 'next.xml', bytes, actor: 'operator:ada' }
    const waits = await repeatWaits(server, () => acts.handIn(order))
    assert.equal(typeof waits === 'object' && waits !== null && 'kind' in waits && waits.kind, 'WAITING')
  })

  await t.test(
    'a hold: whoever hears that the payout is stopped already does not stop it again',
    async () => {
      const hold = () =>
        payments.hold(
          { merchantId: '1', kind: 'PAYOUT', idPayment: 'P-1' },
          { operatorCode: 'susi', reason: 'a stolen token' },
        )
      const refused = await repeatWaits(server, () => hold().catch(refusalOnly))
      assert.equal(refused, 'HOLD_NOT_OPEN')
    },
  )

  await t.test('a status report that is known', async () => {
    const bytes = Buffer.from(REPORT)
    const order = { fileName: 'report.xml', bytes, actor: 'operator:ada' }
    const view = await repeatWaits(server, () => reports.take(order))
    assert.equal(typeof view === 'object' && view !== null && 'isNew' in view && view.isNew, false)
  })
})
