import type {
  ConversionSchema,
  OperatorRateListListSchema,
  OperatorRateListSchema,
  OperatorRateSheetSchema,
  Printed,
  RateSheetsStoredSchema,
  RateStoredSchema,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { asNumber, code, oneOf, positiveNumber, wholeNumber } from '../values.ts'

const DAYS_MAX = 3650
const UNIT_MAX = 1_000_000_000
const SHEETS_SHOWN_MAX = 20
const FORMATS = ['CSV', 'JSON', 'ECB'] as const
const QUOTATIONS = ['DIRECT', 'INDIRECT'] as const
const SIDES = ['BUY', 'SELL', 'MID'] as const

type RateList = Printed<typeof OperatorRateListSchema>
type RateSheet = Printed<typeof OperatorRateSheetSchema>

const list = clientCommand({
  command: 'list',
  says: 'list all rate lists with the age of their sheets',
  permission: 'rates.read',
  asks: () => get('/operator/rate-lists'),
  shows: ({ data }: Printed<typeof OperatorRateListListSchema>, pen) =>
    pen.table(
      ['CODE', 'NAME', 'BASE', 'VERSION', 'VALID FROM', 'AGE', 'STATE'],
      data.map((head) => [
        head.code,
        head.name,
        head.baseCurrencyCode,
        String(head.version ?? '-'),
        pen.momentOf(head.validFrom) ?? '-',
        ageOf(head, pen),
        stateOf(head),
      ]),
      'No rate lists. `tollgate rates create` creates one.',
    ),
})

const ageOf = ({ ageSeconds }: RateList, pen: Pen): string =>
  ageSeconds === undefined ? '-' : pen.duration(ageSeconds)

function stateOf({ version, isStale, isEnabled }: RateList): string {
  const state = version === undefined ? 'no sheet' : isStale === true ? 'stale' : 'fresh'
  return isEnabled ? state : `${state}, disabled`
}

const show = clientCommand({
  command: 'show <code>',
  says: 'show the sheet of a rate list in force',
  options: [{ flags: '--date <date>', says: 'day or moment (UTC); default: now' }],
  permission: 'rates.read',
  asks: (typed, { date }: OperatorOptions & { date?: string }) =>
    get(pathOf`/operator/rate-lists/${code(typed.code)}`, { date }),
  shows: (sheet: RateSheet, pen, _typed, { date }) => {
    if (sheet.version === undefined)
      return `${sheet.code} has no sheet in force${date === undefined ? '' : ` at ${date}`}.`
    const until = sheet.validTo === undefined ? '' : ` to ${pen.momentOf(sheet.validTo)}`
    const facts = pen.pairs([
      ['List', `${sheet.code}: ${sheet.name}${sheet.isEnabled ? '' : ' (disabled)'}`],
      ['Base', sheet.baseCurrencyCode],
      ['Version', `${sheet.version}, from ${sheet.source}`],
      ['Valid', `from ${pen.momentOf(sheet.validFrom)}${until}`],
      ['Published', `${pen.momentOf(sheet.publishedAt)}${sheet.isStale === true ? ': stale' : ''}`],
    ])
    return `${facts}\n\n${rateTable(sheet.rates, sheet.baseCurrencyCode, pen)}`
  },
})

/** Rows of a sheet, each with what its numbers are of. */
function rateTable(rates: RateSheet['rates'], base: string, pen: Pen): string {
  const rows = rates.map(({ currencyCode, quotation, unit, buy, mid, sell }) => {
    const [per, priced] = quotation === 'DIRECT' ? [currencyCode, base] : [base, currencyCode]
    return [currencyCode, `${unit} ${per} in ${priced}`, ...[buy, mid, sell].map(pen.amount)]
  })
  return pen.table(['CURRENCY', 'QUOTED', 'BUY', 'MID', 'SELL'], rows, 'No rates.')
}

const convert = clientCommand({
  command: 'convert <code> <amount> <from> <to>',
  says: 'convert money into another currency',
  options: [
    {
      flags: '--side <side>',
      says: 'buy (you give the money), sell (you get it) or mid',
      read: oneOf('--side', SIDES),
      default: 'MID',
    },
    { flags: '--date <date>', says: 'day or moment (UTC) of the sheet; default: now' },
  ],
  permission: 'rates.read',
  asks: (typed, { side, date }: OperatorOptions & { side: string; date?: string }) =>
    get(pathOf`/operator/rate-lists/${code(typed.code)}/conversion`, {
      amount: positiveNumber('The amount')(typed.amount),
      currencyCode: code(typed.from),
      targetCurrencyCode: code(typed.to),
      side,
      date,
    }),
  shows: ({ money, converted, ...how }: Printed<typeof ConversionSchema>, pen) => ({
    text: `${pen.money(money)} = ${pen.money(converted)} (${how.side}, ${pen.amount(how.rate)}, version ${how.version})`,
    notes: how.isStale
      ? [`The sheet is stale: it was published ${pen.duration(how.ageSeconds)} before.`]
      : [],
  }),
})

interface CreateOptions extends OperatorOptions {
  readonly name: string
  readonly base: string
  readonly staleAfterDays?: number
  readonly neverStale?: true
}

const create = clientCommand({
  command: 'create <code>',
  says: 'create a rate list without a sheet',
  options: [
    { flags: '--name <name>', says: 'name of the list', isRequired: true },
    {
      flags: '--base <currency>',
      says: 'base currency, in which the others are quoted; cannot be changed',
      read: code,
      isRequired: true,
    },
    {
      flags: '--stale-after-days <days>',
      says: 'age from which a sheet is stale; default: 4, a weekend and a day',
      read: wholeNumber('--stale-after-days', 1, DAYS_MAX),
    },
    { flags: '--never-stale', says: 'sheets never become stale' },
  ],
  permission: 'rates.change',
  asks: (typed, { name, base, staleAfterDays, neverStale }: CreateOptions) => {
    if (neverStale === true && staleAfterDays !== undefined)
      throw new CommandFailure('USAGE', '--never-stale and --stale-after-days contradict each other.')
    const body = {
      code: code(typed.code),
      name,
      baseCurrencyCode: base,
      staleAfterDays,
      isNeverStale: neverStale,
    }
    return post('/operator/rate-lists', body)
  },
  shows: (made: RateList) => ({
    text: `Created ${made.code} in ${made.baseCurrencyCode}; ${
      made.staleAfterSeconds === undefined
        ? 'sheets are never stale'
        : `sheets are stale after ${made.staleAfterSeconds / SECONDS_PER_DAY} days`
    }.`,
    notes: [`Fill it: \`tollgate rates import ${made.code} <file> --format csv\`.`],
  }),
})

const SECONDS_PER_DAY = 86_400

const switches = [
  ['enable', 'enable the rate list'],
  ['disable', 'disable the rate list'],
] as const
const enabling = switches.map(([action, says]) =>
  clientCommand({
    command: `${action} <code>`,
    says,
    permission: 'rates.change',
    asks: (typed) => post(`${pathOf`/operator/rate-lists/${code(typed.code)}`}/!${action}`),
    shows: (head: RateList) => `${head.code} is ${head.isEnabled ? 'enabled' : 'disabled'}.`,
  }),
)

interface ImportOptions extends OperatorOptions {
  readonly format: string
  readonly validFrom?: string
  readonly publishedAt?: string
  readonly again?: true
}

const importSheets = clientCommand({
  command: 'import <code> <file>',
  says: 'import the sheets of a file, all or none; - is standard input',
  options: [
    {
      flags: '--format <format>',
      says: 'csv, json, or ecb (eurofxref XML)',
      read: oneOf('--format', FORMATS),
      isRequired: true,
    },
    {
      flags: '--valid-from <date>',
      says: 'day or moment (UTC) from which the sheet is in force, if the file does not say it',
    },
    { flags: '--published-at <date>', says: 'publication by the source; default: now' },
    { flags: '--again', says: 'store it as a new version even if the list had the same before' },
  ],
  permission: 'rates.change',
  asks: async (typed, { format, validFrom, publishedAt, again }: ImportOptions, shell) => ({
    method: 'POST',
    path: pathOf`/operator/rate-lists/${code(typed.code)}/sheets`,
    query: { format, validFrom, publishedAt, again },
    file: await readFileOrInput(shell, typed.file),
  }),
  shows: ({ sheets }: Printed<typeof RateSheetsStoredSchema>, pen) => {
    const lines = sheets
      .slice(-SHEETS_SHOWN_MAX)
      .map(
        ({ version, validFrom, rateCount, isNew }) =>
          `${isNew ? 'Stored' : 'Known '} version ${version}, valid from ${pen.momentOf(validFrom)}, ${rateCount} rates.`,
      )
    const unsaid = sheets.length - lines.length
    const known = sheets.filter(({ isNew }) => !isNew).length
    return {
      text: [...(unsaid > 0 ? [`${unsaid} sheets before these.`] : []), ...lines].join('\n'),
      notes:
        known > 0 ? [`${known} of ${sheets.length} sheets existed already and were not stored again.`] : [],
    }
  },
})

interface SetOptions extends OperatorOptions {
  readonly buy?: string
  readonly sell?: string
  readonly mid?: string
  readonly unit?: number
  readonly quotation?: string
  readonly validFrom?: string
}

const set = clientCommand({
  command: 'set <code> <currency>',
  says: 'store the sheet in force with the rates of one currency replaced',
  options: [
    { flags: '--buy <rate>', says: 'rate at which you buy the currency', read: positiveNumber('--buy') },
    { flags: '--sell <rate>', says: 'rate at which you sell it', read: positiveNumber('--sell') },
    {
      flags: '--mid <rate>',
      says: 'mid rate; alone, it is used for all three',
      read: positiveNumber('--mid'),
    },
    {
      flags: '--unit <units>',
      says: 'units that the rates are for; default: as before, else 1',
      read: wholeNumber('--unit', 1, UNIT_MAX),
    },
    {
      flags: '--quotation <quotation>',
      says: 'direct or indirect; default: as before, else direct',
      read: oneOf('--quotation', QUOTATIONS),
    },
    {
      flags: '--valid-from <date>',
      says: 'day or moment (UTC) from which the sheet is in force; default: now',
    },
  ],
  permission: 'rates.change',
  asks: (typed, { buy, sell, mid, unit, quotation, validFrom }: SetOptions) =>
    post(pathOf`/operator/rate-lists/${code(typed.code)}/!set`, {
      currencyCode: code(typed.currency),
      buy: asNumber(buy),
      sell: asNumber(sell),
      mid: asNumber(mid),
      unit,
      quotation,
      validFrom,
    }),
  shows: (stored: Printed<typeof RateStoredSchema>, pen, typed) => {
    const rate = stored.rates.filter(({ currencyCode }) => currencyCode === code(typed.currency))
    const head = `Version ${stored.version} of ${stored.code}, valid from ${pen.momentOf(stored.validFrom)}:`
    return `${head}\n\n${rateTable(rate, stored.baseCurrencyCode, pen)}`
  },
})

/** With the digits that were typed. */
/** Rate lists: what currencies are worth, sheet by sheet. */
export function addRateCommands(program: Command, shell: Shell): void {
  const rates = program.command('rates').description('rate lists (foreign exchange)')
  for (const command of [list, show, convert, create, ...enabling, importSheets, set])
    command.addTo(rates, shell)
}
