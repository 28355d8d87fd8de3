import type { TObject, TSchema, TSchemaOptions, TString, TUnsafe } from 'typebox'
import { type Static, Type } from 'typebox'
import type { Open, WireAmount } from './wire.ts'

/** Keyword understood by the gateway's validator: a JSON number, kept exact. Shown as `type: number` in OpenAPI. */
export const EXACT_NUMBER = 'exactNumber'

/**
 * Keyword whose members stand in the OpenAPI document alone: rules that the gateway checks in code, where its sentences are
 * better than a validator's.
 */
export const DOCUMENTED = 'documentedAs'

export const ID_PATTERN = '^[A-Za-z0-9_-]{1,250}$'
export const CURRENCY_CODE_PATTERN = '^[A-Z0-9]{3,10}$'
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
const SPACES = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000'
const ZERO_WIDTH = '\\u200b-\\u200d\\u2060\\ufeff'
/** Printable text, at least one character of it visible, without control and bidirectional-formatting characters. */
export const PRINTABLE_PATTERN = `^[${SPACES}${ZERO_WIDTH}]*[^${CONTROLS}${SPACES}${ZERO_WIDTH}][^${CONTROLS}]*$`
/** The same without zero-width characters. Names need these (joiners in Indian scripts); what is compared must not have them. */
export const COMPARED_PATTERN = `^[${SPACES}]*[^${CONTROLS}${SPACES}${ZERO_WIDTH}][^${CONTROLS}${ZERO_WIDTH}]*$`
export const CODE_PATTERN = '^[A-Z0-9_]{1,64}$'

/** One of these texts. */
export const oneOf = <const Text extends string>(
  texts: readonly Text[],
  options: TSchemaOptions = {},
): TUnsafe<Text> =>
  Type.Unsafe<Text>(
    Type.Union(
      texts.map((text) => Type.Literal(text)),
      options,
    ),
  )

/** A text of which these values are known; the description says what they mean. */
export const openText = <Known extends string>(options: TSchemaOptions): TUnsafe<Open<Known>> =>
  Type.Unsafe<Open<Known>>(Type.String(options))

/** A query parameter with several values, separated by commas (specification 4.4). The URL's own limit bounds it. */
export const MultiValue = (description: string, example: string): TString =>
  Type.String({
    description: `${description} Separated by commas. Empty: all. Invalid and unsupported values are ignored.`,
    examples: [example],
  })

export const AmountSchema = Type.Unsafe<WireAmount>({
  [EXACT_NUMBER]: true,
  description: 'Amount as a JSON number, integer or decimal, with all its digits.',
  examples: [149.9],
})

const CurrencyCode = Type.String({
  pattern: CURRENCY_CODE_PATTERN,
  description: 'ISO 4217 code, or the common code of a cryptocurrency.',
  examples: ['EUR'],
})

/** Money (specification 2.1) of an answer. */
export const MoneySchema = Type.Object(
  { amount: AmountSchema, currencyCode: CurrencyCode },
  { title: 'Money' },
)
export type WireMoney = Static<typeof MoneySchema>

/** Money (specification 2.1) that is asked for: greater than zero. */
export const RequestedMoneySchema = Type.Object(
  {
    amount: Type.Unsafe<WireAmount>({
      [EXACT_NUMBER]: true,
      [DOCUMENTED]: { exclusiveMinimum: 0 },
      description:
        'Amount as a JSON number, integer or decimal, greater than zero, at most 40 digits. Never passed through a float.',
      examples: [149.9],
    }),
    currencyCode: CurrencyCode,
  },
  { title: 'RequestedMoney' },
)

/** `paymentRequested` and the body of the options operations: money and, if known, the customer's segment. */
export const SegmentCode = Type.String({
  pattern: '^[A-Z0-9_]{1,32}$',
  description: 'Customer segment of GET /segments.',
  examples: ['TRUSTED'],
})

export const PaymentRequestedSchema = Type.Object(
  { money: RequestedMoneySchema, segmentCode: Type.Optional(SegmentCode) },
  { title: 'PaymentRequested' },
)

