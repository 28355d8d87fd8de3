import type { WallClock } from '@tollgate/runtime'
import { CHAIN_BEGINNING, type ChainHead, findHead } from '../../platform/chain/index.ts'
import type { Database } from '../../platform/database.ts'
import { AUDIT } from './chained.ts'
import type { AuditAct, AuditFilter } from './model.ts'
import { findAct, findBeginning, listActs } from './store.ts'
import { verifyAudit } from './verification.ts'

/** The last entry of the chain; the beginning of it while there is none. */
type Head = ChainHead & { readonly chainedAt: Date | undefined }

/** The audit log for operators. */
export interface AuditLog {
  list(
    filter: AuditFilter,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly AuditAct[]>
  find(recordNo: string): Promise<AuditAct | undefined>
  /** All that fits, the newest first, page by page. */
  stream(filter: AuditFilter): AsyncIterable<readonly AuditAct[]>
  head(): Promise<Head & { readonly beginsWith: string; readonly beganAt: Date }>
  /** Follows the whole chain. Who asks while it is followed gets the same answer. */
  verify(): Promise<Verified>
}

interface Verified {
  readonly head: Head
  readonly verifiedAt: Date
  readonly findings: Awaited<ReturnType<typeof verifyAudit>>['findings']
}

const CHANGES_LISTED = 5
const CHANGES_MAX = 5_000
const PAGE = 200

export function createAuditLog(deps: {
  readonly db: Database
  /** Following the whole chain may take longer than a request is given. */
  readonly patientDb: Database
  readonly clock: WallClock
}): AuditLog {
  const { db } = deps
  let running: Promise<Verified> | undefined
  return {
    list: (filter, page) => listActs(db, filter, { ...page, changesMax: CHANGES_LISTED }),
    find: (recordNo) => findAct(db, recordNo, CHANGES_MAX),
    async *stream(filter) {
      let before: string | undefined
      do {
        const page = { before, limit: PAGE, changesMax: CHANGES_MAX }
        const acts = await listActs(db, filter, page)
        if (acts.length > 0) yield acts
        before = acts.length === PAGE ? acts.at(-1)?.recordNo : undefined
      } while (before !== undefined)
    },
    async head() {
      const { recordNo, happenedAt } = await findBeginning(db)
      return { ...(await headOf(db)), beginsWith: recordNo, beganAt: happenedAt }
    },
    verify() {
      running ??= verifyNow(deps).finally(() => {
        running = undefined
      })
      return running
    },
  }
}

async function headOf(db: Database): Promise<Head> {
  return (await findHead(db, AUDIT)) ?? { ...CHAIN_BEGINNING, chainedAt: undefined }
}

async function verifyNow({ patientDb, clock }: Parameters<typeof createAuditLog>[0]): Promise<Verified> {
  const head = await headOf(patientDb)
  const { findings } = await verifyAudit(patientDb, { head })
  return { head, findings, verifiedAt: new Date(clock.nowMs()) }
}
