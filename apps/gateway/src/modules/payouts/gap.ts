import type { Tx } from '../../platform/database.ts'
import { Problem } from '../../platform/problem.ts'
import { listBankAccounts } from '../bank-accounts/index.ts'
import { listKnownIds, OPERATOR_ACTOR_PREFIX } from '../payments/index.ts'
import { periodOf } from './gap-period.ts'
import {
  findOpenGap,
  type GapOpened,
  insertGapIds,
  insertWaiver,
  listWaivedGaps,
  lockGaps,
  type NamedIds,
  openGap,
  type RestoreGap,
  updateClosed,
  updateProposed,
  type Waiver,
} from './gap-store.ts'
import { accountsOf, type GapDeps, type GapView, viewOf } from './gap-view.ts'

/** Why a gap cannot be opened, changed or closed: one sentence. */
class GapRefused extends Problem {
  override readonly name = 'GapRefused'

  constructor(message: string) {
    super(message, 'CONFLICT')
  }
}

/** A closed gap of which a statement of the account still lacks. */
interface UnprovenGap {
  readonly lostFrom: Date
  readonly restoredAt: Date
  readonly closedBy: string
  readonly waiver: Waiver
}

/** The sentence about it, for people. */
export const describeUnproven = ({ lostFrom, restoredAt, closedBy, waiver }: UnprovenGap): string =>
  `The gap from ${lostFrom.toISOString()} until ${restoredAt.toISOString()} was closed by ${closedBy} without a statement of ${waiver.accountCode} (${waiver.by}: ${waiver.reason}).`

/** A word of an operator. */
interface GapOrder {
  readonly operatorCode: string
  readonly reason: string
}

/** What operators do about a restore gap. Refusals are thrown as GapRefused. */
export interface GapService {
  /** Undefined when none is open. */
  find(): Promise<GapView | undefined>
  open(order: {
    readonly lostFrom: Date
    readonly operatorCode: string
    readonly fileRails: readonly string[]
  }): Promise<GapOpened>
  /** Ids that were accepted in the gap: never accepted again. A proposal to close it is void then. */
  name(
    ids: NamedIds,
    operatorCode: string,
  ): Promise<{ readonly added: number; readonly known: readonly string[] }>
  /** Waits for no statement of an account. A proposal to close the gap is void then. */
  waive(order: GapOrder & { readonly accountCode: string }): Promise<void>
  /** The first of two operators. */
  propose(order: GapOrder): Promise<GapView>
  /**
   * The second one, with the digest that they have seen, at least its first digits, and the accounts without a statement. Outgoing
   * money flows again.
   */
  close(order: CloseOrder): Promise<void>
  /** Accounts that were waived when a gap was closed, and of which there is still no statement. */
  listUnproven(): Promise<readonly UnprovenGap[]>
}

/** How the second operator closes a gap. */
interface CloseOrder extends GapOrder {
  readonly digest: string
  readonly withoutAccounts: readonly string[]
}

const NONE_OPEN = 'No restore gap is open.'

export function createGapService(deps: GapDeps): GapService {
  const { db } = deps
  const inGap = <Result>(work: (tx: Tx, gap: RestoreGap) => Promise<Result>): Promise<Result> =>
    db.transaction(async (tx) => {
      await lockGaps(tx)
      const gap = await findOpenGap(tx)
      if (gap === undefined) throw new GapRefused(NONE_OPEN)
      return work(tx, gap)
    })
  return {
    async find() {
      const gap = await findOpenGap(db)
      return gap && viewOf(deps, db, gap)
    },
    open: ({ lostFrom, operatorCode, fileRails }) =>
      db.transaction(async (tx) => {
        await lockGaps(tx)
        return openGap(tx, { lostFrom, fileRails, openedBy: actorOf(operatorCode) })
      }),
    name: (ids, operatorCode) =>
      inGap(async (tx, gap) => {
        const added = await insertGapIds(tx, ids, { gapId: gap.gapId, namedBy: actorOf(operatorCode) })
        if (added > 0) await updateProposed(tx, gap.gapId, undefined)
        return { added, known: await listKnownIds(tx, ids, gap.restoredAt) }
      }),
    propose: ({ operatorCode, reason }) =>
      inGap(async (tx, gap) => {
        const { digest, obstacles } = await viewOf(deps, tx, gap)
        requireNothingOpen(obstacles)
        await updateProposed(tx, gap.gapId, { by: actorOf(operatorCode), reason, digest })
        const proposed = await findOpenGap(tx)
        return viewOf(deps, tx, proposed ?? gap)
      }),
    waive: ({ accountCode, operatorCode, reason }) =>
      inGap(async (tx, gap) => {
        const accounts = await accountsOf(deps, tx, gap)
        const found = accounts.find((account) => account.accountCode === accountCode)
        if (found === undefined)
          throw new GapRefused(
            `No statement of ${accountCode} is waited for. These are: ${accounts.map((each) => each.accountCode).join(', ') || 'none'}.`,
          )
        if (found.coverage.isComplete)
          throw new GapRefused(`The statements of ${accountCode} cover the gap: there is nothing to waive.`)
        const waiver = { accountCode, reason, by: actorOf(operatorCode) }
        if (!(await insertWaiver(tx, gap.gapId, waiver)))
          throw new GapRefused(`The statement of ${accountCode} is waived already.`)
        await updateProposed(tx, gap.gapId, undefined)
      }),
    close: (order) => inGap((tx, gap) => close(deps, tx, gap, order)),
    listUnproven: () => listUnproven(deps),
  }
}

