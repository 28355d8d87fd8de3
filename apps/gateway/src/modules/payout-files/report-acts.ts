import { createHash } from 'node:crypto'
import type { Money } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import { databaseWithin, dryRun } from '../../platform/dry-run.ts'
import {
  type Act,
  ActImpossible,
  ANYBODY,
  type ChangedPayment,
  type Consequences,
  type NewAct,
  type Performer,
  type SecondPerson,
  sumsByCurrency,
  sumsOfPayments,
} from '../confirmations/index.ts'
import { OPERATOR_ACTOR_PREFIX } from '../payments/index.ts'
import { PayoutFileProblem } from './errors.ts'
import { type FilePayment, PAYMENTS_PER_FILE_MAX, REPORT_BYTES_MAX } from './model.ts'
import { findReport, findReportByHash, listEntries, type StoredEntry } from './report-store.ts'
import {
  followReport,
  type GivenReport,
  type PayoutReportDeps,
  type PayoutReportService,
  type ReportView,
  readReport,
  storeReport,
} from './reports.ts'
import { findFile, listFilePayments } from './store.ts'

/** An act of one operator that waits for a second one. */
interface Waits {
  readonly kind: 'WAITING'
  readonly act: Act
}

interface ReportActDeps extends PayoutReportDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly reports: Pick<PayoutReportService, 'take' | 'show'>
  readonly secondPerson: SecondPerson
  /** Only an authenticated channel of a bank writes into the watched folder. */
  readonly isFolderChannel: boolean
  /** Payments on another database: that of a dry run. */
  readonly paymentsOn: (db: Database) => PayoutReportDeps['payments']
}

const KIND = 'PAYOUT_REPORT'
const TITLE_CHARACTERS_MAX = 255

/**
 * Takes a status report that a person hands in: at once, or when a second operator has confirmed it. Throws
 * PayoutFileProblem for what could not be taken, and then nothing waits.
 */
async function handInReport(
  deps: ReportActDeps,
  given: Omit<GivenReport, 'confirmedBy'>,
): Promise<({ readonly kind: 'TAKEN' } & ReportView) | Waits> {
  const digest = createHash('sha256').update(given.bytes).digest()
  if (given.bytes.length > REPORT_BYTES_MAX) await readReport(given.bytes)
  if (!deps.secondPerson.isOn || (await findReportByHash(deps.db, digest)) !== undefined)
    return { kind: 'TAKEN', ...(await deps.reports.take(given)) }
  const { sums } = await dryRun(deps.db, (dry) => rehearse(deps, dry, given))
  const { bytes, actor, fileName } = given
  const act: NewAct = {
    kind: KIND,
    digest,
    actor,
    bytes,
    lineIds: [],
    sums,
    title: fileName.slice(-TITLE_CHARACTERS_MAX) || 'report',
    directive: JSON.stringify({ fileName }),
  }
  const admitted = await deps.secondPerson.admit(deps, {
    actOf: () => Promise.resolve(act),
    carryOut: (tx) => storeReport({ ...deps, db: databaseWithin(tx) }, given),
  })
  if (admitted.kind === 'WAITS') return { kind: 'WAITING', act: admitted.act }
  // It is stored, and here it is followed.
  return { kind: 'TAKEN', ...(await deps.reports.take(given)), isNew: true }
}

/** What people do with status reports, where some of it needs a second one. */
export interface PayoutReportActs {
  /** See `handInReport`. Throws PayoutFileProblem. */
  handIn(given: Omit<GivenReport, 'confirmedBy'>): Promise<({ readonly kind: 'TAKEN' } & ReportView) | Waits>
  /** Takes a report of the watched folder: at once where only a bank's channel writes into it. */
  handInFromFolder(
    given: Omit<GivenReport, 'confirmedBy' | 'actor'>,
  ): Promise<({ readonly kind: 'TAKEN' } & ReportView) | Waits>
  /** Takes a report that a channel of a bank brought. */
  takeFromChannel(given: Omit<GivenReport, 'confirmedBy'>): Promise<ReportView>
  readonly performer: Performer
  readonly reports: Pick<PayoutReportService, 'resume'>
}

/** Who has put a report into the folder is not known. */
const FOLDER_ACTOR = 'folder'

