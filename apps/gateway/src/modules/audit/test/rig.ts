import { type TestLife, waitUntil } from '@tollgate/testkit'
import { acting } from '../../../platform/acting.ts'
import { createChainer } from '../../../platform/chain/index.ts'
import type { Database } from '../../../platform/database.ts'
import { run, type TestPostgres, testPostgres } from '../../../platform/test/postgres.ts'
import { insertOperatorRequest, updateOperatorRequestAnswered } from '../../operators/index.ts'
import { AUDIT } from '../chained.ts'

/** A database whose operators act. */
interface AuditRig {
  readonly db: Database
  readonly outside: TestPostgres['outside']
  /** Notes a request, does the statements as it, and answers; gives the number of its record. */
  act(operation: string, ...statements: readonly string[]): Promise<string>
  /** Rows of the log, as a superuser sees them. */
  rows<Row extends object>(text: string): Promise<readonly Row[]>
  chainAll(): Promise<void>
}

export async function openAuditRig(t: TestLife): Promise<AuditRig> {
  const { db, outside } = await testPostgres(t)
  const rows = async <Row extends object>(text: string): Promise<readonly Row[]> =>
    (await outside.query<Row>(text)).rows
  await outside.query(
    `insert into operators (operator_code, name, roles) values ('ada', 'Ada Lovelace', '{ADMIN}')`,
  )
  return {
    db,
    outside,
    rows,
    async act(operation, ...statements) {
      const requestNo = await insertOperatorRequest(db, {
        operatorCode: 'ada',
        operation,
        path: `/operator/${operation}`,
        requestId: `R-${operation}`,
        sessionId: undefined,
        means: 'KEY',
        meansId: 'key_1',
      })
      const act = { requestNo: () => requestNo, means: () => undefined, requestId: 'R' }
      await acting(act, async () => {
        for (const statement of statements) await run(db, statement)
      })
      await updateOperatorRequestAnswered(db, requestNo, 200)
      const [record] = await rows<{ no: string }>(
        `select record_no::text as no from audit_records where kind = 'ACT' and request_no = ${requestNo}`,
      )
      return record?.no ?? ''
    },
    async chainAll() {
      const chainer = createChainer(db, AUDIT)
      await waitUntil(
        async () => {
          await chainer.chain()
          const [left] = await rows<{ n: number }>(
            'select count(*)::int as n from audit_records left join audit_chain using (record_no) where entry_no is null',
          )
          return left?.n === 0
        },
        { timeoutMs: 60_000, what: 'all records to be chained' },
      )
    },
  }
}
