import { Type } from 'typebox'
import { oneOf, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { OperatorIdentitySchema } from './operator-identities.ts'
import { MEMBER_ROLES, OPERATOR_PERMISSIONS, OPERATOR_ROLES } from './operator-roles.ts'

// The operator API: for the people who run the gateway, apart from what merchants call.

export const OperatorSelfSchema = Type.Object(
  {
    operatorCode: Type.String({ description: 'The name under which everything you do is recorded.' }),
    name: Type.String(),
    roles: Type.Array(oneOf(OPERATOR_ROLES), { description: 'Empty for a merchant’s person.' }),
    merchantCode: Type.Optional(
      Type.String({ description: 'Of a merchant’s person: everything you see is of this merchant.' }),
    ),
    memberRole: Type.Optional(oneOf(MEMBER_ROLES, { description: 'Of a merchant’s person.' })),
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

/** Query of GET /operator/unmaskings. */
export const UnmaskingsQuery = Type.Object({ ...PageQuery.properties })

const UnmaskingSchema = Type.Object(
  {
    operatorCode: Type.String(),
    subject: Type.String({
      description:
        'PAYEE: whom a payment pays. STATEMENT_LINE: a line of a statement. RAIL_NOTIFICATION: the message of an institution. PAYOUT_REPORT: a status report of a bank. FAILED_DOCUMENT: a file that could not be taken. PAYOUT_FILE: a file of payouts for a bank.',
      examples: ['PAYEE'],
    }),
    merchantCode: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String({ examples: ['PAYOUT'] })),
    idPayment: Type.Optional(Type.String()),
    lineId: Type.Optional(Type.String()),
    notificationNo: Type.Optional(Type.String()),
    reportId: Type.Optional(Type.String()),
    documentId: Type.Optional(Type.String()),
    fileId: Type.Optional(Type.String()),
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
    sessionId: Type.Optional(
      Type.String({
        description: 'The session by which it was asked. Absent where it was by a key.',
        examples: ['ses_4Q7XWB2K9M'],
      }),
    ),
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

// Operators themselves.

const OperatorCode = Type.String({ pattern: '^[a-z0-9._-]{2,64}$', examples: ['ada'] })

export const OperatorAccountParams = Type.Object({ operatorCode: OperatorCode })
export const OperatorKeyParams = Type.Object({
  operatorCode: OperatorCode,
  keyId: Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$', examples: ['key_4Q7XWB2K9M'] }),
})

const Roles = Type.Array(oneOf(OPERATOR_ROLES), { minItems: 1, maxItems: OPERATOR_ROLES.length })

export const OperatorCreateSchema = Type.Object(
  {
    operatorCode: OperatorCode,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 140, pattern: PRINTABLE_PATTERN })),
    roles: Roles,
  },
  {
    title: 'OperatorCreate',
    examples: [{ operatorCode: 'ada', name: 'Ada Lovelace', roles: ['APPROVER'] }],
  },
)

export const OperatorRolesSetSchema = Type.Object(
  { roles: Roles },
  { title: 'OperatorRolesSet', description: 'These and no others.', examples: [{ roles: ['SUPPORT'] }] },
)

export const OperatorKeyAddSchema = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        description: 'After these the key ends by itself. Absent: it lives until it is removed.',
      }),
    ),
  },
  { title: 'OperatorKeyAdd', examples: [{ days: 90 }] },
)

const ACCOUNT = {
  operatorCode: Type.String(),
  name: Type.String(),
  status: Type.String({ description: 'ACTIVE or DISABLED.', examples: ['ACTIVE'] }),
  roles: Type.Array(Type.String()),
  createdAt: TimestampSchema,
}
const ACCOUNT_EXAMPLE = {
  operatorCode: 'ada',
  name: 'Ada Lovelace',
  status: 'ACTIVE',
  roles: ['APPROVER'],
  createdAt: '2026-11-21T10:15:28.001Z',
}
const KEY = {
  keyId: Type.String(),
  createdAt: TimestampSchema,
  expiresAt: Type.Optional(Type.String({ ...TimestampSchema, description: 'Absent: until it is removed.' })),
  madeBy: Type.Optional(
    Type.String({
      description:
        'The ADMIN who made it; absent for the command line. Without `secondedBy`, such a key carries no role but AUDITOR, SUPPORT and CATALOGUE.',
      examples: ['alan'],
    }),
  ),
  secondedBy: Type.Optional(Type.String({ description: 'The ADMIN who added the second half.' })),
}
const KEY_EXAMPLE = { keyId: 'key_4Q7XWB2K9M', createdAt: '2026-11-21T10:15:28.001Z' }
const Secret = Type.String({ description: 'Told this once: only its hash is stored.', examples: ['tgop_…'] })

export const OperatorAccountSchema = Type.Object(ACCOUNT, {
  title: 'OperatorAccount',
  examples: [ACCOUNT_EXAMPLE],
})

export const OperatorAccountListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { ...ACCOUNT, keys: Type.Integer({ description: 'How many keys are active.' }) },
        { title: 'ListedOperatorAccount' },
      ),
      { description: 'All of them, by their codes.' },
    ),
  },
  { title: 'OperatorAccountList', examples: [{ data: [{ ...ACCOUNT_EXAMPLE, keys: 1 }] }] },
)

export const OperatorAccountDetailSchema = Type.Object(
  {
    ...ACCOUNT,
    permissions: Type.Array(Type.String(), { description: 'What the roles permit, all of them together.' }),
    keys: Type.Array(Type.Object(KEY), { description: 'Those that are active.' }),
    identities: Type.Array(OperatorIdentitySchema, {
      description: 'Linked accounts of the provider of identities.',
    }),
  },
  {
    title: 'OperatorAccountDetail',
    examples: [
      {
        ...ACCOUNT_EXAMPLE,
        permissions: ['self.read', 'payouts.approve'],
        keys: [KEY_EXAMPLE],
        identities: [],
      },
    ],
  },
)

export const OperatorCreatedSchema = Type.Object(
  { ...ACCOUNT, keyId: Type.String(), key: Secret },
  {
    title: 'OperatorCreated',
    examples: [{ ...ACCOUNT_EXAMPLE, keyId: KEY_EXAMPLE.keyId, key: 'tgop_…' }],
  },
)

export const OperatorKeyAddedSchema = Type.Object(
  { ...KEY, key: Secret },
  { title: 'OperatorKeyAdded', examples: [{ ...KEY_EXAMPLE, key: 'tgop_…' }] },
)

export const OperatorKeySecondedSchema = Type.Object(
  {
    keyId: Type.String(),
    secondHalf: Type.String({
      description: 'Told this once. The operator writes a dot and this behind the key.',
    }),
  },
  { title: 'OperatorKeySeconded', examples: [{ keyId: KEY_EXAMPLE.keyId, secondHalf: '…' }] },
)

export const OperatorKeyRemovedSchema = Type.Object(
  { keyId: Type.String(), removed: Type.Literal(true) },
  { title: 'OperatorKeyRemoved', examples: [{ keyId: KEY_EXAMPLE.keyId, removed: true }] },
)
