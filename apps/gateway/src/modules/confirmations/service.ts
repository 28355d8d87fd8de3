import { createHash } from 'node:crypto'
import type { Clock } from '@tollgate/runtime'
import { type Database, resolveUnknown, type Tx } from '../../platform/database.ts'
import { databaseWithin, dryRun } from '../../platform/dry-run.ts'
import { Refusal, rejection } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { OPERATOR_ACTOR_PREFIX } from '../payments/index.ts'
import { ActImpossible } from './errors.ts'
import { type Act, type ActKind, type ActState, type Consequences, digestOfConsequences } from './model.ts'
import { sealContext } from './second-person.ts'
import {
  findAct,
  findActForUpdate,
  findContent,
  findContentSize,
  listActs,
  listEarlier,
  updateEnded,
} from './store.ts'

/** An act with its bytes. */
export interface OpenedAct {
  readonly act: Act
  readonly bytes: Buffer
}

/** What a room does with acts of its kind. */
export interface Performer {
  /**
   * Does it, on a database that is one transaction, and tells what followed; the caller rolls it back. Throws ActImpossible.
   */
  rehearse(dry: Database, opened: OpenedAct): Promise<Consequences>
  /** A sentence that says why this operator may not be the second one, beside being the first. */
  problemOfOperator(tx: Tx, opened: OpenedAct, operatorCode: string): Promise<string | undefined>
  /**
   * Does it, within the transaction that notes the confirmation; answers the file, report or line that came of it. Throws
   * ActImpossible.
   */
  carryOut(within: Database, opened: OpenedAct, confirmedBy: string): Promise<string>
  /** What follows from rows, once they are durable. A crash before it leaves that to the workers. */
  afterwards(result: string): Promise<void>
  /** What operators see of the directive and the bytes. */
  describe(opened: OpenedAct): Readonly<Record<string, unknown>>
}

interface ConfirmationDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly secrets: Secrets
  readonly performers: Readonly<Record<ActKind, Performer>>
  /** Those of the operators who may not propose such an act any more. */
  readonly listPowerless: (
    tx: Tx,
    kind: ActKind,
    operatorCodes: readonly string[],
  ) => Promise<ReadonlySet<string>>
}

/** An act with what would follow from it, while it waits. */
export interface ActView {
  readonly act: Act
  readonly about: Readonly<Record<string, unknown>>
  readonly consequences: Consequences | undefined
  /** Identifies the consequences. */
  readonly consequencesDigest: string | undefined
  /** Why it cannot be carried out as things are now. */
  readonly impossible: string | undefined
  /** What became of the same bytes before. */
  readonly earlier: readonly Act[]
}

interface EndOrder {
  readonly confirmationId: string
  readonly operatorCode: string
  /** Twelve or more hex digits of the digest that the operator has seen. */
  readonly digest: string
}

/** What a second operator agrees to. */
export interface ConfirmOrder extends EndOrder {
  readonly reason: string | undefined
  /** The same of what would follow; refused when that has changed since. */
  readonly consequencesDigest: string | undefined
}

/** What operators do about acts of others. Refusals are thrown. */
export interface ConfirmationService {
  list(query: {
    readonly states: readonly ActState[]
    readonly before: string | undefined
    readonly limit: number
  }): Promise<readonly Act[]>
  /** Throws ENTITY_NOT_FOUND. */
  show(confirmationId: string): Promise<ActView>
  /** How large what waits is, as it is stored; 0 where there is nothing. */
  byteCountOf(confirmationId: string): Promise<number>
  /**
   * Carries the act out, in the transaction that notes who confirmed it. The same operator's repeat changes nothing. Throws
   * ENTITY_NOT_FOUND, CONFIRMATION_NOT_OPEN, CONFIRMATION_CHANGED, CONFIRMATION_OTHER_PERSON, and CONFIRMATION_FAILED for what
   * can no longer be carried out: it has ended then.
   */
  confirm(order: ConfirmOrder): Promise<ActView>
  /** Ends it. Throws what `confirm` throws, but CONFIRMATION_FAILED. */
  refuse(order: EndOrder & { readonly reason: string }): Promise<ActView>
  /** Ends an act of one's own. */
  withdraw(order: {
    readonly confirmationId: string
    readonly operatorCode: string
    readonly reason: string | undefined
  }): Promise<ActView>
}

