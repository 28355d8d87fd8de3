import { hash } from 'node:crypto'
import { parsed } from '../api.ts'
import { CommandFailure } from '../failure.ts'
import type { FoundPayment } from '../found-payments.ts'

// Payments of all cells in one list, page by page. A cell's own cursor stands behind a whole page of it, and a page of this list
// ends in the middle of one: so a place here is the moment of the last payment that was shown, with the payments of that moment.

/** How far a cell's payments were shown. */
interface Standing {
  /** Of the last one. No later ones are listed any more. */
  readonly createdAt: string
  /** Those of that moment that were shown, by what names a payment. */
  readonly shown: readonly string[]
}

/** Where the list stands in a cell. START: nothing of it was shown. END: nothing is left. */
type Place = 'START' | 'END' | Standing

/** The same of every cell, by letter. */
export type Places = ReadonlyMap<string, Place>

/** What a cell answers. */
export interface CellPage {
  readonly data: readonly FoundPayment[]
  readonly nextCursor?: string | undefined
}

/** A payment and its cell. */
interface CellPayment extends FoundPayment {
  readonly cell: string
}

interface Page {
  readonly rows: readonly CellPayment[]
  /** Where the next page begins. */
  readonly places: Places
}

export const placesAtStart = (letters: readonly string[]): Places =>
  new Map(letters.map((letter) => [letter, 'START']))

export const isOver = (places: Places): boolean => [...places.values()].every((place) => place === 'END')

const MILLISECOND = 1

/** What a cell is to be asked for, so that a page can be filled from it alone. */
export function searchFrom(
  place: Place | undefined,
  limit: number,
): { readonly query: { readonly createdTo?: string }; readonly upTo: number } {
  if (typeof place !== 'object') return { query: {}, upTo: limit }
  // The end is not included, and moments are told in milliseconds. No payment that is left is later: a `createdTo` that was typed
  // is this one or later, too.
  const createdTo = new Date(Date.parse(place.createdAt) + MILLISECOND).toISOString()
  return { query: { createdTo }, upTo: limit + place.shown.length }
}

/**
 * The next page, from what the cells answered to `searchFrom`: the newest first, those of one moment by the letters of their cells, and
 * within a cell as it answered. A cell that said nothing keeps its place.
 */
export function pageOf(
  places: Places,
  { heard, limit }: { readonly heard: ReadonlyMap<string, CellPage>; readonly limit: number },
): Page {
  const left = new Map([...heard].map(([cell, { data }]) => [cell, notShown(places.get(cell), data)]))
  const rows = [...left]
    .flatMap(([cell, data]) => data.map((found) => ({ cell, ...found })))
    .toSorted((one, other) => byText(other.createdAt, one.createdAt) || byText(one.cell, other.cell))
    .slice(0, limit)
  const placeOf = (cell: string, place: Place): Place => {
    const answer = heard.get(cell)
    if (answer === undefined) return place
    const taken = rows.filter((row) => row.cell === cell)
    const isWhole = answer.nextCursor === undefined && taken.length === left.get(cell)?.length
    return isWhole ? 'END' : placeAfter(place, taken)
  }
  return { rows, places: new Map([...places].map(([cell, place]) => [cell, placeOf(cell, place)])) }
}

const byText = (one: string, other: string): number => Number(one > other) - Number(one < other)

const nameOf = ({ merchantCode, kind, idPayment }: FoundPayment): string =>
  `${merchantCode}:${kind}:${idPayment}`

function notShown(place: Place | undefined, data: readonly FoundPayment[]): readonly FoundPayment[] {
  if (typeof place !== 'object') return data
  const shown = new Set(place.shown)
  return data.filter((found) => !shown.has(nameOf(found)))
}

function placeAfter(place: Place, taken: readonly FoundPayment[]): Place {
  const last = taken.at(-1)
  if (last === undefined) return place
  const { createdAt } = last
  const before = typeof place === 'object' && place.createdAt === createdAt ? place.shown : []
  const names = taken.filter((found) => found.createdAt === createdAt).map(nameOf)
  return { createdAt, shown: [...before, ...names] }
}

/** What a cursor belongs to. */
interface Search {
  /** The filters as they were typed. */
  readonly filters: object
  /** Of all cells that there are. */
  readonly letters: readonly string[]
}

/** The places as a text that `readCursor` takes. */
export function printCursor(places: Places, { filters }: Pick<Search, 'filters'>): string {
  const cells = Object.fromEntries(
    [...places].map(([cell, place]) => [
      cell,
      typeof place === 'object' ? [place.createdAt, ...place.shown] : place,
    ]),
  )
  return Buffer.from(JSON.stringify({ filters: digestOf(filters), cells })).toString('base64url')
}

/** Throws a sentence for what is no cursor, and for one of another search. */
export function readCursor(text: string, { filters, letters }: Search): Places {
  const read = parsed(Buffer.from(text, 'base64url').toString('utf8'))
  if (!isRecord(read) || !isRecord(read['cells']) || typeof read['filters'] !== 'string') throw notCursor()
  const places = new Map(Object.entries(read['cells']).map(([cell, place]) => [cell, placeIn(place)]))
  const known = [...places.keys()].toSorted(byText)
  if (known.join() !== letters.toSorted(byText).join())
    throw usage(
      `--cursor is of the cells ${known.join(', ')}, and now there are ${letters.join(', ')}: begin again without it.`,
    )
  if (read['filters'] !== digestOf(filters))
    throw usage('--cursor is of a search with other filters: repeat those, or begin without it.')
  return places
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function placeIn(read: unknown): Place {
  if (read === 'START' || read === 'END') return read
  const members: readonly unknown[] = Array.isArray(read) ? read : []
  const [createdAt, ...shown] = members
  if (typeof createdAt !== 'string' || !MOMENT.test(createdAt) || Number.isNaN(Date.parse(createdAt)))
    throw notCursor()
  if (!shown.every((name) => typeof name === 'string')) throw notCursor()
  return { createdAt, shown }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const usage = (message: string): CommandFailure => new CommandFailure('USAGE', message)
const notCursor = (): CommandFailure =>
  usage('--cursor takes what `tollgate cells payments` printed for the next page; this is something else.')

const DIGITS = 16
const digestOf = (filters: object): string => hash('sha256', JSON.stringify(filters)).slice(0, DIGITS)
