import { Type } from 'typebox'
import { ID_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { MerchantCode, NextCursor } from './operator-parts.ts'

// The operator API: callbacks to merchants.

const ATTEMPT_EXAMPLE = {
  attemptNo: 1,
  startedAt: '2026-11-21T10:16:02.500Z',
  starts: 1,
  finishedAt: '2026-11-21T10:16:02.640Z',
  outcome: 'WRONG_STATUS',
  httpStatus: 503,
  tookMs: 140,
}
const EVENT_EXAMPLE = {
  eventId: '5f0c6e6e-2f5b-4c1d-9a52-0b6f3f1f7a10',
  merchantCode: 'DEMO',
  kind: 'PAYIN',
  idPayment: 'ORD-2026-041',
  timelineEntryNo: 3,
  url: 'https://shop.example/callbacks',
  state: 'PENDING',
  attemptsStarted: 1,
  attemptsMax: 5,
  isUnderWay: false,
  nextAttemptAt: '2026-11-21T10:18:02.500Z',
  createdAt: '2026-11-21T10:16:02.417Z',
  attempts: [ATTEMPT_EXAMPLE],
}

const EventId = Type.String({
  pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'The `webhook-id` of every attempt.',
  examples: [EVENT_EXAMPLE.eventId],
})

export const OperatorCallbackParams = Type.Object({ eventId: EventId })

/** Query of GET /operator/callbacks. */
export const OperatorCallbacksQuery = Type.Object({
  merchantCode: Type.Optional(MerchantCode),
  state: Type.Optional(
    Type.Union([Type.Literal('PENDING'), Type.Literal('DELIVERED'), Type.Literal('EXHAUSTED')], {
      description: 'Only callbacks in this state.',
    }),
  ),
  idPayment: Type.Optional(
    Type.String({ pattern: ID_PATTERN, description: 'Only about the payment of this id.' }),
  ),
  ...PageQuery.properties,
})

const AttemptSchema = Type.Object(
  {
    attemptNo: Type.Integer(),
    startedAt: TimestampSchema,
    starts: Type.Integer({
      description: 'More than 1 where a process died between sending and recording.',
    }),
    finishedAt: Type.Optional(TimestampSchema),
    outcome: Type.Optional(
      Type.String({
        description:
          'OK, WRONG_STATUS, TIMEOUT, BLOCKED, DNS, REFUSED, RESET, TLS, PROTOCOL or OTHER. Absent while it is not known.',
        examples: ['WRONG_STATUS'],
      }),
    ),
    httpStatus: Type.Optional(Type.Integer()),
    tookMs: Type.Optional(Type.Integer()),
    message: Type.Optional(Type.String()),
    answerStart: Type.Optional(
      Type.String({ description: 'The beginning of an answer other than 200, at most 4 kB.' }),
    ),
  },
  { title: 'CallbackAttempt' },
)

export const OperatorCallbackSchema = Type.Object(
  {
    eventId: EventId,
    merchantCode: Type.String(),
    kind: Type.String({ description: 'PAYIN, PAYOUT or TOPUP.', examples: ['PAYIN'] }),
    idPayment: Type.String(),
    timelineEntryNo: Type.Integer({ description: 'Of the change of status that it tells of.' }),
    url: Type.String(),
    state: Type.String({
      description:
        'PENDING has attempts to come, DELIVERED was answered 200, EXHAUSTED used up its attempts.',
      examples: ['PENDING'],
    }),
    attemptsStarted: Type.Integer(),
    attemptsMax: Type.Integer(),
    isUnderWay: Type.Boolean(),
    nextAttemptAt: Type.Optional(TimestampSchema),
    createdAt: TimestampSchema,
    doneAt: Type.Optional(TimestampSchema),
    attempts: Type.Array(AttemptSchema),
  },
  { title: 'OperatorCallback', examples: [EVENT_EXAMPLE] },
)

/** What is older than this may have been removed. */
export const RemovedUntil = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'What was over before may have been removed; absent where nothing ever was.',
  }),
)

export const OperatorCallbackListSchema = Type.Object(
  { data: Type.Array(OperatorCallbackSchema), nextCursor: NextCursor, removedUntil: RemovedUntil },
  { title: 'OperatorCallbackList', examples: [{ data: [EVENT_EXAMPLE] }] },
)

export const CallbackResentSchema = Type.Object(
  {
    eventId: EventId,
    state: Type.Literal('PENDING', { description: 'One attempt now, and four repeats.' }),
  },
  {
    title: 'CallbackResent',
    examples: [{ eventId: EVENT_EXAMPLE.eventId, state: 'PENDING' }],
  },
)

const Moment = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-11-21T00:00:00Z'] }))

/** Body of POST /operator/callbacks/!resend. */
export const CallbacksResendSchema = Type.Object(
  {
    merchantCode: Type.Optional(MerchantCode),
    isForAll: Type.Optional(
      Type.Boolean({ description: 'Of all merchants; needed where no merchant is named.' }),
    ),
    createdFrom: Moment('Only callbacks that were made from this moment on.'),
    createdTo: Moment('Only callbacks that were made before this moment.'),
  },
  { title: 'CallbacksResend', additionalProperties: false, examples: [{ merchantCode: 'DEMO' }] },
)

export const CallbacksResentSchema = Type.Object(
  {
    resent: Type.Integer({ description: 'The oldest first, at most 1000 at a time.' }),
    hasMore: Type.Boolean({ description: 'There may be more: ask again.' }),
  },
  { title: 'CallbacksResent', examples: [{ resent: 132, hasMore: false }] },
)
