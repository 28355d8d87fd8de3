import { compareAmounts, fractionDigits, isPositive, parsePlainAmount } from '@tollgate/money'
import type { RailDirections } from '../demands.ts'
import { ANY, DIRECTIONS } from '../model.ts'
import { createPatterns } from '../patterns.ts'
import type { Change } from './difference.ts'
import type { ReadRow } from './read.ts'
import type { Content, Row, SectionName } from './tables.ts'

/** What a change must fit into. */
interface Surroundings {
  /** As the catalogue would be. */
  readonly after: Content
  readonly rails: RailDirections
  /** The codes of the rate lists in use. */
  readonly rateLists: ReadonlySet<string>
}

interface Fault {
  readonly field: string
  readonly what: string
}
type Rule = (row: Row, given: Known, before: Row | undefined) => readonly (Fault | undefined)[]

interface Known extends Surroundings {
  readonly codes: Readonly<Record<'currencies' | 'segments' | 'paymentOperators', ReadonlySet<string>>>
  readonly decimals: ReadonlyMap<string, number>
}

/** Every rule that a changed row breaks, with its line. What a document leaves as it is, is not judged again. */
export function faultsOf(
  rows: readonly ReadRow[],
  changes: readonly Change[],
  surroundings: Surroundings,
): readonly string[] {
  const known = knownOf(surroundings)
  const changed = new Map(changes.map((change) => [`${change.section} ${change.key}`, change]))
  // A method is judged again when its limits change: by them it gets its directions.
  const limited = new Set(
    changes.flatMap(({ section, after }) => (section === 'limits' && after ? [after['methodCode']] : [])),
  )
  return rows.flatMap(({ section, key, row, path, line, lines }) => {
    const change = changed.get(`${section.name} ${key}`)
    const isLimited = section.name === 'methods' && limited.has(key)
    if (change === undefined && !isLimited) return []
    return RULES[section.name](row, known, change?.before)
      .filter((fault) => fault !== undefined)
      .map(
        ({ field, what }) =>
          `line ${lines.get(field) ?? line}: ${path}${section.isCodes ? '' : `.${field}`}: ${what}`,
      )
  })
}

function knownOf(surroundings: Surroundings): Known {
  const { after } = surroundings
  const codesOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ code }) => String(code)))
  return {
    ...surroundings,
    codes: {
      currencies: codesOf(after.currencies),
      segments: codesOf(after.segments),
      paymentOperators: codesOf(after.paymentOperators),
    },
    decimals: new Map(after.currencies.map(({ code, minorUnits }) => [String(code), Number(minorUnits)])),
  }
}

const RULES: Readonly<Record<SectionName, Rule>> = {
  currencies: (row, _known, before) =>
    ['type', 'minorUnits'].map((field) =>
      before === undefined || before[field] === row[field]
        ? undefined
        : { field, what: `It is ${String(before[field])} and stays so: amounts are in the books already.` },
    ),
  segments: () => [],
  paymentOperators: (row, { codes }) =>
    listOf(row['currencyCodes']).map((each) => missing('currencyCodes', each, codes.currencies)),
  methods: railFaults,
  operators: (row, { codes }) => [missing('operatorCode', row['operatorCode'], codes.paymentOperators)],
  excludedSegments: (row, { codes }) => [missing('segmentCode', row['segmentCode'], codes.segments)],
  limits: (row, known) => [
    missing('currencyCode', row['currencyCode'], known.codes.currencies),
    missing('segmentCode', row['segmentCode'], known.codes.segments),
    tooExact(row, 'min', known),
    tooExact(row, 'max', known),
    isPositive(amountOf(row['min'])) ? undefined : { field: 'min', what: 'It must be more than zero.' },
    inOrder(row, 'min', 'max'),
  ],
  fields: ({ pattern }) => [
    typeof pattern === 'string' && PATTERNS.find(pattern) === undefined
      ? { field: 'pattern', what: 'It is no pattern of RE2 (no look-around, no back-references).' }
      : undefined,
  ],
  fees: feeFaults,
}

