import assert from 'node:assert/strict'
import { type Amount, parsePlainAmount, toMinorUnits } from '@tollgate/money'
import { OPERATOR_ACTOR_PREFIX, type Payment } from '../../modules/payments/index.ts'
import { type Ending, type Name, nameText, type Order } from './client.ts'
import {
  type Command,
  documentOf,
  finish,
  type Insisted,
  isAnswered,
  openStage,
  perform,
  rest,
  type Stage,
  type Upload,
} from './commands.ts'
import type { PaymentRecord } from './disk.ts'
import { createModel, type Expected, type Model, type Standing } from './model.ts'
import { CURRENCIES, MERCHANTS, MINOR_UNITS } from './shop.ts'
import { keyText } from './statements.ts'
import { balanceText } from './statements-ledger.ts'
import { digestOf, namesIt } from './uploads.ts'
import type { World, WorldOptions } from './world.ts'

/** How late a payment may expire while nothing is broken: the worker looks ten times a second. */
const EXPIRES_WITHIN_MS = 60_000
/** The limit of requests per second. */
const ADMITTED_MAX = 10

/** Plays the commands, and after each one compares everything with the model. Throws for whatever differs. */
export async function playAgainstModel(commands: readonly Command[], options: WorldOptions): Promise<void> {
  const stage = await openStage(options)
  const model = createModel()
  for (const command of commands) {
    const wasDisturbed = stage.isDisturbed
    const before = fingerprint(stage)
    const standing = standingOf(stage, command)
    const heldBy = holderOf(stage, command)
    const proposedBy = proposerOf(stage, command)
    const answers = await perform(stage, command)
    judge({ stage, model, wasDisturbed, before, standing, heldBy, proposedBy }, command, answers)
    instruct(model, command)
    await rest(stage)
    compare(stage, model)
  }
  await finish(stage)
  compare(stage, model)
}

/** What operators changed. */
function instruct(model: Model, command: Command): void {
  if (command.name === 'SET_METHOD') model.setMethod(command)
  else if (command.name === 'SET_FEE') model.setFee(command)
  else if (command.name === 'REVOKE') model.revoke(command.merchantId)
}

interface Case {
  readonly stage: Stage
  readonly model: Model
  readonly wasDisturbed: boolean
  readonly before: string
  /** Of the payment that the command is about. */
  readonly standing: Standing
  /** Which operator has the payment on hold. */
  readonly heldBy: string | undefined
  /** Who has handed in just this document, which still waits. */
  readonly proposedBy: string | undefined
}

/** Phases in which an institution has the payment. */
const HANDED_OVER: ReadonlySet<string> = new Set(['SUBMITTED', 'UNKNOWN', 'IN_REVIEW'])

function standingOf({ world: { disk } }: Stage, command: Command): Standing {
  const payment = 'of' in command ? disk.payments.get(nameText(command.of)) : undefined
  return {
    entryNo: payment?.timeline_count ?? 0,
    isHandedOver: HANDED_OVER.has(payment?.processor_status ?? ''),
    isAwaiting: payment?.status === 'CREATED' && payment.processor_status === 'AWAITING_APPROVAL',
  }
}

function holderOf({ world: { disk } }: Stage, command: Command): string | undefined {
  const payment = 'of' in command ? disk.payments.get(nameText(command.of)) : undefined
  if (payment?.status !== 'CREATED' || payment.processor_status !== 'ON_HOLD') return undefined
  const { merchant_id, kind, id_payment, timeline_count } = payment
  return (
    disk.holds.get(`${keyText(merchant_id, kind, id_payment)} ${timeline_count}`)?.operator_code ?? undefined
  )
}

function proposerOf(stage: Stage, command: Command): string | undefined {
  const document = command.name === 'UPLOAD' ? documentOf(stage, command) : undefined
  if (document === undefined) return undefined
  const { disk, time } = stage.world
  const digest = digestOf(document)
  const found = [...disk.confirmations.values()].find(
    (act) =>
      act.kind === document.kind &&
      act.state === 'WAITING' &&
      act.expire_at > time.nowMs() * 1_000 &&
      act.digest.equals(digest),
  )
  return found?.actor.slice(OPERATOR_ACTOR_PREFIX.length)
}

