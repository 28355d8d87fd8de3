import {
  ageOf,
  createRateAdministration,
  type Quotation,
  type RateAdministration,
  RateListProblem,
  STALE_AFTER_DAYS_DEFAULT,
  type StoredSheet,
} from '../../modules/rates/index.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { askedMs, overview, presentHead, presentRate, presentStored, rateTable } from './rate-tables.ts'

const FAULTS_SHOWN_MAX = 50
const SHEETS_SHOWN_MAX = 20

const administer = (shell: Shell, house: House): RateAdministration =>
  createRateAdministration({ ...house, clock: shell.clock })

/** `tollgate rates list`. */
export function list(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    const found = await administer(shell, house).list()
    const nowMs = shell.clock.nowMs()
    return {
      json: found.map((each) => presentHead(each, nowMs)),
      text: table(
        ['CODE', 'NAME', 'BASE', 'VERSION', 'VALID FROM', 'AGE', 'STATE'],
        found.map((each) => overview(each, nowMs)),
        'There is no rate list. `tollgate rates create` makes one.',
      ),
    }
  })
}

interface ShowWish {
  readonly list: string
  readonly date?: string
}

/** `tollgate rates show`. */
export function show(shell: Shell, wish: ShowWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const atMs = askedMs(shell, wish.date)
    const found = await administer(shell, house).show(wish.list, new Date(atMs))
    const { list: head, sheet } = found
    if (sheet === undefined) {
      const text = `${head.code} has no sheet in force at ${moment(new Date(atMs))}.`
      return { json: presentHead(found, atMs), text }
    }
    const age = ageOf(head, sheet, atMs)
    const facts = pairs([
      ['List', `${head.code}: ${head.name}${head.isEnabled ? '' : ' (disabled)'}`],
      ['Base', head.baseCurrencyCode],
      ['Version', `${sheet.version}, from ${sheet.source}`],
      ['Valid', `from ${moment(sheet.validFrom)}${sheet.validTo ? ` to ${moment(sheet.validTo)}` : ''}`],
      ['Published', `${moment(sheet.publishedAt)}${age.isStale ? ': stale' : ''}`],
    ])
    return {
      json: { ...presentHead(found, atMs), rates: [...sheet.rates.values()].map(presentRate) },
      text: `${facts}\n\n${rateTable([...sheet.rates.values()], head.baseCurrencyCode)}`,
    }
  })
}

interface CreateWish {
  readonly list: string
  readonly name: string
  readonly base: string
  readonly staleAfterDays?: number
  readonly neverStale?: boolean
}

/** `tollgate rates create`. */
export function create(shell: Shell, wish: CreateWish): Promise<Report> {
  if (wish.neverStale === true && wish.staleAfterDays !== undefined)
    throw new CommandFailure('USAGE', '--never-stale and --stale-after-days contradict each other.')
  const staleAfterDays =
    wish.neverStale === true ? undefined : (wish.staleAfterDays ?? STALE_AFTER_DAYS_DEFAULT)
  return inHouse(shell, async (house) => {
    const made = await administer(shell, house).create({
      code: wish.list,
      name: wish.name,
      baseCurrencyCode: wish.base,
      staleAfterDays,
    })
    const staleness =
      staleAfterDays === undefined
        ? 'sheets are never stale'
        : `sheets are stale after ${staleAfterDays} days`
    return {
      json: presentHead({ list: made, sheet: undefined }, shell.clock.nowMs()),
      text: `${made.code} is there, in ${made.baseCurrencyCode}; ${staleness}.`,
      notes: [`Fill it: \`tollgate rates import ${made.code} <file> --format csv\`.`],
    }
  })
}

/** `tollgate rates enable` and `disable`. */
export function setEnabled(
  shell: Shell,
  wish: { readonly list: string; readonly isEnabled: boolean },
): Promise<Report> {
  return inHouse(shell, async (house) => {
    await administer(shell, house).setEnabled(wish.list, wish.isEnabled)
    return {
      json: { code: wish.list, isEnabled: wish.isEnabled },
      text: `${wish.list} is ${wish.isEnabled ? 'in use' : 'not in use'}.`,
    }
  })
}

interface ImportWish {
  readonly list: string
  readonly file: string
  readonly format: 'CSV' | 'JSON' | 'ECB'
  readonly validFrom?: string
  readonly publishedAt?: string
  readonly again?: boolean
}

/** `tollgate rates import`. A file with faults is answered with all of them, a line each. */
export async function importFile(shell: Shell, wish: ImportWish): Promise<Report> {
  const bytes = await readFileOrInput(shell, wish.file)
  return inHouse(shell, async (house) => {
    const { format, validFrom, publishedAt, again } = wish
    const request = { format, bytes, validFrom, publishedAt, isAgain: again === true }
    try {
      return reportStored(wish.list, await administer(shell, house).importFile(wish.list, request))
    } catch (error) {
      if (error instanceof RateListProblem && error.faults.length > 0) return reportFaults(error)
      throw error
    }
  })
}

function reportStored(listCode: string, sheets: readonly StoredSheet[]): Report {
  const fresh = sheets.filter(({ isNew }) => isNew)
  const lines = sheets
    .slice(-SHEETS_SHOWN_MAX)
    .map(
      ({ version, validFrom, rates, isNew }) =>
        `${isNew ? 'Stored' : 'Known '} version ${version}, valid from ${moment(validFrom)}, ${rates.length} rates.`,
    )
  const unsaid = sheets.length - lines.length
  const more = unsaid > 0 ? [`${unsaid} sheets before these.`] : []
  const known = sheets.length - fresh.length
  return {
    json: { code: listCode, sheets: sheets.map(presentStored) },
    text: [...more, ...lines].join('\n'),
    notes:
      known > 0 ? [`${known} of ${sheets.length} sheets were there already and were not stored again.`] : [],
  }
}

function reportFaults(problem: RateListProblem): Report {
  const shown = problem.faults.slice(0, FAULTS_SHOWN_MAX)
  const unsaid = problem.faults.length - shown.length
  return {
    json: { sheets: [], faults: problem.faults },
    text: '',
    notes: [problem.message, ...shown, ...(unsaid > 0 ? [`… and ${unsaid} more.`] : [])],
    exitCode: EXIT_CODES.REFUSED,
  }
}

interface SetWish {
  readonly list: string
  readonly currency: string
  readonly buy?: string
  readonly sell?: string
  readonly mid?: string
  readonly unit?: number
  readonly quotation?: Quotation
  readonly validFrom?: string
}

/** `tollgate rates set`. */
export function set(shell: Shell, { list: listCode, currency, ...row }: SetWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const rates = administer(shell, house)
    const sheet = await rates.setRate(listCode, { currencyCode: currency, ...row })
    const { list: head } = await rates.show(listCode, sheet.validFrom)
    const rate = sheet.rates.filter(({ currencyCode }) => currencyCode === currency)
    return {
      json: { code: listCode, ...presentStored(sheet), rates: sheet.rates.map(presentRate) },
      text: `Version ${sheet.version} of ${listCode}, valid from ${moment(sheet.validFrom)}:\n\n${rateTable(rate, head.baseCurrencyCode)}`,
    }
  })
}
