import { CURRENCIES_ISO_4217, isPositive, parseAmount, rawAmount } from '@tollgate/money'
import { createCatalogueService } from '../../modules/catalogue/index.ts'
import {
  type AskedSheet,
  ageOf,
  createRateAdministration,
  createRateService,
  type Quotation,
  type Rate,
  type RateAdministration,
  RateListProblem,
  readAskedMs,
  type Side,
  STALE_AFTER_DAYS_DEFAULT,
  type StoredSheet,
} from '../../modules/rates/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { duration, moment, pairs, table } from '../text.ts'

const FAULTS_SHOWN_MAX = 50
const SHEETS_SHOWN_MAX = 20
const EXIT_REFUSED = 6

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
    exitCode: EXIT_REFUSED,
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

interface ConvertWish {
  readonly list: string
  readonly amount: string
  readonly from: string
  readonly to: string
  readonly side: Side
  readonly date?: string
}

/** `tollgate rates convert`. */
export function convert(shell: Shell, wish: ConvertWish): Promise<Report> {
  const amount = parseAmount(wish.amount)
  if (amount === undefined || !isPositive(amount))
    throw new CommandFailure(
      'USAGE',
      `The amount must be a number above zero; it is ${JSON.stringify(wish.amount)}.`,
    )
  return inHouse(shell, async (house) => {
    const changes = watchConfiguration({ ...house, clock: shell.clock })
    const catalogue = createCatalogueService({ ...house, changes })
    await catalogue.start()
    const currency = catalogue.current().currencies.get(wish.to) ?? CURRENCIES_ISO_4217.get(wish.to)
    if (currency === undefined) throw new CommandFailure('REFUSED', `The currency ${wish.to} is not known.`)
    const service = createRateService({
      ...house,
      clock: shell.clock,
      changes,
      minorUnitsOf: () => undefined,
    })
    const outcome = await service.convertAt({
      listCode: wish.list,
      money: { amount, currencyCode: wish.from },
      targetCurrencyCode: wish.to,
      side: wish.side,
      minorUnits: currency.minorUnits,
      atMs: askedMs(shell, wish.date),
      staleSheet: 'SAY',
    })
    if (!outcome.ok)
      throw new CommandFailure(
        outcome.problem.code === 'ENTITY_NOT_FOUND' ? 'NOT_FOUND' : 'REFUSED',
        outcome.problem.message,
      )
    const { conversion } = outcome
    const { converted, rate, sheet, isStale, ageSeconds } = conversion
    return {
      json: {
        money: { amount: rawAmount(amount), currencyCode: wish.from },
        converted: { amount: rawAmount(converted.amount), currencyCode: converted.currencyCode },
        side: wish.side,
        rate: rawAmount(rate),
        rateListCode: wish.list,
        version: sheet.version,
        ageSeconds,
        isStale,
        rates: conversion.rates.map(presentRate),
      },
      text: `${amount} ${wish.from} = ${converted.amount} ${converted.currencyCode} (${wish.side}, ${rate}, version ${sheet.version})`,
      notes: isStale ? [`The sheet is stale: it was published ${duration(ageSeconds)} before.`] : [],
    }
  })
}

function askedMs(shell: Shell, date: string | undefined): number {
  const nowMs = shell.clock.nowMs()
  const atMs = date === undefined ? nowMs : readAskedMs(date, nowMs)
  if (atMs !== undefined) return atMs
  throw new CommandFailure('USAGE', '--date must be a day such as 2026-11-20, or a moment in UTC.')
}

function overview({ list: head, sheet }: AskedSheet, nowMs: number): readonly string[] {
  const age = sheet && ageOf(head, sheet, nowMs)
  const state = age === undefined ? 'no sheet' : age.isStale ? 'stale' : 'fresh'
  return [
    head.code,
    head.name,
    head.baseCurrencyCode,
    String(sheet?.version ?? '-'),
    sheet === undefined ? '-' : moment(sheet.validFrom),
    age === undefined ? '-' : duration(age.ageSeconds),
    head.isEnabled ? state : `${state}, disabled`,
  ]
}

function rateTable(rates: readonly Rate[], base: string): string {
  const rows = rates.map(({ currencyCode, quotation, unit, buy, mid, sell }) => {
    const [per, priced] = quotation === 'DIRECT' ? [currencyCode, base] : [base, currencyCode]
    return [currencyCode, `${unit} ${per} in ${priced}`, buy, mid, sell]
  })
  return table(['CURRENCY', 'QUOTED', 'BUY', 'MID', 'SELL'], rows, 'The sheet has no row.')
}

function presentHead({ list: head, sheet }: AskedSheet, atMs: number): Record<string, unknown> {
  return {
    ...head,
    staleAfterSeconds: head.staleAfterSeconds ?? null,
    version: sheet?.version ?? null,
    source: sheet?.source ?? null,
    validFrom: sheet?.validFrom ?? null,
    validTo: sheet?.validTo ?? null,
    publishedAt: sheet?.publishedAt ?? null,
    ...(sheet === undefined ? {} : ageOf(head, sheet, atMs)),
  }
}

const presentStored = ({
  version,
  validFrom,
  publishedAt,
  rates,
  isNew,
}: StoredSheet): Record<string, unknown> => ({
  version,
  validFrom,
  publishedAt,
  isNew,
  rows: rates.length,
})

function presentRate({ buy, sell, mid, ...rate }: Rate): Record<string, unknown> {
  return { ...rate, buy: rawAmount(buy), sell: rawAmount(sell), mid: rawAmount(mid) }
}