const operatorActor = (operatorCode: string): string => `${OPERATOR_ACTOR_PREFIX}${operatorCode}`

const EARLIER_SHOWN_MAX = 10

export function createConfirmationService(deps: ConfirmationDeps): ConfirmationService {
  return {
    list: (query) => listActs(deps.db, query),
    show: (confirmationId) => show(deps, confirmationId),
    byteCountOf: async (confirmationId) =>
      ID.test(confirmationId) ? await findContentSize(deps.db, confirmationId) : 0,
    async confirm(order) {
      if (order.consequencesDigest !== undefined)
        await requireConsequences(deps, order.confirmationId, order.consequencesDigest)
      const act = await resolveUnknown(deps.clock, () => confirmOrFail(deps, order))
      if (act.result !== undefined) await deps.performers[act.kind].afterwards(act.result)
      return show(deps, order.confirmationId)
    },
    async refuse(order) {
      await resolveUnknown(deps.clock, () =>
        deps.db.transaction(async (tx) => {
          const act = await requireOpen(tx, order, 'REFUSED')
          if (act.state === 'WAITING') await end(tx, act, { ...order, state: 'REFUSED', result: undefined })
        }),
      )
      return show(deps, order.confirmationId)
    },
    async withdraw(order) {
      await resolveUnknown(deps.clock, () => deps.db.transaction((tx) => withdraw(tx, order)))
      return show(deps, order.confirmationId)
    },
  }
}

const ID = /^\d{1,18}$/

const missing = (confirmationId: string): Refusal =>
  new Refusal('ENTITY_NOT_FOUND', { message: `There is no confirmation ${confirmationId}.` })

async function show(deps: ConfirmationDeps, confirmationId: string): Promise<ActView> {
  const act = ID.test(confirmationId) ? await findAct(deps.db, confirmationId) : undefined
  if (act === undefined) throw missing(confirmationId)
  const earlier = await listEarlier(deps.db, act, EARLIER_SHOWN_MAX)
  const opened = await open(deps, deps.db, act)
  const performer = deps.performers[act.kind]
  const about = opened === undefined ? {} : performer.describe(opened)
  const nothing = { consequences: undefined, consequencesDigest: undefined, impossible: undefined }
  if (opened === undefined || act.state !== 'WAITING' || act.isDue) return { act, about, ...nothing, earlier }
  try {
    await requireProposer(deps, deps.db, act)
    const consequences = await rehearse(deps, opened)
    const consequencesDigest = digestOfConsequences(consequences)
    return { act, about, consequences, consequencesDigest, impossible: undefined, earlier }
  } catch (error) {
    if (!(error instanceof ActImpossible)) throw error
    return { act, about, ...nothing, impossible: error.message, earlier }
  }
}

const rehearse = (deps: ConfirmationDeps, opened: OpenedAct): Promise<Consequences> =>
  dryRun(deps.db, (dry) => deps.performers[opened.act.kind].rehearse(dry, opened))

/** Undefined for what one operator did alone: its bytes are not kept here. */
async function open({ secrets }: ConfirmationDeps, tx: Tx, act: Act): Promise<OpenedAct | undefined> {
  const content = await findContent(tx, act.confirmationId)
  if (content === undefined) return undefined
  const bytes = secrets.openApart(sealContext(act), content.dataKey, content.sealed)
  if (createHash('sha256').update(bytes).digest('hex') !== act.digest)
    throw new Error(`the bytes of confirmation ${act.confirmationId} are not those that were stored`)
  return { act, bytes }
}

async function requireConsequences(
  deps: ConfirmationDeps,
  confirmationId: string,
  seen: string,
): Promise<void> {
  const { act, consequencesDigest } = await show(deps, confirmationId)
  if (act.state !== 'WAITING' || consequencesDigest === undefined || consequencesDigest.startsWith(seen))
    return
  const message = 'What would follow has changed since you looked. Look again.'
  throw new Refusal('CONFIRMATION_CHANGED', { message })
}

