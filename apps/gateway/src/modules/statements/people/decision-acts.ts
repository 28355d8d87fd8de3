import { createHash } from 'node:crypto'
import { type Money, subtractAmounts, sumAmounts } from '@tollgate/money'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import type { Database, Tx } from '../../../platform/database.ts'
import { databaseWithin, dryRun } from '../../../platform/dry-run.ts'
import {
  ActImpossible,
  ANYBODY,
  type Consequences,
  type NewAct,
  type Performer,
  type SecondPerson,
} from '../../confirmations/index.ts'
import {
  OPERATOR_ACTOR_PREFIX,
  PAYMENT_KINDS,
  type PaymentKey,
  type TransitionOutcome,
} from '../../payments/index.ts'
import { StatementProblem } from '../errors.ts'
import { listLinesForUpdate, lockMatching, type SealedLine } from '../lines/line-store.ts'
import type { LineDecision } from '../model.ts'
import type { DecisionWish, LineReport, NamedPayment, StatementDeps, StatementService } from '../service.ts'
import { listHandsOfLines } from './act-store.ts'
import { type DecideOrder, decideLine } from './decisions.ts'
import { orImpossible, type Waits } from './file-acts.ts'

export interface DecisionActDeps extends StatementDeps {
  readonly statements: Pick<StatementService, 'decide' | 'show'>
  readonly secondPerson: SecondPerson
}

/** Decisions that give money away, or say that its leaving is in order. */
const SECONDED_DECISIONS = ['ACCEPT', 'COVER', 'NOTE'] as const satisfies readonly LineDecision[]
const isSeconded = (decision: LineDecision): boolean => SECONDED_DECISIONS.some((each) => each === decision)

const KIND = 'LINE_DECISION'

/** What a decision says, and the lines as they were: what is confirmed, and what its digest is of. */
const ContentSchema = Type.Object({
  decision: Type.Union([Type.Literal('ACCEPT'), Type.Literal('COVER'), Type.Literal('NOTE')]),
  reason: Type.String(),
  payment: Type.Union([
    Type.Null(),
    Type.Object({ merchantCode: Type.String(), kind: Type.String(), idPayment: Type.String() }),
  ]),
  lines: Type.Array(
    Type.Object({
      lineId: Type.String(),
      state: Type.String(),
      money: Type.String(),
      open: Type.String(),
      decisionCount: Type.Integer(),
    }),
    { minItems: 1 },
  ),
})
type Content = Static<typeof ContentSchema>
const compiled = Compile(ContentSchema)

function readContent(bytes: Buffer): Content {
  const value: unknown = JSON.parse(bytes.toString('utf8'))
  if (!compiled.Check(value)) throw new Error('the content of a decision that waits is not ours')
  return value
}

/**
 * Decides about a line: at once, or when a second operator has confirmed it. Throws StatementProblem for what could not be
 * done, and then nothing waits.
 */
export async function proposeDecision(
  deps: DecisionActDeps,
  wish: DecisionWish,
): Promise<({ readonly kind: 'DECIDED' } & LineReport) | Waits> {
  const { secondPerson, statements } = deps
  if (!secondPerson.isOn || !isSeconded(wish.decision))
    return { kind: 'DECIDED', ...(await statements.decide(wish)) }
  // Refuses what could not be done, so that nobody is asked in vain.
  await dryRun(deps.db, (dry) => rehearse(deps, dry, wish))
  const needsTwo = await takesTwo(deps, wish)
  const admission = await secondPerson.admit(deps, {
    actOf: (tx) => actOf(deps, tx, { wish, needsTwo }),
    carryOut: (tx) => decideWithin(deps, databaseWithin(tx), { ...wish, isAlone: true }),
  })
  if (admission.kind === 'WAITS') return { kind: 'WAITING', act: admission.act }
  return { kind: 'DECIDED', ...(await statements.show(wish.lineId)) }
}

/** Whether the payment takes nobody's word alone, whatever the amount: our books say that it has ended. */
async function takesTwo(deps: DecisionActDeps, wish: DecisionWish): Promise<boolean> {
  try {
    await dryRun(deps.db, (dry) =>
      decideWithin({ ...deps, metrics: undefined }, dry, { ...wish, isAlone: true }),
    )
    return false
  } catch (error) {
    if (error instanceof StatementProblem) return true
    throw error
  }
}

