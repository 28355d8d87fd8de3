import { Type } from 'typebox'
import { AUDIT_KINDS, AUDIT_MEANS, AUDIT_OUTCOMES, AUDIT_VERBS } from './audit-words.ts'
import { oneOf, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { NextCursor } from './operator-parts.ts'

// The operator API: the log of what operators do.

const HASH = { pattern: '^[0-9a-f]{64}$' }
const Number15 = { pattern: '^[1-9][0-9]{0,14}$' }
const Moment = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-11-21T00:00:00Z'] }))
const Filter = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 250, description, examples: [example] }))

const FILTERS = {
  operatorCode: Filter('Only of this operator.', 'ada'),
  act: Filter('operationId of the route, or what was read in full, such as PAYEE.', 'approvePayout'),
  subject: Filter('Exactly what an act names, besides the merchant.', 'OUT-2026-007'),
  merchantCode: Filter('Only what is about this merchant.', 'DEMO'),
  from: Moment('From this moment on.'),
  to: Moment('Before this moment.'),
  failed: Type.Optional(oneOf(['true'], { description: 'Only what was refused or failed.' })),
}

/** Query of GET /operator/audit. */
export const AuditQuery = Type.Object({ ...FILTERS, ...PageQuery.properties })

/** Query of GET /operator/audit/export. */
export const AuditExportQuery = Type.Object({ ...FILTERS, format: Type.Optional(oneOf(['csv', 'jsonl'])) })

export const AuditParams = Type.Object({ number: Type.String(Number15) })

const AuditChangeSchema = Type.Object(
  {
    section: Type.String({ description: 'The table.', examples: ['merchant_fees'] }),
    item: Type.Optional(Type.String({ description: 'What names the row.' })),
    merchantCode: Type.Optional(Type.String()),
    verb: oneOf(AUDIT_VERBS),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        before: Type.Optional(Type.String()),
        after: Type.Optional(Type.String()),
      }),
      { description: 'Of secrets and accounts only that they changed.' },
    ),
  },
  { title: 'AuditChange' },
)

const ACT = {
  number: Type.String({ description: 'Rises with time; numbers may be left out.', examples: ['1204'] }),
  happenedAt: TimestampSchema,
  kind: oneOf(AUDIT_KINDS, {
    description:
      'ACT: a request of an operator. READ: an operator read data in full. LOCAL: a command, a worker, or somebody at the database. BEGAN: from here on everything is recorded as it happens.',
  }),
  operatorCode: Type.Optional(Type.String()),
  operatorName: Type.Optional(Type.String()),
  means: Type.Optional(oneOf(AUDIT_MEANS, { description: 'By what the operator asked.' })),
  meansId: Type.Optional(Type.String({ description: 'The key, session or invitation.' })),
  program: Type.Optional(Type.String({ description: 'Of LOCAL.', examples: ['tollgate command'] })),
  databaseUser: Type.Optional(Type.String({ description: 'Of LOCAL.' })),
  act: Type.Optional(Type.String({ description: 'operationId, or what was read in full.' })),
  says: Type.String({ description: 'The act in words.', examples: ['Approved a payout'] }),
  merchantCode: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String({ description: 'What else it names.' })),
  reason: Type.Optional(Type.String()),
  outcome: oneOf(AUDIT_OUTCOMES, {
    description: 'NOT_KNOWN: there is no answer yet, or the process ended before it.',
  }),
  status: Type.Optional(Type.Integer({ description: 'Status of the answer.' })),
  path: Type.Optional(Type.String()),
  requestId: Type.Optional(Type.String()),
  changeCount: Type.Integer(),
  changes: Type.Array(AuditChangeSchema, { description: 'In lists the first five.' }),
  isFromBefore: Type.Boolean({ description: 'Noted before there was this log, and taken over.' }),
  entryNo: Type.Optional(Type.Integer({ description: 'Of the chain. Absent until it is chained.' })),
  chainHash: Type.Optional(Type.String(HASH)),
}

const ACT_EXAMPLE = {
  number: '1204',
  happenedAt: '2026-11-21T11:02:40.120Z',
  kind: 'ACT',
  operatorCode: 'ada',
  operatorName: 'Ada Lovelace',
  means: 'PASSKEY',
  meansId: 'ses_4Q7XWB2K9M',
  act: 'setPayoutRule',
  says: 'Set an approval rule',
  merchantCode: 'DEMO',
  subject: 'EUR',
  outcome: 'DONE',
  status: 200,
  path: '/operator/payout-rules/DEMO/EUR',
  requestId: '01JD7Q5W2M3N4P5Q6R7S8T9V0W',
  changeCount: 1,
  changes: [
    {
      section: 'payout_rules',
      item: 'EUR',
      merchantCode: 'DEMO',
      verb: 'CHANGED',
      fields: [{ name: 'amount_from', before: '1000', after: '5000' }],
    },
  ],
  isFromBefore: false,
  entryNo: 1198,
  chainHash: '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
}

export const AuditActSchema = Type.Object(ACT, { title: 'AuditAct', examples: [ACT_EXAMPLE] })

export const AuditListSchema = Type.Object(
  { data: Type.Array(AuditActSchema), nextCursor: NextCursor },
  { title: 'AuditList', examples: [{ data: [ACT_EXAMPLE] }] },
)

/** Answer of GET /operator/audit/export. */
export const AuditExportSchema = {
  description:
    'A head and a line for each act, or only the lines as JSON with everything that changed. The changes of a CSV line are JSON.',
  content: {
    'text/csv': {
      schema: Type.String({
        title: 'AuditCsv',
        examples: ['number,happenedAt,kind,operatorCode\r\n1204,2026-11-21T11:02:40.120Z,ACT,ada\r\n'],
      }),
    },
    'application/jsonl': { schema: Type.String({ title: 'AuditLines' }) },
  },
} as const

const HEAD = {
  head: Type.String({ description: 'Number and chain hash; `tollgate ledger check --audit-head` takes it.' }),
  entryNo: Type.Integer({ description: '0 while nothing is chained.' }),
  chainHash: Type.String(HASH),
  chainedAt: Type.Optional(TimestampSchema),
}
const HEAD_EXAMPLE = {
  head: `1198:${ACT_EXAMPLE.chainHash}`,
  entryNo: 1198,
  chainHash: ACT_EXAMPLE.chainHash,
  chainedAt: '2026-11-21T11:02:41.001Z',
}

export const AuditHeadSchema = Type.Object(
  {
    ...HEAD,
    beginsWith: Type.String({
      description: 'The number from which on everything is recorded as it happens.',
    }),
    beganAt: TimestampSchema,
  },
  {
    title: 'AuditHead',
    examples: [{ ...HEAD_EXAMPLE, beginsWith: '17', beganAt: '2026-11-20T08:00:00.000Z' }],
  },
)

export const AuditVerificationSchema = Type.Object(
  {
    isIntact: Type.Boolean(),
    ...HEAD,
    verifiedAt: TimestampSchema,
    findings: Type.Array(Type.Object({ check: Type.String(), detail: Type.String() })),
  },
  {
    title: 'AuditVerification',
    examples: [{ isIntact: true, ...HEAD_EXAMPLE, verifiedAt: '2026-11-21T11:05:00.000Z', findings: [] }],
  },
)
