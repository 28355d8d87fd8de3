import type { PaymentKind } from '../../modules/payments/model.ts'
import type { InquiryAnswer, InquiryQuestion } from '../../modules/payments/progress/inquiry-store.ts'
import type { InquiryRecord, TaskRecord } from './disk.ts'
import {
  dateOf,
  element,
  type Kinds,
  keyText,
  keyTexts,
  later,
  momentOf,
  type Session,
  type Statements,
  secondsBetween,
  type Texts,
} from './statements.ts'
import { rowOf } from './statements-payments.ts'

type TaskName = TaskRecord['task']

const taskText = ({
  merchant_id,
  kind,
  id_payment,
  task,
}: Pick<TaskRecord, 'merchant_id' | 'kind' | 'id_payment' | 'task'>): string =>
  `${keyText(merchant_id, kind, id_payment)} ${task}`

function claim({ disk, at }: Session, ...values: [number, string, number, TaskName]): readonly object[] {
  const [limit, lease_token, leaseSeconds, name] = values
  return lease({ disk, at }, dueOf({ disk, at }, name).slice(0, limit), [lease_token, leaseSeconds])
}

/** Looks at all that is due: its queue is short. */
function claimBeside(
  session: Session,
  ...values: [number, string, number, TaskName, readonly string[], string | null]
): readonly object[] {
  const [limit, lease_token, leaseSeconds, name, rails] = values
  const others = dueOf(session, name).filter(({ merchant_id, kind, id_payment }) => {
    const rail = session.disk.payments.get(keyText(merchant_id, kind, id_payment))?.rail
    return rail === undefined || !rails.includes(rail)
  })
  const claimed = lease(session, others.slice(0, limit), [lease_token, leaseSeconds])
  return claimed.length === 0
    ? [{ merchant_id: null, walked_to: null }]
    : claimed.map((row) => ({ ...row, walked_to: null }))
}

const dueOf = ({ disk, at }: Pick<Session, 'disk' | 'at'>, name: TaskName): readonly TaskRecord[] =>
  [...disk.tasks.values()]
    .filter(({ task, due_at }) => task === name && due_at <= at)
    .sort((a, b) => a.due_at - b.due_at)

function lease(
  { disk, at }: Pick<Session, 'disk' | 'at'>,
  tasks: readonly TaskRecord[],
  [lease_token, leaseSeconds]: readonly [token: string, seconds: number],
): readonly object[] {
  return tasks.map((task) => {
    disk.tasks.put(taskText(task), { ...task, lease_token, due_at: later(at, leaseSeconds) })
    const { merchant_id, kind, id_payment, unknown_answers, unknown_since } = task
    const unknown_seconds = unknown_since === null ? 0 : secondsBetween(unknown_since, at)
    const key = keyText(merchant_id, kind, id_payment)
    const payment = disk.payments.get(key)
    const data = task.task === 'RAIL' ? disk.personalData.get(`${key} REQUEST`) : undefined
    return {
      ...(payment === undefined ? { status: null } : rowOf(payment, at)),
      merchant_id,
      kind,
      id_payment,
      claimed_at: dateOf(at),
      unknown_answers,
      unknown_seconds,
      data_key: data?.data_key ?? null,
      sealed: data?.sealed ?? null,
    }
  })
}

type Identity = [merchantId: string, kind: PaymentKind, id: string, task: TaskName, leaseToken: string]

/** The task, if the lease is still the caller's. */
function leased({ disk }: Session, [merchant_id, kind, id_payment, task, leaseToken]: Identity) {
  const found = disk.tasks.get(taskText({ merchant_id, kind, id_payment, task }))
  return found?.lease_token === leaseToken ? found : undefined
}

function putOff(session: Session, ...values: [...Identity, seconds: number]): readonly object[] {
  const [merchantId, kind, id, task, token, seconds] = values
  const found = leased(session, [merchantId, kind, id, task, token])
  if (found !== undefined)
    session.disk.tasks.put(taskText(found), {
      ...found,
      due_at: later(session.at, seconds),
      lease_token: null,
    })
  return []
}

function putOffAnswered(
  session: Session,
  ...values: [...Identity, seconds: number, isUnknown: boolean]
): readonly object[] {
  const [merchantId, kind, id, task, token, seconds, isUnknown] = values
  const found = leased(session, [merchantId, kind, id, task, token])
  if (found === undefined) return []
  session.disk.tasks.put(taskText(found), {
    ...found,
    due_at: later(session.at, seconds),
    lease_token: null,
    unknown_since: isUnknown ? (found.unknown_since ?? session.at) : null,
    unknown_answers: isUnknown ? found.unknown_answers + 1 : 0,
  })
  return [{}]
}

function remove(session: Session, ...identity: Identity): readonly object[] {
  const found = leased(session, identity)
  if (found === undefined) return []
  session.disk.tasks.delete(taskText(found))
  return [{}]
}

function makeDue(
  { disk, at }: Session,
  ...values: [string, PaymentKind, string, TaskName]
): readonly object[] {
  const [merchant_id, kind, id_payment, task] = values
  const key = taskText({ merchant_id, kind, id_payment, task })
  const known = disk.tasks.get(key)
  const unknown = {
    unknown_since: known?.unknown_since ?? null,
    unknown_answers: known?.unknown_answers ?? 0,
  }
  disk.tasks.put(key, { merchant_id, kind, id_payment, task, due_at: at, lease_token: null, ...unknown })
  return []
}

function removeAllBut(
  { disk }: Session,
  ...values: [string, PaymentKind, string, TaskName]
): readonly object[] {
  const [merchant_id, kind, id_payment, kept] = values
  for (const task of ['EXPIRE', 'RAIL', 'REVIEW'] as const)
    if (task !== kept) disk.tasks.delete(taskText({ merchant_id, kind, id_payment, task }))
  return []
}

