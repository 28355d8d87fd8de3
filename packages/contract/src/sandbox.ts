import { Type } from 'typebox'
import { ID_PATTERN, listOf, TimestampSchema } from './common.ts'

// What merchants' developers have in a sandbox.

export const RecordedRequestsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,18}$',
      description: 'Only requests after the one with this `requestNo`; without it, the latest.',
      examples: ['41'],
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^(?:[1-9][0-9]?|100)$',
      description: 'Requests: 1 to 100, by default 20.',
      examples: ['20'],
    }),
  ),
})

/** Answer of GET /sandbox/requests. */
export const RecordedRequestListSchema = listOf(
  Type.Object({
    requestNo: Type.String({ description: 'Ascends.' }),
    requestId: Type.String(),
    isProven: Type.Boolean({ description: 'False: it claims to be of the merchant, and proved nothing.' }),
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    code: Type.Optional(Type.String({ description: 'Of a refusal.' })),
    says: Type.Array(Type.String(), { description: 'What was wrong.' }),
    tookMs: Type.Number(),
    answeredAt: TimestampSchema,
  }),
  'RecordedRequestList',
  {
    data: [
      {
        requestNo: '42',
        requestId: '5GXQ2K8A-1f',
        isProven: true,
        method: 'POST',
        path: '/payins/ORD-2026-041',
        status: 400,
        code: 'ATTRIBUTE_REQUIRED',
        says: ['payinRequested.money: is required'],
        tookMs: 0.8,
        answeredAt: '2026-11-24T10:15:28.001Z',
      },
    ],
  },
)

export const SandboxTriggerParams = Type.Object({
  idPayment: Type.String({ pattern: ID_PATTERN, examples: ['ORD-2026-041'] }),
})
