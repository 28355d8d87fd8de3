import { Type } from 'typebox'
import { TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { EXAMPLES } from './examples.ts'

const RailCode = Type.String({
  pattern: '^[a-z0-9-]{1,32}$',
  description: 'The rail that the message came in for.',
  examples: ['bank'],
})

/** Query of GET /operator/rail-notifications. */
export const RailNotificationsQuery = Type.Object({
  state: Type.Optional(
    Type.String({
      pattern: '^(?:PENDING|APPLIED|KNOWN|QUARANTINED)$',
      description: 'Only messages in this state; without it, all.',
      examples: ['QUARANTINED'],
    }),
  ),
  railCode: Type.Optional(RailCode),
  ...PageQuery.properties,
})

export const RailNotificationSchema = Type.Object(
  {
    notificationNo: Type.String({ description: 'Our number of the message.', examples: ['417'] }),
    railCode: RailCode,
    idNotification: Type.Optional(
      Type.String({ description: 'The institution’s own id of the message, where it could be read.' }),
    ),
    state: Type.String({
      description:
        'PENDING until a worker has looked at it; APPLIED: it changed its payment; KNOWN: it said nothing new; QUARANTINED: it was not applied, and people should look at it.',
      examples: ['QUARANTINED'],
    }),
    reason: Type.Optional(
      Type.String({
        description:
          'Why it is QUARANTINED: UNREADABLE, ID_REUSED, REFERENCE_UNKNOWN, RAIL_DIFFERS, MERCHANT_DIFFERS, DIRECTION_DIFFERS, MONEY_DIFFERS, CONTRADICTS or FAULT.',
        examples: ['MONEY_DIFFERS'],
      }),
    ),
    detail: Type.Optional(Type.String({ description: 'The same as a sentence.' })),
    told: Type.Optional(
      Type.Object(
        { reference: Type.String(), merchantCode: Type.String(), report: Type.String() },
        { description: 'What the message says, whether it is true or not.' },
      ),
    ),
    payment: Type.Optional(
      Type.Object(
        { merchantCode: Type.String(), kind: Type.String(), idPayment: Type.String() },
        { description: 'The payment that has the reference.' },
      ),
    ),
    repeats: Type.Integer({ description: 'How often the message came again.' }),
    receivedAt: TimestampSchema,
    doneAt: Type.Optional(TimestampSchema),
  },
  { title: 'RailNotification', examples: [EXAMPLES.railNotification] },
)

export const RailNotificationListSchema = Type.Object(
  {
    data: Type.Array(RailNotificationSchema),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'RailNotificationList', examples: [{ data: [EXAMPLES.railNotification] }] },
)

export const RailNotificationParams = Type.Object({
  notificationNo: Type.String({ pattern: '^[1-9][0-9]{0,17}$', examples: ['417'] }),
})

export const RailNotificationBodySchema = Type.Object(
  {
    notificationNo: Type.String(),
    body: Type.Optional(
      Type.String({ description: 'As it came, it may name persons. Absent where it is not kept any more.' }),
    ),
  },
  {
    title: 'RailNotificationBody',
    examples: [{ notificationNo: '417', body: '{"reference":"YK7HC7SP61GN","status":"BOOKED"}' }],
  },
)

/** Query of GET /operator/rail-forgeries. */
export const RailForgeriesQuery = Type.Object({
  railCode: Type.Optional(RailCode),
  limit: PageQuery.properties.limit,
})

const FORGERY_EXAMPLE = {
  forgeryNo: '3',
  railCode: 'bank',
  why: 'the signature is wrong',
  address: '203.0.113.7',
  byteCount: 412,
  receivedAt: '2026-11-21T10:15:28.001Z',
}

export const RailForgeryListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          forgeryNo: Type.String(),
          railCode: RailCode,
          why: Type.String({ description: 'What it failed to prove.' }),
          address: Type.String({ description: 'Where it came from.' }),
          byteCount: Type.Integer(),
          receivedAt: TimestampSchema,
        },
        { title: 'RailForgery' },
      ),
    ),
  },
  { title: 'RailForgeryList', examples: [{ data: [FORGERY_EXAMPLE] }] },
)