/** What a request that is refused must leave as it was. */
function fingerprint({ world: { disk } }: Stage): string {
  const used = [...disk.usage.values()].map(({ amount, payments }) => `${amount} ${payments}`)
  return [disk.payments.size, disk.references.size, disk.personalData.size, ...used].join()
}

function judge(at: Case, command: Command, answers: readonly Insisted[]): void {
  const [answer] = answers
  if (answer === undefined) return
  switch (command.name) {
    case 'CREATE':
      judgeCreate(at, command, answer)
      break
    case 'STORM':
      judgeStorm(at, command, answers)
      break
    case 'READ':
      judgeRead(at.model, command.of, answer)
      break
    case 'REFER':
      judgeReference(at.model, command.of, { reference: command.reference, answer })
      break
    case 'ADJUST':
      judgeWords(at, command, answers)
      return
    case 'APPROVE':
      judgeApprovals(at, command, answers)
      return
    case 'REJECT':
      judgeRejection(at, command, answer)
      return
    case 'UPLOAD':
      judgeUpload(at, command, answers)
      return
    case 'CREATE_HELD':
      judgeCreate(at, command, answer)
      judgeHold(at, command, answers[1])
      return
    case 'RELEASE':
    case 'CANCEL_HELD':
      judgeHoldEnd(at, command, answer)
      break
    default:
      return
  }
  const isRefused = answers.every(({ status }) => typeof status === 'number' && status >= 400 && status < 500)
  if (isRefused && !answer.isRepeat)
    assert.equal(fingerprint(at.stage), at.before, 'S12: a refusal changed something')
}

function judgeCreate({ model }: Case, order: Order, { status, code, isRepeat }: Insisted): void {
  const [expected, reason] = model.answerTo(order)
  // The earlier try was accepted, and its answer lost.
  const isOwn = expected === 201 && status === 409 && isRepeat
  if (!isOwn) assert.deepEqual([status, code], [expected, reason], `the answer to ${nameText(order)}`)
  if (expected === 201) model.accept(order)
}

/** Who is told that a payout is on hold must find it so; otherwise a worker came first. */
function judgeHold({ stage }: Case, order: Order, answer: Insisted | undefined): void {
  const payment = stage.world.disk.payments.get(nameText(order))
  const what = `a hold of ${nameText(order)}`
  if (payment === undefined) assert.equal(answer?.status, 410, what)
  else if (answer?.status === 200) assert.equal(payment.processor_status, 'ON_HOLD', what)
  else assert.deepEqual([answer?.status, answer?.code], [409, 'HOLD_NOT_OPEN'], what)
}

/** Another operator than the one who stopped it releases a payout; anybody may end it. */
function judgeHoldEnd(
  { stage, model, heldBy }: Case,
  { name, of, by }: Extract<Command, { name: 'RELEASE' | 'CANCEL_HELD' }>,
  { status, code, isRepeat }: Insisted,
): void {
  const what = `the end of a hold of ${nameText(of)}`
  if (stage.world.disk.payments.get(nameText(of)) === undefined) {
    assert.equal(status, 410, what)
    return
  }
  const isOwn = name === 'RELEASE' && heldBy === by
  const expected = heldBy === undefined ? [409, 'HOLD_NOT_OPEN'] : isOwn ? [406, 'HOLD_OWN'] : [200, 'OK']
  // The earlier try did it, and its answer was lost.
  const isDone = expected[0] === 200 && status === 409 && isRepeat
  if (!isDone) assert.deepEqual([status, code], expected, what)
  if (name === 'CANCEL_HELD' && expected[0] === 200) model.end(of, 'CANCELLED')
}

/** Who was not answered says it again, and hears that he has. */
function judgeWords(
  { model, standing }: Case,
  { of, outcome, by }: Extract<Command, { name: 'ADJUST' }>,
  answers: readonly Insisted[],
): void {
  for (const [index, operatorCode] of by.entries()) {
    const answer = answers[index]
    if (answer === undefined) return
    const expected = model.say(of, { operatorCode, outcome }, standing)
    const isOwn = answer.isRepeat && expected[0] === 200 && answer.status === 409
    if (!isOwn) assert.deepEqual([answer.status, answer.code], expected, `a word about ${nameText(of)}`)
  }
}

