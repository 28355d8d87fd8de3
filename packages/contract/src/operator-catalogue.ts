import { Type } from 'typebox'
import {
  CURRENCY_CODE_PATTERN,
  EXACT_NUMBER,
  MoneySchema,
  oneOf,
  SegmentCode,
  TimestampSchema,
} from './common.ts'
import { PageQuery } from './customers.ts'
import { MerchantCode, pagesOf } from './operator-parts.ts'
import type { WireAmount } from './wire.ts'

// The operator API: the catalogue as one document.

const Item = Type.Record(Type.String(), Type.Unknown())
const itemsOf = (description: string) => Type.Array(Item, { description })

export const CatalogueDocumentSchema = Type.Object(
  {
    currencies: itemsOf('`code`, `name`, `type`, `minorUnits`, `enabled`.'),
    segments: itemsOf('`code`, `name`, `position`.'),
    paymentOperators: itemsOf('Banks and wallets, with rank, BIC and aliases.'),
    methods: itemsOf('Methods, each with its operators, limits, fields and fees.'),
  },
  {
    title: 'CatalogueDocument',
    description: 'Amounts are texts. A member that is as it is by default is left out.',
    examples: [
      {
        currencies: [{ code: 'EUR', name: 'Euro', minorUnits: 2 }],
        segments: [],
        paymentOperators: [],
        methods: [
          {
            code: 'BANK_TRANSFER',
            name: 'Bank transfer',
            flow: 'INSTRUCTIONS',
            rail: 'bank-transfer',
            expiresAfterSeconds: 259_200,
            operators: [],
            excludedSegments: [],
            limits: [{ direction: 'PAYIN', currencyCode: 'EUR', min: '0.01', max: '100000' }],
            fields: [],
            fees: [],
          },
        ],
      },
    ],
  },
)

export const CatalogueYamlSchema = Type.Object(
  { yaml: Type.String({ description: 'The whole document.' }) },
  {
    title: 'CatalogueYaml',
    examples: [{ yaml: 'currencies:\n  - code: EUR\n    name: Euro\n    minorUnits: 2\n' }],
  },
)

const DIGEST = { pattern: '^[0-9a-f]{64}$' }

export const CatalogueApplyQuery = Type.Object({
  dryRun: Type.Optional(
    oneOf(['true', 'false'], { description: 'Only say what would change. Default: false.' }),
  ),
  digest: Type.Optional(
    Type.String({
      ...DIGEST,
      description:
        'Of the changes that a dry run listed. If applying would change anything else, nothing is changed (409).',
    }),
  ),
})

const NULLABLE = { description: 'The whole row; absent where there was none.' }
const Change = {
  section: Type.String({ examples: ['limits'] }),
  item: Type.String({ examples: ['BANK_TRANSFER PAYIN EUR *'] }),
}

export const CatalogueAppliedSchema = Type.Object(
  {
    isDryRun: Type.Boolean(),
    digest: Type.String({
      ...DIGEST,
      description: 'SHA-256 of the changes, with every row before and after.',
    }),
    changes: Type.Array(
      Type.Object({
        ...Change,
        action: oneOf(['ADD', 'CHANGE', 'REMOVE']),
        fields: Type.Array(
          Type.Object({
            field: Type.String(),
            before: Type.Optional(Type.Unknown()),
            after: Type.Optional(Type.Unknown()),
          }),
        ),
      }),
      { description: 'Empty: the catalogue is already as the document says.' },
    ),
  },
  {
    title: 'CatalogueApplied',
    examples: [
      {
        isDryRun: false,
        digest: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
        changes: [
          {
            section: 'limits',
            item: 'BANK_TRANSFER PAYIN EUR *',
            action: 'CHANGE',
            fields: [{ field: 'max', before: '5000', after: '100000' }],
          },
        ],
      },
    ],
  },
)

export const CatalogueChangesQuery = Type.Object({ ...PageQuery.properties })

export const CatalogueChangeListSchema = pagesOf(
  Type.Object(
    {
      operatorCode: Type.String(),
      requestId: Type.String(),
      ...Change,
      before: Type.Optional(Type.Record(Type.String(), Type.Unknown(), NULLABLE)),
      after: Type.Optional(Type.Record(Type.String(), Type.Unknown(), NULLABLE)),
      changedAt: TimestampSchema,
    },
    { title: 'CatalogueChange' },
  ),
  'CatalogueChangeList',
  {
    operatorCode: 'carl',
    requestId: '01JD7Q5W2M3N4P5Q6R7S8T9V0W',
    section: 'segments',
    item: 'VIP',
    after: { code: 'VIP', name: 'VIP customer', position: 3 },
    changedAt: '2026-11-21T11:02:40.120Z',
  },
)

