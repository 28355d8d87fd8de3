import { Type } from 'typebox'
import { PRINTABLE_PATTERN, TimestampSchema } from './common.ts'

// The operator API: rails, and whether banks, wallets and rails are there.

const RAIL_EXAMPLE = {
  railCode: 'bank-transfer',
  directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
  flows: ['INSTRUCTIONS'],
  cancels: false,
  notifies: false,
  handsOverByFile: true,
}

export const RailListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          railCode: Type.String(),
          directions: Type.Array(Type.String({ description: 'PAYIN, PAYOUT, TOPUP.' })),
          flows: Type.Array(Type.String()),
          cancels: Type.Boolean({ description: 'Whether a payment can be called off at the institution.' }),
          notifies: Type.Boolean({ description: 'Whether the institution tells on its own.' }),
          handsOverByFile: Type.Boolean({ description: 'Whether payouts are handed over in files.' }),
        },
        { title: 'Rail' },
      ),
    ),
  },
  { title: 'RailList', examples: [{ data: [RAIL_EXAMPLE] }] },
)

const Type_ = Type.Union([Type.Literal('OPERATOR'), Type.Literal('RAIL')], {
  description:
    'OPERATOR: a bank or wallet of the catalogue. RAIL: a rail, for payments through none of them.',
  examples: ['OPERATOR'],
})
const Code = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['TESTBANK'] })
const Direction = Type.Union([Type.Literal('PAYIN'), Type.Literal('PAYOUT')], {
  description: 'PAYIN also means top-ups, PAYOUT also settlements.',
  examples: ['PAYIN'],
})
const Availability = Type.Union(
  [Type.Literal('OPERATIONAL'), Type.Literal('DELAYED'), Type.Literal('CLOSED')],
  { description: 'DELAYED takes payments, slower than usual; CLOSED takes none.', examples: ['CLOSED'] },
)

export const InstitutionParams = Type.Object({ type: Type_, code: Code, direction: Direction })

const INSTITUTION_EXAMPLE = {
  type: 'OPERATOR',
  code: 'TESTBANK',
  direction: 'PAYIN',
  availability: 'CLOSED',
  observed: 'OPERATIONAL',
  observedSince: '2026-11-21T09:00:00.000Z',
  answered: 120,
  unanswered: 0,
  said: {
    availability: 'CLOSED',
    reason: 'Maintenance until noon.',
    operatorCode: 'ada',
    since: '2026-11-21T10:00:00.000Z',
    until: '2026-11-21T12:00:00.000Z',
  },
}

export const InstitutionSchema = Type.Object(
  {
    type: Type_,
    code: Code,
    direction: Direction,
    availability: Availability,
    observed: Availability,
    observedSince: TimestampSchema,
    answered: Type.Integer({ description: 'Talks of the last five minutes that had an answer.' }),
    unanswered: Type.Integer(),
    said: Type.Optional(
      Type.Object(
        {
          availability: Availability,
          reason: Type.String(),
          operatorCode: Type.String(),
          since: TimestampSchema,
          until: Type.Optional(TimestampSchema),
        },
        { description: 'What an operator says of it: goes before what is observed.' },
      ),
    ),
  },
  { title: 'Institution', examples: [INSTITUTION_EXAMPLE] },
)

export const InstitutionListSchema = Type.Object(
  {
    data: Type.Array(InstitutionSchema, {
      description: 'Those that were not always OPERATIONAL, or that an operator has set.',
    }),
  },
  { title: 'InstitutionList', examples: [{ data: [INSTITUTION_EXAMPLE] }] },
)

export const InstitutionSaySchema = Type.Object(
  {
    availability: Availability,
    reason: Type.String({
      minLength: 1,
      maxLength: 250,
      pattern: PRINTABLE_PATTERN,
      description: 'For the other operators.',
    }),
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 525_600, description: 'For so long; else until it is cleared.' }),
    ),
  },
  {
    title: 'InstitutionSay',
    examples: [{ availability: 'CLOSED', reason: 'Maintenance until noon.', minutes: 120 }],
  },
)
