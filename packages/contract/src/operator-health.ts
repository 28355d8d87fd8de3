import { Type } from 'typebox'
import { oneOf, TimestampSchema } from './common.ts'

// The operator API: how the gateway is, in facts that the process or its database has.

const At = (description: string) => Type.Optional(Type.String({ ...TimestampSchema, description }))

const Queue = Type.Object(
  {
    queue: oneOf(['PAYMENTS', 'EXPIRIES', 'CALLBACKS', 'NOTIFICATIONS'], {
      description:
        'PAYMENTS: to be submitted or asked for. EXPIRIES: payments whose time is over. CALLBACKS: to merchants. NOTIFICATIONS: messages of institutions.',
    }),
    due: Type.Integer({ description: 'What is due now and waits for a worker; at most 1000 are counted.' }),
    oldestDueAt: At('Since when the oldest of them has been due.'),
  },
  { title: 'HealthQueue' },
)

export const SystemHealthSchema = Type.Object(
  {
    now: Type.String({ ...TimestampSchema, description: 'By the clock of the database.' }),
    gateway: Type.Object({
      version: Type.String(),
      nodeVersion: Type.String(),
      environment: oneOf(['live', 'sandbox']),
      cell: Type.Optional(
        Type.String({ description: 'The letter of this installation, where several share the merchants.' }),
      ),
      upSeconds: Type.Integer({ description: 'Of the process that answers.' }),
    }),
    database: Type.Object({
      version: Type.String(),
      latestMigration: Type.Optional(Type.String({ description: 'That this version has.' })),
      pendingMigrations: Type.Array(Type.String(), { description: 'That the database has not.' }),
      connections: Type.Array(
        Type.Object({
          program: Type.String({ description: 'As the process names itself to the database.' }),
          count: Type.Integer(),
          since: Type.String({ ...TimestampSchema, description: 'The oldest of them.' }),
        }),
        { description: 'That processes of the gateway hold.' },
      ),
    }),
    queues: Type.Array(Queue),
    ledger: Type.Object({
      lastCheck: Type.Optional(
        Type.Object(
          {
            checkedAt: TimestampSchema,
            checks: Type.Integer(),
            findings: Type.Integer({ description: '0: the books agree.' }),
          },
          { description: 'By `tollgate ledger check`; absent where it never ran.' },
        ),
      ),
      head: Type.String({ description: 'The last entry of the journal.' }),
      chainedAt: At('When it was chained.'),
      waitSeconds: Type.Optional(
        Type.Integer({
          description: 'How long the next transfer has waited to be chained; absent after a restore.',
        }),
      ),
    }),
    lastBackup: Type.Optional(
      Type.Object(
        {
          startedAt: Type.String({
            ...TimestampSchema,
            description: 'What was acknowledged before is in it.',
          }),
          finishedAt: TimestampSchema,
          kind: oneOf(['CLUSTER', 'DUMP'], {
            description: 'CLUSTER: all files of the embedded server. DUMP: of a server of your own.',
          }),
          bytes: Type.Integer(),
        },
        { description: 'By `tollgate backup`; absent where it never ran to its end.' },
      ),
    ),
    restoreGap: Type.Optional(
      Type.Object(
        { lostFrom: TimestampSchema, restoredAt: TimestampSchema },
        { description: 'While one is open, no money leaves.' },
      ),
    ),
    failedDocuments: Type.Object({
      count: Type.Integer({ description: 'Of the last seven days; at most 100 are counted.' }),
      latestAt: At('The newest of all.'),
    }),
    retention: Type.Array(
      Type.Object({
        class: Type.String(),
        days: Type.Integer({ description: '0: kept for ever.' }),
        removedUntil: At('What is older may have been removed. Absent: nothing was.'),
      }),
    ),
    rates: Type.Array(
      Type.Object({
        rateListCode: Type.String(),
        publishedAt: At('Of the sheet in force. Absent: there is none.'),
        isStale: Type.Boolean(),
      }),
      { description: 'Of lists in use.' },
    ),
  },
  {
    title: 'SystemHealth',
    examples: [
      {
        now: '2026-11-21T10:15:28.001Z',
        gateway: { version: '0.1.0', nodeVersion: 'v24.1.0', environment: 'sandbox', upSeconds: 4210 },
        database: {
          version: '18.1',
          latestMigration: '0054_operators_passkeys',
          pendingMigrations: [],
          connections: [{ program: 'tollgate api', count: 4, since: '2026-11-21T09:05:18.200Z' }],
        },
        queues: [{ queue: 'CALLBACKS', due: 2, oldestDueAt: '2026-11-21T10:15:20.000Z' }],
        ledger: {
          lastCheck: { checkedAt: '2026-11-21T09:30:00.000Z', checks: 31, findings: 0 },
          head: '417:3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
          chainedAt: '2026-11-21T10:15:27.310Z',
          waitSeconds: 0,
        },
        lastBackup: {
          startedAt: '2026-11-21T03:00:00.000Z',
          finishedAt: '2026-11-21T03:00:08.000Z',
          kind: 'DUMP',
          bytes: 41_200_310,
        },
        failedDocuments: { count: 0 },
        retention: [{ class: 'DELIVERIES', days: 90, removedUntil: '2026-08-23T10:00:00.000Z' }],
        rates: [{ rateListCode: 'CARD', publishedAt: '2026-11-21T06:00:00.000Z', isStale: false }],
      },
    ],
  },
)
