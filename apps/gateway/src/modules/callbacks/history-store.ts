import type { Statement, Tx } from '../../platform/database.ts'
import type { CallbackAttempt, CallbackEvent, CallbackKind, CallbackOutcome, CallbackState } from './model.ts'

/** Which callbacks to list; what is absent does not restrict. */
export interface CallbackFilter {
  /** The text of a bigint. */
  readonly merchantId?: string | undefined
  readonly state?: CallbackState | undefined
  /** The merchant's id of the payment. */
  readonly idEntity?: string | undefined
  /** The last event of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

const IN_STATE: Readonly<Record<CallbackState, string>> = {
  PENDING: `state = 'PENDING'`,
  DELIVERED: `state = 'DELIVERED'`,
  EXHAUSTED: `state = 'EXHAUSTED'`,
}

const PLACE = '(select p.created_at from callback_events p where p.event_id = $4)'
const AFTER = `created_at <= ${PLACE} and not (created_at = ${PLACE} and event_id <= $4)`

/** Each combination of filters has a statement of its own, so that each gets the plan that suits it. */
function listStatement(filter: CallbackFilter): Statement {
  const { merchantId, state, idEntity, after } = filter
  const conditions = new Map<string, string>()
  if (merchantId !== undefined) conditions.set('merchant', 'merchant_id = $1::bigint')
  if (idEntity !== undefined) conditions.set('entity', 'id_entity = $2::text')
  if (state !== undefined) conditions.set(state.toLowerCase(), IN_STATE[state])
  if (after !== undefined) conditions.set('after', AFTER)
  return {
    name: ['callbacks_list_events', ...conditions.keys()].join('_'),
    // The first condition is always true; it gives every parameter a type.
    text: `select * from callback_events
      where ${['($1::bigint is null or $2::text is null or $4::uuid is null or true)', ...conditions.values()].join(' and ')}
      order by created_at desc, event_id limit $3`,
  }
}

const LIST_ATTEMPTS: Statement = {
  name: 'callbacks_list_attempts',
  text: 'select * from callback_attempts where event_id = any ($1::uuid[]) order by event_id, attempt_no',
}

interface EventRow {
  readonly event_id: string
  readonly merchant_id: string
  readonly kind: CallbackKind
  readonly id_entity: string
  readonly timeline_entry_no: number
  readonly url: string
  readonly state: CallbackState
  readonly attempts_started: number
  readonly attempts_max: number
  readonly due_at: Date | null
  readonly last_started_at: Date | null
  readonly lease_token: string | null
  readonly created_at: Date
  readonly done_at: Date | null
}

interface AttemptRow {
  readonly event_id: string
  readonly attempt_no: number
  readonly started_at: Date
  readonly starts: number
  readonly finished_at: Date | null
  readonly outcome: CallbackOutcome | null
  readonly http_status: number | null
  readonly took_ms: number | null
  readonly message: string | null
  readonly answer_start: string | null
}

/** The latest callbacks first, each with its attempts in order. */
export async function listEvents(tx: Tx, filter: CallbackFilter): Promise<readonly CallbackEvent[]> {
  const events = await tx.rows<EventRow>(listStatement(filter), [
    filter.merchantId ?? null,
    filter.idEntity ?? null,
    filter.limit,
    filter.after ?? null,
  ])
  const attempts = await tx.rows<AttemptRow>(LIST_ATTEMPTS, [events.map((event) => event.event_id)])
  const byEvent = Map.groupBy(attempts, (attempt) => attempt.event_id)
  return events.map((event) => toEvent(event, byEvent.get(event.event_id) ?? []))
}

function toEvent(row: EventRow, attempts: readonly AttemptRow[]): CallbackEvent {
  const isUnderWay = row.lease_token !== null
  return {
    eventId: row.event_id,
    merchantId: row.merchant_id,
    kind: row.kind,
    idEntity: row.id_entity,
    timelineEntryNo: row.timeline_entry_no,
    url: row.url,
    state: row.state,
    attemptsStarted: row.attempts_started,
    attemptsMax: row.attempts_max,
    isUnderWay,
    nextAttemptAt: isUnderWay ? undefined : (row.due_at ?? undefined),
    createdAt: row.created_at,
    doneAt: row.done_at ?? undefined,
    attempts: [...attempts.map(toAttempt), ...underWay(row, attempts)],
  }
}

/** The attempt that is being made: its row is written with its result. */
function underWay(row: EventRow, attempts: readonly AttemptRow[]): readonly CallbackAttempt[] {
  const isNoted = attempts.at(-1)?.attempt_no === row.attempts_started
  if (row.lease_token === null || row.last_started_at === null || isNoted) return []
  const result = { finishedAt: undefined, outcome: undefined, httpStatus: undefined, tookMs: undefined }
  const startedAt = row.last_started_at
  return [
    {
      attemptNo: row.attempts_started,
      startedAt,
      starts: 1,
      ...result,
      message: undefined,
      answerStart: undefined,
    },
  ]
}

function toAttempt(row: AttemptRow): CallbackAttempt {
  return {
    attemptNo: row.attempt_no,
    startedAt: row.started_at,
    starts: row.starts,
    finishedAt: row.finished_at ?? undefined,
    outcome: row.outcome ?? undefined,
    httpStatus: row.http_status ?? undefined,
    tookMs: row.took_ms ?? undefined,
    message: row.message ?? undefined,
    answerStart: row.answer_start ?? undefined,
  }
}