function judgeApprovals(
  { model, standing, stage }: Case,
  { of, by, sees }: Extract<Command, { name: 'APPROVE' }>,
  answers: readonly Insisted[],
): void {
  const verdicts = by.map((operatorCode) => model.approve(of, { operatorCode, sees }, standing.isAwaiting))
  verdicts.forEach((expected, index) => {
    const answer = answers[index]
    const isOwn = answer?.isRepeat === true && expected[0] === 200 && answer.status === 409
    if (!isOwn) assert.deepEqual([answer?.status, answer?.code], expected, `an approval of ${nameText(of)}`)
  })
  const payment = stage.world.disk.payments.get(nameText(of))
  if (standing.isAwaiting && payment?.processor_status !== 'AWAITING_APPROVAL')
    assert.ok(
      model.isApproved(of),
      `S20: ${nameText(of)} does not wait any more, and two have not approved it`,
    )
}

function judgeRejection(
  { model, standing }: Case,
  { of }: Extract<Command, { name: 'REJECT' }>,
  { status, code, isRepeat }: Insisted,
): void {
  const what = `a rejection of ${nameText(of)}`
  if (!model.payments.has(nameText(of))) {
    assert.equal(status, 410, what)
    return
  }
  const expected = standing.isAwaiting ? [200, 'OK'] : [409, 'APPROVAL_NOT_OPEN']
  const isOwn = isRepeat && standing.isAwaiting && status === 409
  if (!isOwn) assert.deepEqual([status, code], expected, what)
  if (standing.isAwaiting) model.end(of, 'CANCELLED')
}

/** Who handed a document in may only withdraw it; another operator confirms or refuses it; it ends once. */
function judgeUpload({ model, proposedBy }: Case, command: Upload, answers: readonly Insisted[]): void {
  const [handedIn, ...given] = answers
  assert.equal(handedIn?.status, 200, 'a document that is handed in waits')
  const proposer = proposedBy ?? command.by
  let endedAs: string | undefined
  for (const [index, ending] of command.endings.entries()) {
    const expected = verdictOn(ending, proposer, endedAs)
    const answer = given[index]
    assert.deepEqual([answer?.status, answer?.code], expected, 'S21: the end of an upload')
    if (expected[0] !== 200 || endedAs !== undefined) continue
    endedAs = endOf(ending)
    for (const name of paidBy(command, ending))
      model.pay(name, name.kind === 'PAYOUT' ? 'REPORT' : 'STATEMENT')
  }
}

const paidBy = ({ isExact, lines, form }: Upload, { action }: Ending): readonly Name[] =>
  isExact && action === 'confirm' ? lines.filter(({ kind }) => kind === 'PAYOUT' || namesIt(form)) : []

const endOf = ({ action, operatorCode }: Ending): string => `${action} by ${operatorCode}`

/** Who ended it, and does so again in the same way, hears that it is done. */
function verdictOn(ending: Ending, proposer: string, endedAs: string | undefined) {
  const isAllowed = (ending.operatorCode === proposer) === (ending.action === 'withdraw')
  const isDone = endedAs === endOf(ending)
  if (isDone || (endedAs === undefined && isAllowed)) return [200, 'OK']
  const isOther = endedAs === undefined || (ending.action === 'withdraw' && !isAllowed)
  return isOther ? [406, 'CONFIRMATION_OTHER_PERSON'] : [409, 'CONFIRMATION_NOT_OPEN']
}

/** Of requests under one id at once, one at most is accepted, and no more are let in than the limit says. */
function judgeStorm({ model, stage, wasDisturbed }: Case, order: Order, answers: readonly Insisted[]): void {
  const [expected] = model.answerTo(order)
  const count = (status: number): number => answers.filter((each) => each.status === status).length
  assert.ok(count(201) <= 1, 'S1: two requests under one id were accepted')
  // A process that is started anew has counted nobody.
  if (expected === 401) {
    // Where the database was just away, nobody knows what is revoked, and nobody is let in.
    const judged = wasDisturbed ? answers.filter(isAnswered) : answers
    assert.equal(count(401), judged.length, 'S14: a revoked token was let in')
  } else if (!wasDisturbed) {
    assert.equal(
      answers.length - count(429),
      Math.min(answers.length, ADMITTED_MAX),
      'S13: so many are let in',
    )
    const let_in = Math.min(answers.length, ADMITTED_MAX)
    assert.equal(count(expected), expected === 201 ? 1 : let_in, `${order.kind} at once: ${expected}`)
    if (expected === 201) assert.equal(count(409), let_in - 1)
  }
  const isThere = stage.world.disk.payments.get(nameText(order)) !== undefined
  if (expected === 201 && isThere) model.accept(order)
  if (expected !== 201 && !model.payments.has(nameText(order))) assert.ok(!isThere)
}