const lineIdsOf = ({ lineId, withLineIds = [] }: DecisionWish): readonly string[] => [
  ...new Set([lineId, ...withLineIds]),
]

/** The lines as they are under their locks, and what is to be done with them. */
async function actOf(
  deps: DecisionActDeps,
  tx: Tx,
  { wish, needsTwo }: { readonly wish: DecisionWish; readonly needsTwo: boolean },
): Promise<NewAct> {
  await lockMatching(tx)
  const lineIds = lineIdsOf(wish)
  const lines = await listLinesForUpdate(tx, lineIds)
  const bytes = Buffer.from(JSON.stringify(contentOf(wish, lines)))
  const digest = createHash('sha256').update(bytes).digest()
  const actor = `${OPERATOR_ACTOR_PREFIX}${wish.operatorCode}`
  await refuseWaiting(deps, tx, { lineIds, actor, digest })
  return {
    kind: KIND,
    digest,
    actor,
    bytes,
    lineIds,
    directive: '{}',
    title: `${wish.decision} of statement line ${lineIds.join(', ')}`,
    sums: await atStake(deps, wish, lines),
    // Who handed in what the bank is said to have said does not also decide whose money it is.
    needsSecond: needsTwo || (await listHandsOfLines(tx, lineIds)).includes(actor),
  }
}

/** One decision about a line at a time: a second one would be made on what the first may change. */
async function refuseWaiting(
  { secondPerson }: DecisionActDeps,
  tx: Tx,
  mine: { readonly lineIds: readonly string[]; readonly actor: string; readonly digest: Buffer },
): Promise<void> {
  const digest = mine.digest.toString('hex')
  const other = (await secondPerson.listOfLines(tx, mine.lineIds)).find(
    (act) => act.digest !== digest || act.actor !== mine.actor,
  )
  if (other !== undefined)
    throw new StatementProblem(
      `A decision about this waits as confirmation ${other.confirmationId}. Confirm, refuse or withdraw that first.`,
      'CONFLICT',
    )
}

function contentOf(wish: DecisionWish, lines: readonly SealedLine[]): Content {
  const decision = SECONDED_DECISIONS.find((each) => each === wish.decision)
  if (decision === undefined) throw new Error(`${wish.decision} needs nobody else`)
  return {
    decision,
    reason: wish.reason.trim(),
    payment: wish.payment ?? null,
    lines: lines.map(({ lineId, state, amount, openAmount, currencyCode, decisionCount }) => ({
      lineId,
      state,
      decisionCount,
      money: `${amount} ${currencyCode}`,
      open: `${openAmount} ${currencyCode}`,
    })),
  }
}

/** ACCEPT and COVER: what the payment gets. NOTE: what has left. */
async function atStake(
  deps: DecisionActDeps,
  wish: DecisionWish,
  lines: readonly SealedLine[],
): Promise<readonly Money[]> {
  const [line] = lines
  if (line === undefined)
    throw new StatementProblem(`There is no statement line ${wish.lineId}.`, 'NOT_FOUND')
  const payment = wish.payment === undefined ? line.payment : await keyOf(deps, wish.payment)
  const money = payment === undefined ? undefined : (await deps.payments.find(payment))?.money
  return [wish.decision === 'NOTE' || money === undefined ? line : money].map(({ amount, currencyCode }) => ({
    amount,
    currencyCode,
  }))
}

async function keyOf(deps: DecisionActDeps, named: NamedPayment): Promise<PaymentKey> {
  const kind = PAYMENT_KINDS.find((known) => known === named.kind)
  const merchantId = await deps.merchantIdOf(named.merchantCode)
  if (kind === undefined || merchantId === undefined)
    throw new StatementProblem(
      `There is no ${named.kind} ${named.idPayment} of ${named.merchantCode}.`,
      'NOT_FOUND',
    )
  return { merchantId, kind, idPayment: named.idPayment }
}

