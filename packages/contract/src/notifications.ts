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

const RailNotificationSchema = Type.Object(
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