export function createPayoutReportActs(
  deps: ReportActDeps & { readonly reports: PayoutReportService },
): PayoutReportActs {
  return {
    handIn: (given) => handInReport(deps, given),
    async handInFromFolder(given) {
      const named = { ...given, actor: FOLDER_ACTOR }
      if (!deps.isFolderChannel) return handInReport(deps, named)
      return { kind: 'TAKEN', ...(await deps.reports.take(named)) }
    },
    takeFromChannel: (given) => deps.reports.take(given),
    performer: createReportPerformer(deps),
    reports: deps.reports,
  }
}

interface Rehearsed {
  readonly consequences: Consequences
  /** The money of all payments of which it says an outcome, whatever follows. */
  readonly sums: readonly Money[]
}

/** Stores and follows on a database that is rolled back afterwards. */
async function rehearse(
  deps: ReportActDeps,
  dry: Database,
  given: Omit<GivenReport, 'confirmedBy'>,
): Promise<Rehearsed> {
  const within = { ...deps, db: dry, payments: deps.paymentsOn(dry) }
  const { originalMessageId } = await readReport(given.bytes)
  const { reportId } = await storeReport(within, { ...given, confirmedBy: ANYBODY })
  const limit = PAYMENTS_PER_FILE_MAX
  const open = await listEntries(dry, reportId, { outcome: 'OPEN', limit })
  await followReport(within, reportId)
  const applied = await listEntries(dry, reportId, { outcome: 'APPLIED', limit })
  const asides = await listEntries(dry, reportId, { outcome: 'ASIDE', limit: ASIDES_TOLD_MAX })
  const asideCount = (await findReport(dry, reportId))?.counts.ASIDE ?? 0
  const payments = await listFilePayments(dry, originalMessageId)
  const byReference = new Map(payments.map((payment) => [payment.reference, payment]))
  const changed = applied.flatMap((entry) => changedPayment(entry, byReference))
  const said = open.flatMap(({ reference }) => byReference.get(reference ?? '') ?? [])
  return {
    sums: sumsByCurrency(said.map(({ money }) => money)),
    consequences: {
      payments: changed,
      sums: sumsOfPayments(changed),
      remarks: [
        `about the file ${originalMessageId}`,
        ...asides.map(remarkOn),
        ...(asideCount > asides.length ? [`${asideCount - asides.length} more are put aside`] : []),
      ],
    },
  }
}

function changedPayment(
  { says, reference }: StoredEntry,
  byReference: ReadonlyMap<string, FilePayment>,
): readonly ChangedPayment[] {
  const payment = byReference.get(reference ?? '')
  if (payment === undefined) return []
  const { merchantId, kind, idPayment, money } = payment
  return [{ key: { merchantId, kind, idPayment }, becomes: says === 'SETTLED' ? 'SUCCESS' : 'FAILED', money }]
}

/** What waits is read by a person; the whole report can be read once it is taken. */
const ASIDES_TOLD_MAX = 100

const remarkOn = ({ reference, why }: StoredEntry): string =>
  `${reference ?? 'an entry without a reference'} is put aside: ${why ?? ''}`

/** What confirmations of status reports do. */
function createReportPerformer(deps: ReportActDeps): Performer {
  return {
    async rehearse(dry, { act, bytes }) {
      return (await orImpossible(rehearse(deps, dry, givenOf(act, bytes)))).consequences
    },
    async problemOfOperator(tx, { bytes }, operatorCode) {
      const { originalMessageId } = await readReport(bytes)
      const file = await findFile(tx, originalMessageId)
      if (file?.createdBy !== `${OPERATOR_ACTOR_PREFIX}${operatorCode}`) return undefined
      return `You made the file ${file.fileId} that this report is about, so somebody else has to confirm it.`
    },
    async carryOut(within, { act, bytes }, confirmedBy) {
      const given = { ...givenOf(act, bytes), confirmedBy }
      return (await orImpossible(storeReport({ ...deps, db: within }, given))).reportId
    },
    afterwards: (reportId) => followReport(deps, reportId),
    describe: ({ act, bytes }) => ({ fileName: act.title, byteCount: bytes.length }),
  }
}

const givenOf = (act: Act, bytes: Buffer) => ({ bytes, fileName: act.title, actor: act.actor })

async function orImpossible<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PayoutFileProblem) throw new ActImpossible(error.message)
    throw error
  }
}