function judgeRead({ payments }: Model, of: Name, { status, body }: Insisted): void {
  const payment = payments.get(nameText(of))
  assert.equal(status, payment === undefined ? 410 : 200, `reading ${nameText(of)}`)
  if (payment === undefined) return
  assert.ok(isPayment(body))
  assert.equal(body.status, payment.status)
  assert.equal(body.money.amount, String(payment.order.amount))
}

const isPayment = (body: unknown): body is Payment =>
  typeof body === 'object' && body !== null && 'status' in body && 'money' in body

function judgeReference(
  { payments }: Model,
  of: Name,
  { reference, answer }: { readonly reference: string; readonly answer: Insisted },
): void {
  const payment = payments.get(nameText(of))
  if (payment === undefined) {
    assert.equal(answer.status, 410)
    return
  }
  const isOpen = payment.status === 'CREATED' || payment.status === 'EXPIRED'
  assert.equal(
    answer.status,
    isOpen || payment.reference === reference ? 200 : 400,
    `a reference for ${nameText(of)}`,
  )
  if (isOpen) payment.reference = reference
}

/** Follows what has happened since, and compares. */
function compare(stage: Stage, model: Model): void {
  const { disk } = stage.world
  assert.deepEqual(new Set(disk.payments.keys()), new Set(model.payments.keys()))
  for (const payment of model.payments.values()) follow(stage, model, payment)
  for (const [name, payment] of model.payments)
    assert.equal(disk.payments.get(name)?.status, payment.status, `the status of ${name}`)
  for (const merchantId of MERCHANTS)
    for (const currencyCode of CURRENCIES) {
      const held = disk.balances.get(balanceText(merchantId, currencyCode))
      const units = (amount: string | undefined): bigint =>
        toMinorUnits(amountOf(amount ?? '0'), MINOR_UNITS[currencyCode])
      assert.deepEqual(
        {
          available: units(held?.available),
          notSettled: units(held?.not_settled),
          reserved: units(held?.reserved),
          receivable: units(held?.receivable),
        },
        model.balanceOf(merchantId, currencyCode),
        `the balance of ${merchantId} in ${currencyCode}`,
      )
    }
}

const amountOf = (text: string): Amount => parsePlainAmount(text)

/** Time that was over, then what the institution has done. */
function follow({ world }: Stage, model: Model, { order, status }: Expected): void {
  const payment = world.disk.payments.get(nameText(order))
  if (payment === undefined) return
  if (hasExpired(world, payment)) model.end(order, 'EXPIRED')
  const isOverdue = payment.expire_at / 1_000 + EXPIRES_WITHIN_MS < world.time.nowMs()
  if (status === 'CREATED' && order.kind !== 'PAYOUT')
    assert.ok(!isOverdue || payment.status !== 'CREATED', `${nameText(order)} should have expired`)
  const truth = world.bank.payments.get(payment.reference)
  // Other money than was asked for ends nothing.
  if (truth === undefined || truth.received !== undefined) return
  for (const end of ENDS[truth.status]) model.end(order, end)
}

function hasExpired({ disk }: World, payment: PaymentRecord): boolean {
  const name = keyText(payment.merchant_id, payment.kind, payment.id_payment)
  const entries = Array.from({ length: payment.timeline_count }, (_, index) =>
    disk.timeline.get(`${name} ${index + 1}`),
  )
  const expired = entries.find((entry) => entry?.status === 'EXPIRED')
  assert.ok(expired === undefined || expired.happened_at >= payment.expire_at, `${name} expired early`)
  return expired !== undefined
}

/** What follows from what the institution has done. */
const ENDS = {
  PENDING: [],
  SUCCEEDED: ['SUCCESS'],
  RETURNED: ['SUCCESS', 'REVERSED'],
  FAILED: ['FAILED'],
  CANCELLED: ['CANCELLED'],
} as const
