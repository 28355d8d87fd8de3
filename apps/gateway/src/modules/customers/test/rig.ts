import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase, type Tx } from '../../../platform/database.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import type { Traces } from '../erasure.ts'
import { type CustomerDeps, type CustomerKey, type CustomerService, createCustomerService } from '../index.ts'
import type { CustomerData } from '../model.ts'

const POOL_MAX = 8
/** Of a customer who paid nothing. */
const NO_TRACES: Traces = {
  payments: 0,
  personalData: 0,
  callbackAnswers: 0,
  statementLines: 0,
  payoutFiles: 0,
  openPayoutFiles: 0,
  payoutReports: 0,
  confirmations: 0,
  messages: 0,
  messagesDoneAt: undefined,
}

/** A service on a database of the test's own; what it asks of the payments is noted here. */
export interface Rig {
  readonly db: Database
  readonly service: CustomerService
  /** Another service on the same database, that differs in this. */
  serviceWith(given: Partial<CustomerDeps>): CustomerService
  /** Customers whose payments were erased, in order. */
  readonly erased: string[]
  /** Customers that have payments which have not ended. */
  readonly open: Set<string>
  readonly hooks: {
    hasOpenPayments(tx: Tx, customer: CustomerKey): Promise<boolean>
    erasePayments(tx: Tx, customer: CustomerKey): Promise<void>
    countTraces(): Promise<Traces>
  }
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
}

export async function openRig(t: TestLife): Promise<Rig> {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url, poolMax: POOL_MAX, log, applicationName: 'customers test' })
  t.after(() => db.close())
  const erased: string[] = []
  const open = new Set<string>()
  const hooks: Rig['hooks'] = {
    hasOpenPayments: async (_tx, { idCustomer }) => open.has(idCustomer),
    erasePayments: async (_tx, { idCustomer }) => {
      erased.push(idCustomer)
    },
    countTraces: async () => NO_TRACES,
  }
  const serviceWith: Rig['serviceWith'] = (given) =>
    createCustomerService({
      db,
      clock: systemClock,
      ids: randomIds,
      secrets: createSecrets(Buffer.alloc(32, 7)),
      hasSegment: (segmentCode) => segmentCode === 'VIP' || segmentCode === 'NEW',
      ...hooks,
      batchRowsMax: 100,
      batchesInFlightMax: 2,
      ...given,
    })
  const sql: Rig['sql'] = (text, values) => runSql(url, text, values)
  return { db, service: serviceWith({}), serviceWith, erased, open, hooks, sql }
}

export const JANA: CustomerData = {
  name: 'Jana Nováková',
  emailAddress: 'jana@example.com',
  phone: '+420 601 234 567',
  countryCode: 'CZ',
  segmentCode: 'VIP',
  accounts: [{ accountName: 'Jana N.', accountNumber: 'CZ6508000000192000145399', bankCode: 'GIBACZPX' }],
}

export const keyOf = (idCustomer: string, merchantId = '1'): CustomerKey => ({ merchantId, idCustomer })

/** What a refusal says, for comparing. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: unknown; extra: unknown }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (typeof error !== 'object' || error === null) throw new Error('it was not refused')
  const details: unknown = Reflect.get(error, 'details')
  const extra: unknown =
    typeof details === 'object' && details !== null ? Reflect.get(details, 'extra') : undefined
  return { code: Reflect.get(error, 'code'), extra }
}
