import { createHash } from 'node:crypto'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { OPERATOR_ACTOR_PREFIX, referenceOfOutgoing } from '../payments/index.ts'
import {
  countHeld,
  findOpenGap,
  type GapId,
  type GapOpened,
  insertGapIds,
  listGapIds,
  listKnownIds,
  listKnownReferences,
  lockGaps,
  type NamedIds,
  openGap,
  type RestoreGap,
  updateClosed,
  updateProposed,
} from './gap-store.ts'

/** Why a gap cannot be opened, changed or closed: one sentence. */
export class GapRefused extends Error {
  override readonly name = 'GapRefused'
}

/** Money that left by a bank's statement and belongs to no payment here. */
export interface UnknownDebit {
  readonly lineId: string
  readonly accountCode: string
  readonly bookedOn: string
  readonly amount: string
  readonly currencyCode: string
  /** In the form of ours. */
  readonly references: readonly string[]
}

/** A gap with all that was found out about it. */
export interface GapView {
  readonly gap: RestoreGap
  readonly ids: readonly (GapId & { readonly merchantCode: string; readonly reference: string })[]
  /** Each with the id that has its reference, if one does. */
  readonly debits: readonly (UnknownDebit & { readonly idPayment: string | undefined })[]
  /** Payments on hold since the restore. */
  readonly held: number
  /** Identifies ids and references: who closes the gap names what they have seen. */
  readonly digest: string
}

export interface GapDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** Money that left for no known payment, by lines of statements that came since the moment. */
  readonly listUnknownDebits: (tx: Tx, since: Date) => Promise<readonly UnknownDebit[]>
}

/** A word of an operator. */
export interface GapOrder {
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
  /** The first of two operators. */
  propose(order: GapOrder): Promise<GapView>
  /** The second one, with the digest that they have seen: at least its first digits. Outgoing money flows again. */
  close(order: GapOrder & { readonly digest: string }): Promise<void>
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
        const { digest } = await viewOf(deps, tx, gap)
        await updateProposed(tx, gap.gapId, { by: actorOf(operatorCode), reason, digest })
        const proposed = await findOpenGap(tx)
        return viewOf(deps, tx, proposed ?? gap)
      }),
    close: (order) => inGap((tx, gap) => close(deps, tx, gap, order)),
  }
}

const actorOf = (operatorCode: string): string => `${OPERATOR_ACTOR_PREFIX}${operatorCode}`

async function close(
  deps: GapDeps,
  tx: Tx,
  gap: RestoreGap,
  { operatorCode, reason, digest }: Parameters<GapService['close']>[0],
): Promise<void> {
  const { proposal } = gap
  if (proposal === undefined)
    throw new GapRefused('Nobody has proposed to close the gap. Two operators close it: propose it first.')
  if (proposal.by === actorOf(operatorCode))
    throw new GapRefused('You proposed to close the gap yourself, so another operator has to close it.')
  const view = await viewOf(deps, tx, gap)
  if (view.digest !== proposal.digest)
    throw new GapRefused(
      'Ids or statement lines came since it was proposed to close the gap. Look at them, and propose it again.',
    )
  if (!view.digest.startsWith(digest))
    throw new GapRefused('The digest is not that of the gap as it is. Look at it again.')
  const references = [...new Set(view.debits.flatMap((debit) => debit.references))]
  if (!(await updateClosed(tx, gap.gapId, { by: actorOf(operatorCode), reason, references })))
    throw new GapRefused(NONE_OPEN)
}

async function viewOf(deps: GapDeps, tx: Tx, gap: RestoreGap): Promise<GapView> {
  const named = await listGapIds(tx, gap.gapId)
  const codes = new Map<string, string>()
  for (const { merchantId } of named)
    if (!codes.has(merchantId)) codes.set(merchantId, await deps.merchantCodeOf(merchantId))
  const ids = named.map((id) => {
    const merchantCode = codes.get(id.merchantId) ?? ''
    return { ...id, merchantCode, reference: referenceOfOutgoing(deps.secrets, { key: id, merchantCode }) }
  })
  const idOf = new Map(ids.map(({ reference, idPayment }) => [reference, idPayment]))
  const found = await deps.listUnknownDebits(tx, gap.lostFrom)
  const known = await listKnownReferences(
    tx,
    found.flatMap(({ references }) => references),
  )
  const debits = found.map((debit) => ({
    ...debit,
    references: debit.references.filter((reference) => !known.has(reference)),
    idPayment: debit.references.map((reference) => idOf.get(reference)).find((id) => id !== undefined),
  }))
  const said = [
    gap.gapId,
    ids.map(({ merchantId, kind, idPayment }) => [merchantId, kind, idPayment]),
    debits.map(({ lineId, references }) => [lineId, references]),
  ]
  return {
    ...{ gap, ids, debits },
    held: await countHeld(tx),
    digest: createHash('sha256').update(JSON.stringify(said)).digest('hex'),
  }
}
