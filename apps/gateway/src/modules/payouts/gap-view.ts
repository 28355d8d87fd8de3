import { createHash } from 'node:crypto'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { listPayoutAccounts } from '../bank-accounts/index.ts'
import {
  countHeldSinceRestore,
  type ListPowerless,
  listKnownReferences,
  referenceOfOutgoing,
} from '../payments/index.ts'
import { type GapPeriod, periodOf } from './gap-period.ts'
import { type GapId, listGapIds, listWaivers, type RestoreGap, type Waiver } from './gap-store.ts'

/** Money that left by a bank's statement and belongs to no payment here. */
export interface UnknownDebit {
  readonly lineId: string
  readonly accountCode: string
  readonly bookedOn: string
  readonly amount: string
  readonly currencyCode: string
  /** In the form of ours. */
  readonly references: readonly string[]
  /** An operator wrote down for what it left. */
  readonly isNoted: boolean
}

/** What statements of an account prove about a period. */
interface Coverage {
  /** Every booking of the period is on one of these statements. */
  readonly isComplete: boolean
  readonly statementIds: readonly string[]
  /** Until the end of which day; undefined when they do not begin before the period. */
  readonly untilDay: string | undefined
}

/** An account that payouts of the gap may have left from by files. */
interface GapAccount {
  readonly accountCode: string
  readonly currencyCode: string
  /** What its statements have to cover, and what they do. */
  readonly period: GapPeriod
  readonly coverage: Coverage
  readonly waiver: Waiver | undefined
}

/** A debit that belongs to no payment, with the named id that has its reference. */
interface GapDebit extends UnknownDebit {
  readonly idPayment: string | undefined
  /** It may be a payout of the gap, and nobody has named its id or noted for what it left. */
  readonly isOpen: boolean
}

/** A gap with all that was found out about it. */
export interface GapView {
  readonly gap: RestoreGap
  readonly ids: readonly (GapId & { readonly merchantCode: string; readonly reference: string })[]
  /** Each with the id that has its reference, if one does. */
  readonly debits: readonly GapDebit[]
  readonly accounts: readonly GapAccount[]
  /** What has to be done before it can be closed, a sentence each. */
  readonly obstacles: readonly string[]
  /** Payments on hold since the restore. */
  readonly held: number
  /** Identifies ids and references: who closes the gap names what they have seen. */
  readonly digest: string
}

/** What the rooms of statements and merchants answer. */
export interface GapDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** Money that left for no known payment, by lines of statements that came since the moment or were booked since the day. */
  readonly listUnknownDebits: (
    tx: Tx,
    since: { readonly moment: Date; readonly day: string },
  ) => Promise<readonly UnknownDebit[]>
  /** Those of the operators who may not propose any more. */
  readonly listPowerless: ListPowerless
  /** What the statements of an account prove about a period. */
  readonly findCoverage: (
    tx: Tx,
    order: { readonly accountCode: string; readonly currencyCode: string; readonly period: GapPeriod },
  ) => Promise<Coverage>
}

/** The gap as it is. */
export async function viewOf(deps: GapDeps, tx: Tx, gap: RestoreGap): Promise<GapView> {
  const named = await listGapIds(tx, gap.gapId)
  const codes = new Map<string, string>()
  for (const { merchantId } of named)
    if (!codes.has(merchantId)) codes.set(merchantId, await deps.merchantCodeOf(merchantId))
  const ids = named.map((id) => {
    const merchantCode = codes.get(id.merchantId) ?? ''
    return { ...id, merchantCode, reference: referenceOfOutgoing(deps.secrets, { key: id, merchantCode }) }
  })
  const idOf = new Map(ids.map(({ reference, idPayment }) => [reference, idPayment]))
  const accounts = await accountsOf(deps, tx, gap)
  const debits = await debitsOf(deps, tx, { gap, accounts, idOf })
  const said = [
    gap.gapId,
    ids.map(({ merchantId, kind, idPayment }) => [merchantId, kind, idPayment]),
    debits.map(({ lineId, references, isOpen }) => [lineId, references, isOpen]),
    accounts.map(({ accountCode, period, coverage, waiver }) => [
      accountCode,
      period.firstDay,
      period.lastDay,
      coverage.isComplete,
      coverage.statementIds,
      waiver?.by ?? '',
      waiver?.reason ?? '',
    ]),
  ]
  return {
    gap,
    ids,
    debits,
    accounts,
    obstacles: obstaclesOf(accounts, debits),
    held: await countHeldSinceRestore(tx),
    digest: createHash('sha256').update(JSON.stringify(said)).digest('hex'),
  }
}