/** What can no longer be carried out ends, in a transaction of its own: the first one is rolled back. */
async function confirmOrFail(deps: ConfirmationDeps, order: ConfirmOrder): Promise<Act> {
  try {
    return await deps.db.transaction((tx) => confirm(deps, tx, order))
  } catch (error) {
    if (!(error instanceof ActImpossible)) throw error
    const { message } = error
    await deps.db.transaction(async (tx) => {
      const act = await requireOpen(tx, order, 'FAILED')
      if (act.state === 'WAITING')
        await end(tx, act, { ...order, reason: message, state: 'FAILED', result: undefined })
    })
    throw new Refusal('CONFIRMATION_FAILED', {
      message: `It cannot be carried out, and has ended: ${message}`,
    })
  }
}

async function confirm(deps: ConfirmationDeps, tx: Tx, order: ConfirmOrder): Promise<Act> {
  const act = await requireOpen(tx, order, 'CONFIRMED')
  if (act.state === 'CONFIRMED') return act
  const performer = deps.performers[act.kind]
  const opened = await open(deps, tx, act)
  if (opened === undefined) throw new Error('an act waits, and has no bytes')
  const problem = await performer.problemOfOperator(tx, opened, order.operatorCode)
  if (problem !== undefined) throw otherPerson(problem)
  await requireProposer(deps, tx, act)
  const confirmedBy = operatorActor(order.operatorCode)
  const result = await performer.carryOut(databaseWithin(tx), opened, confirmedBy)
  await end(tx, act, { ...order, state: 'CONFIRMED', result })
  return { ...act, result }
}

/** The word of who proposed it counts as long as they may still give it: two people stand behind what is carried out. */
async function requireProposer(
  { listPowerless }: ConfirmationDeps,
  tx: Tx,
  { kind, actor }: Act,
): Promise<void> {
  if (!actor.startsWith(OPERATOR_ACTOR_PREFIX)) return
  const code = actor.slice(OPERATOR_ACTOR_PREFIX.length)
  if (!(await listPowerless(tx, kind, [code])).has(code)) return
  throw new ActImpossible(
    `${code}, who proposed it, may not do so any more. Somebody else has to propose it again.`,
  )
}

/**
 * The act under its lock, if this operator may end it as the second one. One that the same operator has ended in the same way
 * is given, too: an answer was lost, and it is asked again.
 */
async function requireOpen(tx: Tx, order: EndOrder, wanted: ActState): Promise<Act> {
  const act = await requireAct(tx, order.confirmationId)
  if (!act.digest.startsWith(order.digest)) throw new Refusal('CONFIRMATION_CHANGED')
  const actor = operatorActor(order.operatorCode)
  if (act.state === wanted && act.endedBy === actor) return act
  requireWaiting(act)
  if (act.actor === actor)
    throw otherPerson('You proposed this yourself, so somebody else has to decide. You can withdraw it.')
  return act
}

async function requireAct(tx: Tx, confirmationId: string): Promise<Act> {
  const act = ID.test(confirmationId) ? await findActForUpdate(tx, confirmationId) : undefined
  if (act === undefined) throw missing(confirmationId)
  return act
}

function requireWaiting({ state, isDue }: Act): void {
  if (state === 'WAITING' && !isDue) return
  const why = state === 'WAITING' ? 'its time is over' : `it is ${state}`
  throw new Refusal('CONFIRMATION_NOT_OPEN', { message: `This is not waiting for confirmation: ${why}.` })
}

const otherPerson = (message: string): Refusal => rejection([{ code: 'CONFIRMATION_OTHER_PERSON', message }])

async function withdraw(
  tx: Tx,
  order: {
    readonly confirmationId: string
    readonly operatorCode: string
    readonly reason: string | undefined
  },
): Promise<void> {
  const act = await requireAct(tx, order.confirmationId)
  const actor = operatorActor(order.operatorCode)
  if (act.actor !== actor)
    throw otherPerson('Only the operator who proposed this can withdraw it. An approver can refuse it.')
  if (act.state === 'WITHDRAWN') return
  requireWaiting(act)
  await end(tx, act, { ...order, state: 'WITHDRAWN', result: undefined })
}

async function end(
  tx: Tx,
  { confirmationId }: Act,
  given: {
    readonly state: 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'FAILED'
    readonly operatorCode: string
    readonly reason: string | undefined
    readonly result: string | undefined
  },
): Promise<void> {
  const { state, reason, result } = given
  const endedBy = operatorActor(given.operatorCode)
  if (!(await updateEnded(tx, confirmationId, { state, endedBy, reason, result })))
    throw new Error('an act was locked while it waited, and does not wait')
}