const DIRECTIONS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const

/** Query of GET /operator/catalogue/explain. */
export const CatalogueExplainQuery = Type.Object({
  merchantCode: MerchantCode,
  amount: Type.String({
    pattern: '^[0-9]{1,40}(?:[.][0-9]{1,39})?$',
    description: 'Above zero.',
    examples: ['149.90'],
  }),
  currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] }),
  segmentCode: Type.Optional(SegmentCode),
  kind: Type.Optional(oneOf(DIRECTIONS, { description: 'Default: PAYIN.' })),
})

const Reason = { code: Type.String(), message: Type.String() }

const Exact = (description: string) =>
  Type.Unsafe<WireAmount>({ [EXACT_NUMBER]: true, description, examples: [0.25] })

const FeeRule = Type.Object(
  {
    source: oneOf(['MERCHANT', 'GENERAL'], {
      description: 'MERCHANT: the merchant’s own. GENERAL: of all merchants without one of their own.',
    }),
    operatorCode: Type.Optional(Type.String({ description: 'Absent: any payment operator.' })),
    segmentCode: Type.Optional(Type.String({ description: 'Absent: any segment.' })),
    fixed: Exact('Taken from every payment.'),
    percentage: Exact('Of the amount.'),
    minimum: Type.Optional(Exact('Least fee.')),
    maximum: Type.Optional(Exact('Greatest fee.')),
    pricedCurrencyCode: Type.Optional(
      Type.String({ description: 'Of the fixed part and the bounds; absent: the payment’s.' }),
    ),
  },
  { description: 'Absent: there is none, and the payment is free.' },
)

const ExplainedFee = Type.Object({
  paymentOperatorCodes: Type.Array(Type.String(), {
    description: 'Through which of them this fee is taken. Empty: where the payment goes through none.',
  }),
  fee: MoneySchema,
  rule: Type.Optional(FeeRule),
  percentageAmount: Type.Optional(Exact('The percentage of the amount, not rounded.')),
  sum: Type.Optional(
    Exact('Fixed part and percentage, before bounds and rounding. Absent with a conversion.'),
  ),
  conversion: Type.Optional(
    Type.Object({
      rateListCode: Type.String(),
      version: Type.Integer({ description: 'Of the sheet.' }),
      rate: Exact('What one of the priced currency costs in the payment’s.'),
      priced: MoneySchema,
    }),
  ),
})

export const CatalogueExplainedSchema = Type.Object(
  {
    reasons: Type.Array(Type.Object(Reason), {
      description: 'Against every method: none is judged then.',
    }),
    methods: Type.Array(
      Type.Object({
        paymentMethodCode: Type.String(),
        isOffered: Type.Boolean(),
        rules: Type.Array(
          Type.Object({
            rule: Type.String({
              description:
                'CATALOGUE: it is there and enabled. MERCHANT: the merchant has it. DIRECTION: it has limits for the kind. Then SEGMENT, CURRENCY, AMOUNT, CARRIER (its rail, your account, the daily limit), OPERATORS (a bank is open) and FEE (its rate is there).',
              examples: ['AMOUNT'],
            }),
            verdict: oneOf(['PASSED', 'FAILED', 'NOT_JUDGED'], {
              description: 'NOT_JUDGED: an earlier rule must pass first.',
            }),
            code: Type.Optional(Reason.code),
            message: Type.Optional(Reason.message),
          }),
        ),
        fees: Type.Array(ExplainedFee, {
          description: 'What would be taken, by the rules that charge; empty where a rule fails.',
        }),
      }),
    ),
  },
  {
    title: 'CatalogueExplained',
    examples: [
      {
        reasons: [],
        methods: [
          {
            paymentMethodCode: 'BANK_TRANSFER',
            isOffered: false,
            rules: [
              {
                rule: 'AMOUNT',
                verdict: 'FAILED',
                code: 'AMOUNT_ABOVE_MAXIMUM',
                message: 'The amount is above the maximum of 5000 EUR of BANK_TRANSFER.',
              },
            ],
            fees: [],
          },
        ],
      },
    ],
  },
)
