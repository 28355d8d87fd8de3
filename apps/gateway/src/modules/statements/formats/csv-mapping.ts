import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { FileProblem } from '../errors.ts'

const Column = Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 1, maximum: 500 })])
const optional = <Schema extends ReturnType<typeof Type.String> | typeof Column>(schema: Schema) =>
  Type.Optional(schema)

/** What is in which column: a name out of the header line, or a number from 1. */
const ColumnsSchema = Type.Object(
  {
    bookedOn: Column,
    valuedOn: optional(Column),
    /** With its sign; or its direction is in another column. */
    amount: optional(Column),
    /** In two columns, one of them empty. */
    credit: optional(Column),
    debit: optional(Column),
    direction: optional(Column),
    currencyCode: optional(Column),
    account: optional(Column),
    bankReference: optional(Column),
    endToEndId: optional(Column),
    variableSymbol: optional(Column),
    specificSymbol: optional(Column),
    constantSymbol: optional(Column),
    partyName: optional(Column),
    partyAccount: optional(Column),
    partyBank: optional(Column),
    status: optional(Column),
    texts: Type.Optional(Type.Array(Column, { maxItems: 20 })),
  },
  { additionalProperties: false },
)

/** How a bank writes its CSV. */
export const CsvMappingSchema = Type.Object(
  {
    delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
    /** A label of the Encoding Standard, such as `utf-8` or `windows-1250`. */
    encoding: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    /** Lines before the header. */
    linesSkipped: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    hasHeader: Type.Optional(Type.Boolean()),
    decimalSign: Type.Optional(Type.Union([Type.Literal('.'), Type.Literal(',')])),
    thousandsSign: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
    /** Of `YYYY`, `YY`, `MM`, `DD` and what stands between them. */
    dateFormat: Type.Optional(Type.String({ minLength: 6, maxLength: 20 })),
    /** IBAN or number of the account, where no column has it; `bank code/number` as well. */
    account: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    currencyCode: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{3,10}$' })),
    /** What the direction column says of money that comes; anything else is money that goes. */
    creditWords: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 20 })),
    /** What the status column says of booked lines; lines that say anything else are pending. */
    bookedWords: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 20 })),
    columns: ColumnsSchema,
  },
  { additionalProperties: false },
)
export type CsvMapping = Static<typeof CsvMappingSchema>
export type CsvColumn = Static<typeof Column>

const compiled = Compile(CsvMappingSchema)

/** Reads the JSON of a mapping. Throws FileProblem that names the member. */
export function readCsvMapping(text: string): CsvMapping {
  const value = parseJson(text)
  if (!compiled.Check(value)) {
    const [, [error]] = compiled.Errors(value)
    throw new FileProblem(
      `${error?.keyword === 'boolean' ? 'there is no such member' : (error?.message ?? 'is not valid')}. docs/guides/statements.md has every member.`,
      `mapping${error?.instancePath ?? ''}`,
    )
  }
  for (const [isMissing, where, what] of demandsOn(value)) if (isMissing) throw new FileProblem(what, where)
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FileProblem(`the mapping is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What members ask of each other. */
function demandsOn(
  mapping: CsvMapping,
): readonly (readonly [isMissing: boolean, where: string, what: string])[] {
  const { columns, account, currencyCode, creditWords } = mapping
  const isWithout = (...members: readonly unknown[]): boolean =>
    members.every((member) => member === undefined)
  return [
    [
      isWithout(columns.amount, columns.credit),
      'mapping/columns',
      'name the column "amount", or "credit" and "debit".',
    ],
    [
      columns.direction !== undefined && isWithout(creditWords),
      'mapping',
      'say in "creditWords" what the direction column writes for money that comes.',
    ],
    [isWithout(columns.account, account), 'mapping', 'name the account: "account", or a column "account".'],
    [
      isWithout(columns.currencyCode, currencyCode),
      'mapping',
      'name the currency: "currencyCode", or a column "currencyCode".',
    ],
  ]
}
