import { type Static, Type } from 'typebox'
import { oneOf, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { OPERATOR_PERMISSIONS, OPERATOR_ROLES } from './operator-roles.ts'

// The operator API: for the people who run the gateway, apart from what merchants call.

export const OperatorSelfSchema = Type.Object(
  {
    operatorCode: Type.String({ description: 'The name under which everything you do is recorded.' }),
    name: Type.String(),
    roles: Type.Array(oneOf(OPERATOR_ROLES)),
    permissions: Type.Array(oneOf(OPERATOR_PERMISSIONS), {
      description: 'What your roles permit, all of them together.',
    }),
  },
  {
    title: 'OperatorSelf',
    examples: [
      {
        operatorCode: 'ada',
        name: 'Ada Lovelace',
        roles: ['APPROVER'],
        permissions: ['self.read', 'payouts.read', 'payouts.approve'],
      },
    ],
  },
)
export type OperatorSelf = Static<typeof OperatorSelfSchema>

/** Query of GET /operator/unmaskings. */
export const UnmaskingsQuery = Type.Object({ ...PageQuery.properties })

const UnmaskingSchema = Type.Object(
  {
    operatorCode: Type.String(),
    subject: Type.String({
      description:
        'PAYEE: whom a payment pays. STATEMENT_LINE: a line of a statement. RAIL_NOTIFICATION: the message of an institution.',
      examples: ['PAYEE'],
    }),
    merchantCode: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String({ examples: ['PAYOUT'] })),
    idPayment: Type.Optional(Type.String()),
    lineId: Type.Optional(Type.String()),
    notificationNo: Type.Optional(Type.String()),
    seenAt: TimestampSchema,
  },
  { title: 'Unmasking' },
)

export const UnmaskingListSchema = Type.Object(
  {
    data: Type.Array(UnmaskingSchema),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  {
    title: 'UnmaskingList',
    examples: [
      {
        data: [
          {
            operatorCode: 'ada',
            subject: 'PAYEE',
            merchantCode: 'DEMO',
            kind: 'PAYOUT',
            idPayment: 'OUT-2026-007',
            seenAt: '2026-11-21T11:02:40.120Z',
          },
        ],
      },
    ],
  },
)

/** Query of GET /operator/requests. */
export const OperatorRequestsQuery = Type.Object({
  operatorCode: Type.Optional(
    Type.String({ pattern: '^[a-z0-9._-]{2,64}$', description: 'Only of this operator.', examples: ['ada'] }),
  ),
  ...PageQuery.properties,
})

const OperatorRequestSchema = Type.Object(
  {
    operatorCode: Type.String(),
    operation: Type.String({ description: 'operationId of this description.', examples: ['approvePayout'] }),
    path: Type.String({ description: 'Without query and body, which may name persons.' }),
    requestId: Type.String({ description: 'The logs carry it.' }),
    askedAt: TimestampSchema,
    answeredStatus: Type.Optional(
      Type.Integer({
        description: 'Absent while it is under way, and for good where the process ended before its answer.',
        examples: [200],
      }),
    ),
  },
  { title: 'OperatorRequest' },
)

export const OperatorRequestListSchema = Type.Object(
  {
    data: Type.Array(OperatorRequestSchema),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  {
    title: 'OperatorRequestList',
    examples: [
      {
        data: [
          {
            operatorCode: 'ada',
            operation: 'approvePayout',
            path: '/operator/payouts/DEMO/OUT-2026-007/!approve',
            requestId: '01JD7Q5W2M3N4P5Q6R7S8T9V0W',
            askedAt: '2026-11-21T11:02:40.120Z',
            answeredStatus: 200,
          },
        ],
      },
    ],
  },
)
export type OperatorRequestList = Static<typeof OperatorRequestListSchema>
