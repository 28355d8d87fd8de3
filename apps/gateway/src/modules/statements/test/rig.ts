import assert from 'node:assert/strict'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase } from '../../../platform/database.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { createSecrets, type Secrets } from '../../../platform/secrets.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { createSecondPerson, type SecondPersonPolicy } from '../../confirmations/index.ts'
import {
  createPaymentService,
  type NewPayment,
  type PaymentKey,
  type PaymentService,
} from '../../payments/index.ts'
import {
  createStatementActs,
  createStatementService,
  type StatementActs,
  StatementProblem,
  type StatementService,
} from '../index.ts'
import { OWN_IBAN, type WrittenFile, writeCamt } from './camt-writer.ts'

/** A gateway with accounts, payments and statements. */
export interface Rig {
  readonly url: string
  readonly db: Database
  readonly secrets: Secrets
  readonly payments: PaymentService
  readonly statements: StatementService
  /** What people do with them. Nobody needs a second person unless the rig is opened with one. */
  readonly acts: StatementActs
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** Accepts a payment; a payin of 100 EUR unless something else is given. */
  accept(given?: Partial<NewPayment>): Promise<NewPayment>
  /** Lets payments end in another way than being paid. */
  end(payment: PaymentKey, status: 'FAILED' | 'CANCELLED' | 'EXPIRED'): Promise<void>
  take(file: WrittenFile): ReturnType<StatementService['take']>
  takeText(text: string, name?: string): ReturnType<StatementService['take']>
  /** `state open_amount` of each line, in order. */
  lines(): Promise<readonly string[]>
  lineIds(): Promise<readonly string[]>
  statusOf(payment: PaymentKey): Promise<string | undefined>
}

const ACCOUNTS = `
  insert into currencies (currency_code, name, type, minor_units)
  values ('EUR', 'Euro', 'FIAT', 2), ('CZK', 'Koruna', 'FIAT', 2) on conflict do nothing;
  insert into bank_accounts (account_code, currency_code, holder, bank_name, iban, account_number, bank_code, is_default) values
    ('MAIN', 'EUR', 'Tollgate', 'Bank', '${OWN_IBAN}', '0532013000', '37040044', true),
    ('CZECH', 'CZK', 'Tollgate', 'Bank', 'CZ6508000000192000145399', '19-2000145399', '0800', true);`

const ALONE: SecondPersonPolicy = {
  isOn: false,
  from: new Map(),
  expiresAfterSeconds: 3_600,
  isFolderChannel: false,
}

export async function openRig(t: TestLife, policy = ALONE): Promise<Rig> {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url, poolMax: 6, log, applicationName: 'statements test' })
  t.after(() => db.close())
  const secrets = createSecrets(Buffer.alloc(32, 7))
  const metrics = createMetrics()
  const shared = { db, ids: randomIds, secrets, metrics, clock: systemClock }
  const payments = createPaymentService({ ...shared, batchRowsMax: 100, batchesInFlightMax: 2 })
  const needs = {
    ...shared,
    payments,
    merchantIdOf: async (code: string) => (code === 'SHOP' ? '1' : undefined),
    merchantCodeOf: async () => 'SHOP',
  }
  const statements = createStatementService(needs)
  const secondPerson = createSecondPerson({ secrets, policy })
  const acts = createStatementActs({
    ...needs,
    statements,
    secondPerson,
    findOwnPayoutFile: async () => undefined,
  })
  const sql: Rig['sql'] = (text, values) => runSql(url, text, values)
  await sql(ACCOUNTS)
  return {
    url,
    db,
    secrets,
    payments,
    statements,
    acts,
    sql,
    async accept(given = {}) {
      const payment = newPayment(given)
      const verdict = await payments.accept(payment)
      if (verdict.kind !== 'ACCEPTED') throw new Error(`the payment was not accepted: ${verdict.kind}`)
      return payment
    },
    async end(payment, status) {
      await sql(`update payments set expire_at = clock_timestamp() - interval '1 s' where id_payment = $1`, [
        payment.idPayment,
      ])
      const { merchantId, kind, idPayment } = payment
      const outcome = await payments.propose(
        { merchantId, kind, idPayment },
        {
          status,
          actor: 'rail:test',
          failure: { code: 'NO', message: 'No.' },
          evidence: { class: status === 'EXPIRED' ? 'CLOCK' : 'RAIL' },
        },
      )
      if (outcome.kind !== 'CHANGED') throw new Error(JSON.stringify(outcome))
    },
    take: (file) => statements.take(orderOf(writeCamt(file))),
    takeText: (text, name) => statements.take(orderOf(text, name)),
    async lines() {
      const rows = await sql(
        `select state, direction, trim_scale(open_amount)::text as open from statement_lines order by line_id`,
      )
      return rows.map((row) => `${String(row['state'])} ${String(row['open'])}`)
    },
    async lineIds() {
      const rows = await sql('select line_id::text as id from statement_lines order by line_id')
      return rows.map((row) => String(row['id']))
    },
    async statusOf({ merchantId, kind, idPayment }) {
      const payment = await payments.find({ merchantId, kind, idPayment })
      return payment && `${payment.status} ${payment.processorStatus}`
    },
  }
}