function insertWatches(
  { disk, at }: Session,
  ...values: [Texts, Kinds, Texts, readonly number[]]
): readonly object[] {
  const [merchantIds, kinds, ids, seconds] = values
  ids.forEach((id_payment, i) => {
    const keyed = { merchant_id: element(merchantIds, i), kind: element(kinds, i), id_payment }
    const task = { ...keyed, task: 'RAIL', due_at: later(at, element(seconds, i)) } as const
    disk.tasks.insert(taskText(task), { ...task, lease_token: null, unknown_since: null, unknown_answers: 0 })
  })
  return []
}

function findNextDue({ disk, at }: Session, name: TaskName): readonly object[] {
  let soonest: number | undefined
  for (const { task, due_at } of disk.tasks.values())
    if (task === name && due_at < (soonest ?? Number.POSITIVE_INFINITY)) soonest = due_at
  return [{ seconds: soonest === undefined ? null : secondsBetween(at, soonest) }]
}

type InquiryValues = [
  merchantIds: Texts,
  kinds: Kinds,
  ids: Texts,
  questions: readonly InquiryQuestion[],
  answers: readonly InquiryAnswer[],
  codes: readonly (string | null)[],
  contradict: readonly boolean[],
  digests: readonly (Buffer | null)[],
  asked: readonly (Date | null)[],
  keptMax: number,
]

/** The same answer several times in a row is one row; the rows that a statement finds are those from before it. */
function keepInquiries({ disk, at }: Session, ...values: InquiryValues): readonly object[] {
  const [merchantIds, kinds, ids, questions, answers, codes, contradict, digests, asked, keptMax] = values
  const before = [...disk.inquiries.values()].filter(({ question }) => question !== 'OPERATOR')
  keyTexts(merchantIds, kinds, ids).forEach((key, i) => {
    const said = {
      question: element(questions, i),
      answer: element(answers, i),
      reason_code: element(codes, i),
      contradicts: element(contradict, i),
      answer_digest: element(digests, i),
    }
    const kept = before.filter((each) => keyText(each.merchant_id, each.kind, each.id_payment) === key)
    const last = kept.at(-1)
    if (last !== undefined && (isSame(last, said) || kept.length >= keptMax)) {
      const now = disk.inquiries.get(String(last.inquiry_id)) ?? last
      const again = { ...now, ...said, times: last.times + 1, last_answered_at: at }
      disk.inquiries.put(String(last.inquiry_id), again)
      return
    }
    const askedAt = element(asked, i)
    const inquiry_id = disk.nextNumber('inquiry')
    disk.inquiries.insert(String(inquiry_id), {
      merchant_id: element(merchantIds, i),
      kind: element(kinds, i),
      id_payment: element(ids, i),
      ...said,
      inquiry_id,
      asked_at: askedAt === null ? at : momentOf(askedAt),
      times: 1,
      last_answered_at: at,
      operator_code: null,
      reason: null,
      timeline_entry_no: null,
    })
  })
  return []
}

type Decision = [
  merchantId: string,
  kind: PaymentKind,
  id: string,
  answer: InquiryAnswer,
  operator: string,
  reason: string,
  entryNo: number,
]

function keepDecision({ disk, at }: Session, ...values: Decision): readonly object[] {
  const [merchant_id, kind, id_payment, answer, operator_code, reason, timeline_entry_no] = values
  const inquiry_id = disk.nextNumber('inquiry')
  disk.inquiries.insert(String(inquiry_id), {
    merchant_id,
    kind,
    id_payment,
    inquiry_id,
    question: 'OPERATOR',
    answer,
    reason_code: null,
    contradicts: false,
    answer_digest: null,
    asked_at: at,
    times: 1,
    last_answered_at: at,
    operator_code,
    reason,
    timeline_entry_no,
  })
  return []
}

function listDecisions(
  { disk }: Session,
  ...values: [merchantId: string, kind: PaymentKind, id: string, entryNo: number]
): readonly object[] {
  const [merchantId, kind, id, entryNo] = values
  const key = keyText(merchantId, kind, id)
  return [...disk.inquiries.values()]
    .filter((each) => keyText(each.merchant_id, each.kind, each.id_payment) === key)
    .filter(({ question, timeline_entry_no }) => question === 'OPERATOR' && timeline_entry_no === entryNo)
    .map(({ asked_at, last_answered_at, ...row }) => ({
      ...row,
      asked_at: dateOf(asked_at),
      last_answered_at: dateOf(last_answered_at),
    }))
}

type Said = Pick<InquiryRecord, 'question' | 'answer' | 'reason_code' | 'contradicts' | 'answer_digest'>

function isSame(a: Said, b: Said): boolean {
  const digest = ({ answer_digest }: Said): string | undefined => answer_digest?.toString('hex')
  return (
    a.question === b.question &&
    a.answer === b.answer &&
    a.reason_code === b.reason_code &&
    a.contradicts === b.contradicts &&
    digest(a) === digest(b)
  )
}

/** The statements about what there is to do for payments, and about what was answered. */
export const TASK_STATEMENTS: Statements = {
  payment_tasks_claim: claim,
  payment_tasks_claim_beside: claimBeside,
  payment_tasks_update: putOff,
  payment_tasks_update_answered: putOffAnswered,
  payment_tasks_delete: remove,
  payment_tasks_upsert: makeDue,
  payment_tasks_delete_all_but: removeAllBut,
  payment_tasks_insert_watches: insertWatches,
  payment_tasks_find_next_due: findNextDue,
  payment_inquiries_insert: keepInquiries,
  payment_inquiries_insert_decision: keepDecision,
  payment_inquiries_list_decisions: listDecisions,
}
