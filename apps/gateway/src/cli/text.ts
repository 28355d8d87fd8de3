import { styleText } from 'node:util'
import type { RawJson } from '@tollgate/money'
import Table from 'cli-table3'
import { harmless } from './harmless.ts'

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** Columns under their names; a sentence instead when there are no rows. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return whenEmpty
  return render(
    columns.map((name) => styleText('bold', name, { stream: process.stdout })),
    rows,
  )
}

/** Names with their values, one pair a line. What is undefined or empty is left out. */
export function pairs(entries: readonly (readonly [string, string | undefined])[]): string {
  return render(
    [],
    entries.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  )
}

function render(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({
    head: [...head],
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  drawn.push(...rows.map((row) => row.map(harmless)))
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** `2026-11-21 10:04:05 UTC`. */
export function moment(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The same of the text of a moment, as the API has it; undefined stays undefined. */
export function momentOf(text: string): string
export function momentOf(text: string | undefined): string | undefined
export function momentOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : moment(new Date(text))
}

/** An amount of an answer, with all its digits. */
export const amount = (value: number | RawJson): string =>
  typeof value === 'number' ? String(value) : value.rawJSON

/** `149.9 EUR`. */
export const money = (value: { readonly amount: number | RawJson; readonly currencyCode: string }): string =>
  `${amount(value.amount)} ${value.currencyCode}`

/** A sentence that something is not there, and that it may have been removed, if it may. */
export function orRemoved(sentence: string, removedUntil: string | undefined): string {
  return removedUntil === undefined
    ? sentence
    : `${sentence} What was over before ${momentOf(removedUntil)} is removed.`
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** A length of time in its two largest units, such as `1 h 4 min`. */
export function duration(seconds: number): string {
  let left = Math.max(0, Math.round(seconds))
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}
