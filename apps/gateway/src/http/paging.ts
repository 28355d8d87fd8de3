import { PAGE_LIMIT_DEFAULT } from '@tollgate/contract'
import { invalidField } from '../platform/refusal.ts'

/** What a list is asked for, besides its filters. */
interface PageWish {
  readonly cursor?: string
  readonly limit?: string
}

/** Where a page of a list begins and how many are read for it: one more than are shown. */
export interface PageOrder {
  readonly before: string | undefined
  readonly limit: number
}

/** How a list is paged by a key of its items. */
interface Paged<Item, Shown> {
  /** What a place looks like. What a caller sends as a cursor and does not have this form is a 400. */
  readonly place: RegExp
  readonly list: (order: PageOrder) => Promise<readonly Item[]>
  readonly placeOf: (item: Item) => string
  readonly present: (item: Item) => Shown
}

/** Places that are numbers of ours. */
export const NUMBER_PLACE = /^\d{1,18}$/

/** A page of a list as it is answered. Its cursor is the place of its last item, as callers carry it about. */
export async function answerPage<Item, Shown>(
  { cursor, limit: asked }: PageWish,
  { place, list, placeOf, present }: Paged<Item, Shown>,
): Promise<{ data: Shown[]; nextCursor?: string }> {
  const limit = asked === undefined ? PAGE_LIMIT_DEFAULT : Number(asked)
  const found = await list({ before: readPlace(cursor, place), limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    data: shown.map(present),
    ...(last !== undefined && { nextCursor: Buffer.from(placeOf(last)).toString('base64url') }),
  }
}

function readPlace(cursor: string | undefined, pattern: RegExp): string | undefined {
  if (cursor === undefined) return undefined
  const place = Buffer.from(cursor, 'base64url').toString('utf8')
  if (pattern.test(place)) return place
  throw invalidField('cursor', 'is not a nextCursor of this list')
}