/** The accounts that payouts of the gap may have left from by files. */
export async function accountsOf(deps: GapDeps, tx: Tx, gap: RestoreGap): Promise<readonly GapAccount[]> {
  const waivers = await listWaivers(tx, gap.gapId)
  const accounts: GapAccount[] = []
  for (const { code: accountCode, currencyCode } of await listPayoutAccounts(tx, gap.lostFrom)) {
    const period = periodOf(gap, currencyCode)
    accounts.push({
      accountCode,
      currencyCode,
      period,
      coverage: await deps.findCoverage(tx, { accountCode, currencyCode, period }),
      waiver: waivers.find((waiver) => waiver.accountCode === accountCode),
    })
  }
  return accounts
}

interface DebitFacts {
  readonly gap: RestoreGap
  readonly accounts: readonly GapAccount[]
  /** Of the ids that were named, by reference. */
  readonly idOf: ReadonlyMap<string, string>
}

async function debitsOf(
  deps: GapDeps,
  tx: Tx,
  { gap, accounts, idOf }: DebitFacts,
): Promise<readonly GapDebit[]> {
  const { firstDay } = periodOf(gap, '')
  const found = await deps.listUnknownDebits(tx, { moment: gap.lostFrom, day: firstDay })
  const known = await listKnownReferences(
    tx,
    found.flatMap(({ references }) => references),
  )
  return found.map((debit) => {
    const idPayment = debit.references.map((reference) => idOf.get(reference)).find((id) => id !== undefined)
    const mayBePayout =
      debit.references.length > 0 || accounts.some(({ accountCode }) => accountCode === debit.accountCode)
    return {
      ...debit,
      idPayment,
      references: debit.references.filter((reference) => !known.has(reference)),
      isOpen: mayBePayout && debit.bookedOn >= firstDay && !debit.isNoted && idPayment === undefined,
    }
  })
}

const LINES_NAMED_MAX = 20

function obstaclesOf(accounts: readonly GapAccount[], debits: readonly GapDebit[]): readonly string[] {
  const lacking = accounts.filter(({ coverage, waiver }) => !coverage.isComplete && waiver === undefined)
  const open = debits.filter(({ isOpen }) => isOpen)
  const lines = open.slice(0, LINES_NAMED_MAX).map(textOfDebit).join('; ')
  const more = open.length > LINES_NAMED_MAX ? `; and ${open.length - LINES_NAMED_MAX} more` : ''
  return [
    ...lacking.map(
      ({ accountCode, period, coverage }) =>
        `${accountCode}: statements from ${period.firstDay} to ${period.lastDay} are missing; those here ${
          coverage.untilDay === undefined ? 'do not begin before that' : `end with ${coverage.untilDay}`
        }.`,
    ),
    ...(open.length === 0
      ? []
      : [
          `Money left for no payment here: ${lines}${more}. Name the ids of these payouts, or note the lines.`,
        ]),
  ]
}

const textOfDebit = ({ lineId, amount, currencyCode, references }: GapDebit): string =>
  `line ${lineId}, ${amount} ${currencyCode}${references.length === 0 ? '' : `, ${references.join(', ')}`}`
