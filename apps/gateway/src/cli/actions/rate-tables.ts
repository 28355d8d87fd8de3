import { rawAmount } from '@tollgate/money'
import {
  type AskedSheet,
  ageOf,
  type Rate,
  readAskedMs,
  type StoredSheet,
} from '../../modules/rates/index.ts'
import { CommandFailure } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { duration, moment, table } from '../text.ts'

/** The moment that `--date` means; without it, now. */
export function askedMs(shell: Shell, date: string | undefined): number {
  const nowMs = shell.clock.nowMs()
  const atMs = date === undefined ? nowMs : readAskedMs(date, nowMs)
  if (atMs !== undefined) return atMs
  throw new CommandFailure('USAGE', '--date must be a day such as 2026-11-20, or a moment in UTC.')
}

/** A list as a line of a table. */
export function overview({ list: head, sheet }: AskedSheet, nowMs: number): readonly string[] {
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

/** Rows of a sheet, each with what its numbers are of. */
export function rateTable(rates: readonly Rate[], base: string): string {
  const rows = rates.map(({ currencyCode, quotation, unit, buy, mid, sell }) => {
    const [per, priced] = quotation === 'DIRECT' ? [currencyCode, base] : [base, currencyCode]
    return [currencyCode, `${unit} ${per} in ${priced}`, buy, mid, sell]
  })
  return table(['CURRENCY', 'QUOTED', 'BUY', 'MID', 'SELL'], rows, 'The sheet has no row.')
}

/** A list and the dates of its sheet. */
export function presentHead({ list: head, sheet }: AskedSheet, atMs: number): Record<string, unknown> {
  const list = { ...head, staleAfterSeconds: head.staleAfterSeconds ?? null }
  if (sheet === undefined) return { ...list, version: null }
  const { rates: _rows, validTo = null, supersededByVersion = null, ...dates } = sheet
  return { ...list, ...dates, validTo, supersededByVersion, ...ageOf(head, sheet, atMs) }
}

/** A sheet that was stored or known, without its rows. */
export const presentStored = ({
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

/** A row, with every digit. */
export function presentRate({ buy, sell, mid, ...rate }: Rate): Record<string, unknown> {
  return { ...rate, buy: rawAmount(buy), sell: rawAmount(sell), mid: rawAmount(mid) }
}