const orderOf = (text: string, fileName = 'file.xml') => ({
  fileName,
  bytes: Buffer.from(text),
  actor: 'operator:ada',
})

let count = 0

function newPayment(given: Partial<NewPayment>): NewPayment {
  count += 1
  return {
    merchantId: '1',
    kind: 'PAYIN',
    idPayment: `order-${count}`,
    nonce: randomIds.uuid(),
    requestDigest: Buffer.from([0]),
    processorStatus: 'AWAITING_CUSTOMER',
    amount: '100',
    currencyCode: 'EUR',
    feeAmount: '3',
    methodCode: 'BANK_TRANSFER',
    operatorCode: undefined,
    segmentCode: undefined,
    rail: 'bank-transfer',
    reference: randomIds.readable(12),
    instructions: { takesReference: true },
    callbackUrl: undefined,
    returnUrl: undefined,
    isTest: true,
    expiresAfterSeconds: 3600,
    personalData: undefined,
    startsAtOnce: false,
    ...given,
  }
}

/**
 * What the books say of each currency: what came by statements, what payments got of it, and what lies in suspense. Every
 * credit line that has been looked at is in one of the two.
 */
export async function placesOfMoney({ sql }: Pick<Rig, 'sql'>): Promise<readonly SqlRow[]> {
  return sql(`
    select l.currency_code, trim_scale(sum(l.amount))::text as came,
      trim_scale(sum(l.amount - l.open_amount))::text as placed, trim_scale(sum(l.open_amount))::text as waiting,
      (select trim_scale(coalesce(sum(p.amount), 0))::text from ledger_postings p
        where p.account = 'SUSPENSE' and p.currency_code = l.currency_code) as suspense,
      (select trim_scale(coalesce(-sum(p.amount), 0))::text from ledger_postings p
        where p.account = 'CLEARING' and p.currency_code = l.currency_code) as clearing
    from statement_lines l where l.direction = 'CREDIT' and l.state not in ('NEW', 'SPLIT') group by l.currency_code`)
}

/** Everything that the books hold against themselves. */
export async function faultsOf({ db }: Pick<Rig, 'db'>): Promise<readonly string[]> {
  const { findings } = await verifyBooks(db)
  return findings.map(({ check, detail }) => `${check}: ${detail}`)
}

/** What a decision that cannot be made is answered. */
export const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail('nothing was refused'),
    (error: unknown) => {
      assert.ok(error instanceof StatementProblem, String(error))
      return error.message
    },
  )

/** The decisions that are offered about a line. */
export async function choicesOf(rig: Rig, lineId: string): Promise<readonly string[]> {
  const choices = await rig.acts.listChoices(await rig.statements.show(lineId), 'olga')
  return choices.map(({ decision }) => decision)
}