const PATTERNS = createPatterns()

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const amountOf = (value: unknown) => parsePlainAmount(String(value))

function missing(field: string, code: unknown, known: ReadonlySet<string>): Fault | undefined {
  if (code === ANY || known.has(String(code))) return undefined
  return { field, what: `There is no ${String(code)}. There are: ${namesOf(known)}.` }
}

const NAMED_MAX = 40
function namesOf(known: Iterable<string>): string {
  const names = [...known]
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
  return names.length === 0 ? 'none' : `${names.slice(0, NAMED_MAX).join(', ')}${more}`
}

function railFaults({ code, rail, enabled }: Row, { after, rails }: Known): readonly (Fault | undefined)[] {
  if (enabled !== true) return []
  const directions = rails.get(String(rail))
  if (directions === undefined)
    return [
      {
        field: 'rail',
        what: `There is no rail ${String(rail)}. There are: ${namesOf(rails.keys())}. TOLLGATE_OPEN_RAILS_FILE adds others.`,
      },
    ]
  const wanted = new Set(
    after.limits.filter(({ methodCode }) => methodCode === code).map(({ direction }) => direction),
  )
  return DIRECTIONS.filter((each) => wanted.has(each) && !directions.includes(each)).map((each) => ({
    field: 'rail',
    what: `The rail ${String(rail)} has no ${each}, but the limits of ${String(code)} do. It has: ${directions.join(', ')}.`,
  }))
}

function tooExact(
  row: Row,
  field: string,
  { decimals }: Known,
  currencyField = 'currencyCode',
): Fault | undefined {
  const value = row[field]
  const currencyCode = row[currencyField]
  const most = decimals.get(String(currencyCode))
  if (typeof value !== 'string' || most === undefined || fractionDigits(amountOf(value)) <= most)
    return undefined
  return { field, what: `${value} has too many decimals: ${String(currencyCode)} has ${most}.` }
}

function inOrder(row: Row, least: string, most: string): Fault | undefined {
  const [min, max] = [row[least], row[most]]
  if (typeof min !== 'string' || typeof max !== 'string') return undefined
  if (compareAmounts(amountOf(min), amountOf(max)) !== 1) return undefined
  return { field: most, what: `It is less than ${least}, ${min}.` }
}

const PERCENTAGE_MAX = parsePlainAmount('100')

function feeFaults(row: Row, known: Known): readonly (Fault | undefined)[] {
  const { methodCode, operatorCode, pricedCurrencyCode: priced, rateListCode } = row
  const linked = known.after.operators.filter((link) => link['methodCode'] === methodCode)
  const price = priced === null ? 'currencyCode' : 'pricedCurrencyCode'
  const isHalf = (priced === null) !== (rateListCode === null)
  return [
    missing('currencyCode', row['currencyCode'], known.codes.currencies),
    missing('segmentCode', row['segmentCode'], known.codes.segments),
    missing('operatorCode', operatorCode, new Set(linked.map((link) => String(link['operatorCode'])))),
    ...['fixed', 'minimum', 'maximum'].map((field) => tooExact(row, field, known, price)),
    inOrder(row, 'minimum', 'maximum'),
    compareAmounts(amountOf(row['percentage']), PERCENTAGE_MAX) === 1
      ? { field: 'percentage', what: 'It must be at most 100.' }
      : undefined,
    isHalf
      ? {
          field: priced === null ? 'rateListCode' : 'pricedCurrencyCode',
          what: 'A price in another currency needs both pricedCurrencyCode and rateListCode.',
        }
      : undefined,
    priced === null ? undefined : missing('pricedCurrencyCode', priced, known.codes.currencies),
    priced !== null && priced === row['currencyCode']
      ? { field: 'pricedCurrencyCode', what: 'The payments are in it themselves: leave it out.' }
      : undefined,
    rateListCode === null ? undefined : missing('rateListCode', rateListCode, known.rateLists),
  ]
}