async function decideWithin(
  deps: DecisionActDeps,
  within: Database,
  wish: DecisionWish & Pick<DecideOrder, 'confirmedBy' | 'isAlone'>,
): Promise<TransitionOutcome | undefined> {
  const payment = wish.payment === undefined ? undefined : await keyOf(deps, wish.payment)
  const findMoney = async (key: PaymentKey): Promise<Money | undefined> =>
    (await deps.payments.find(key))?.money
  return decideLine({ ...deps, db: within, findMoney }, { ...wish, payment })
}

/** Decides on a database that is rolled back afterwards. */
async function rehearse(deps: DecisionActDeps, dry: Database, wish: DecisionWish): Promise<Consequences> {
  const before = await listLinesForUpdate(dry, lineIdsOf(wish))
  const outcome = await decideWithin({ ...deps, metrics: undefined }, dry, {
    ...wish,
    confirmedBy: ANYBODY,
  })
  const after = await listLinesForUpdate(dry, lineIdsOf(wish))
  const remarks = after.map(
    ({ lineId, state, openAmount, currencyCode }) =>
      `statement line ${lineId} becomes ${state}; ${openAmount} ${currencyCode} of it stay in suspense`,
  )
  if (outcome?.kind !== 'CHANGED') {
    const noted = before.map(({ amount, currencyCode }) => ({
      what: 'NOTED' as const,
      count: 1,
      money: { amount, currencyCode },
    }))
    return { payments: [], sums: noted, remarks }
  }
  const { merchantId, kind, idPayment, money } = outcome.payment
  const given = subtractAmounts(money.amount, sumAmounts(before.map(({ openAmount }) => openAmount)))
  return {
    payments: [{ key: { merchantId, kind, idPayment }, becomes: outcome.status, money }],
    sums: [
      { what: outcome.status, count: 1, money },
      ...(wish.decision === 'COVER'
        ? [{ what: 'COVERED' as const, count: 1, money: { ...money, amount: given } }]
        : []),
    ],
    remarks,
  }
}

/** What confirmations of decisions do. */
export function createDecisionPerformer(deps: DecisionActDeps): Performer {
  return {
    async rehearse(dry, { act, bytes }) {
      const content = readContent(bytes)
      await requireUnchanged(dry, content)
      return orImpossible(rehearse(deps, dry, wishOf(content, act.actor)))
    },
    async problemOfOperator(tx, { act }, operatorCode) {
      const actor = `${OPERATOR_ACTOR_PREFIX}${operatorCode}`
      if (!(await listHandsOfLines(tx, act.lineIds)).includes(actor)) return undefined
      return 'You handed in the file that brought this line, so somebody else has to decide about it.'
    },
    async carryOut(within, { act, bytes }, confirmedBy) {
      const content = readContent(bytes)
      await lockMatching(within)
      await requireUnchanged(within, content)
      await orImpossible(decideWithin(deps, within, { ...wishOf(content, act.actor), confirmedBy }))
      return firstLine(content).lineId
    },
    afterwards: async () => undefined,
    describe: ({ bytes }) => {
      const { payment, ...content } = readContent(bytes)
      return { ...content, ...(payment !== null && { payment }) }
    },
  }
}

function wishOf(content: Content, actor: string): DecisionWish {
  const { decision, reason, payment, lines } = content
  return {
    decision,
    reason,
    lineId: firstLine(content).lineId,
    withLineIds: lines.slice(1).map(({ lineId }) => lineId),
    operatorCode: actor.slice(OPERATOR_ACTOR_PREFIX.length),
    ...(payment !== null && { payment }),
  }
}

function firstLine({ lines: [line] }: Content) {
  if (line === undefined) throw new Error('a decision without a line')
  return line
}

/** Throws ActImpossible when a line is not any more what it was when the decision was made. */
async function requireUnchanged(tx: Tx, { lines }: Content): Promise<void> {
  const now = await listLinesForUpdate(
    tx,
    lines.map(({ lineId }) => lineId),
  )
  for (const was of lines) {
    const is = now.find(({ lineId }) => lineId === was.lineId)
    const open = is && `${is.openAmount} ${is.currencyCode}`
    if (is?.state === was.state && open === was.open && is.decisionCount === was.decisionCount) continue
    throw new ActImpossible(
      `Statement line ${was.lineId} was ${was.state} with ${was.open} open, and is ${is?.state ?? 'gone'} with ${open ?? 'nothing'} open.`,
    )
  }
}