/** A statement that came later proves the gap after all. */
async function listUnproven(deps: GapDeps): Promise<readonly UnprovenGap[]> {
  const { db } = deps
  const waived = await listWaivedGaps(db)
  if (waived.length === 0) return []
  const currencies = new Map(
    (await listBankAccounts(db)).map(({ code, currencyCode }) => [code, currencyCode]),
  )
  const unproven: UnprovenGap[] = []
  for (const gap of waived) {
    const { accountCode } = gap.waiver
    const currencyCode = currencies.get(accountCode) ?? ''
    const order = { accountCode, currencyCode, period: periodOf(gap, currencyCode) }
    if (!(await deps.findCoverage(db, order)).isComplete) unproven.push(gap)
  }
  return unproven
}

function requireNothingOpen(obstacles: readonly string[]): void {
  if (obstacles.length > 0) throw new GapRefused(`The gap cannot be closed yet. ${obstacles.join(' ')}`)
}

const actorOf = (operatorCode: string): string => `${OPERATOR_ACTOR_PREFIX}${operatorCode}`

async function close(
  deps: GapDeps,
  tx: Tx,
  gap: RestoreGap,
  { operatorCode, reason, digest, withoutAccounts }: CloseOrder,
): Promise<void> {
  const { proposal } = gap
  if (proposal === undefined)
    throw new GapRefused('Nobody has proposed to close the gap. Two operators close it: propose it first.')
  if (proposal.by === actorOf(operatorCode))
    throw new GapRefused('You proposed to close the gap yourself, so another operator has to close it.')
  const proposer = proposal.by.slice(OPERATOR_ACTOR_PREFIX.length)
  if ((await deps.listPowerless(tx, [proposer])).has(proposer))
    throw new GapRefused(
      `${proposer}, who proposed to close the gap, may not do so any more. Propose it again.`,
    )
  const view = await viewOf(deps, tx, gap)
  if (view.digest !== proposal.digest)
    throw new GapRefused(
      'Ids or statement lines came since it was proposed to close the gap. Look at them, and propose it again.',
    )
  if (!view.digest.startsWith(digest))
    throw new GapRefused('The digest is not that of the gap as it is. Look at it again.')
  requireNothingOpen(view.obstacles)
  const waived = view.accounts.filter(({ coverage }) => !coverage.isComplete)
  const unnamed = waived.filter(({ accountCode }) => !withoutAccounts.includes(accountCode))
  if (unnamed.length > 0)
    throw new GapRefused(
      `There is no statement of ${unnamed.map(({ accountCode, waiver }) => `${accountCode} (${waiver?.by}: ${waiver?.reason})`).join(', ')}. Name each account that you close the gap without.`,
    )
  const stranger = withoutAccounts.find((code) => !waived.some(({ accountCode }) => accountCode === code))
  if (stranger !== undefined)
    throw new GapRefused(`${stranger} is no account whose statement is waived. Look at the gap again.`)
  const references = [...new Set(view.debits.flatMap((debit) => debit.references))]
  if (!(await updateClosed(tx, gap.gapId, { by: actorOf(operatorCode), reason, references })))
    throw new GapRefused(NONE_OPEN)
}