export const TimestampSchema = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC.',
  examples: ['2026-11-21T10:15:30.123Z'],
})

const ViolationSchema = Type.Object(
  {
    field: Type.String({
      description: 'Path of the member, e.g. `paymentRequested.money.amount`.',
      examples: ['paymentRequested.money.amount'],
    }),
    code: Type.String({ examples: ['ATTRIBUTE_INVALID'] }),
    message: Type.String({ examples: ['must be a number greater than zero'] }),
  },
  { title: 'Violation' },
)

/** BasicError (specification section 7), for every error but 406. */
export const BasicErrorSchema = Type.Object(
  {
    code: Type.String({ description: 'One of the codes in docs/errors.', examples: ['ATTRIBUTE_REQUIRED'] }),
    message: Type.String(),
    requestId: Type.String({ description: 'Name it when you ask for help: the logs carry it.' }),
    timestamp: TimestampSchema,
    docUrl: Type.String({ description: 'The page that explains the code, on this gateway.' }),
    violations: Type.Optional(Type.Array(ViolationSchema)),
    supportedVersions: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Only with API_VERSION_UNSUPPORTED.' }),
    ),
    duplicate: Type.Optional(
      Type.Union([Type.Literal('IDENTICAL'), Type.Literal('DIFFERENT')], {
        description: 'Only with ENTITY_DUPLICATED: whether the stored request equals this one.',
      }),
    ),
    acceptedAt: Type.Optional(TimestampSchema),
  },
  { title: 'BasicError' },
)

const LimitSchema = Type.Object(
  { min: AmountSchema, max: AmountSchema, currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN }) },
  { title: 'Limit' },
)

/** A range of amounts that a method takes; both ends belong to it. */
export const MethodLimitSchema = Type.Object(
  {
    minAmount: AmountSchema,
    maxAmount: AmountSchema,
    currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN }),
  },
  { title: 'MethodLimit' },
)

/** The body of a 406: one item per reason (specification section 7). */
export const RejectionSchema = Type.Array(
  Type.Object(
    {
      code: Type.String({ examples: ['AMOUNT_BELOW_MINIMUM'] }),
      message: Type.String(),
      field: Type.Optional(Type.String()),
      paymentMethodCode: Type.Optional(Type.String()),
      paymentOperatorCode: Type.Optional(Type.String()),
      limit: Type.Optional(LimitSchema),
    },
    { title: 'RejectionItem' },
  ),
  { title: 'Rejection', minItems: 1 },
)

/** Wraps the items of every list answer. */
export function listOf<Item extends TSchema>(
  item: Item,
  title: string,
  example: unknown,
): TObject<{ data: ReturnType<typeof Type.Array<Item>> }> {
  return Type.Object({ data: Type.Array(item) }, { title, examples: [example] })
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The input is not valid against the interface definition.',
  401: 'Missing or wrong token or credential.',
  403: 'The token lacks permission for this request.',
  404: 'X-API-Version is missing or not supported.',
  406: 'The input fails business validation: an array of reasons.',
  409: 'The id was already accepted; the request is not processed.',
  410: 'There is no such entity.',
  429: 'Rate limit exceeded; the request is not processed.',
  500: 'Server error; repeat with the same id.',
}

/**
 * The answers of an operation, by status (specification 4.7): what it says on success, and its errors. The type knows the
 * success alone: a handler throws errors, and the server writes them.
 */
export function answers<const Success extends Readonly<Record<number, TSchema>>>(
  success: Success,
  ...errorStatuses: readonly number[]
): Success {
  const errors = errorStatuses.map((status): [number, TSchema] => [
    status,
    {
      ...(status === 406 ? RejectionSchema : BasicErrorSchema),
      description: DESCRIPTIONS[status] ?? 'Error.',
    },
  ])
  return { ...success, ...Object.fromEntries(errors) }
}

/** An answer without a body (204). */
export const noContent = (description: string): TUnsafe<undefined> =>
  Type.Unsafe<undefined>({ type: 'null', description })
