import { type TObject, type TSchema, Type } from 'typebox'
import { PageQuery } from './customers.ts'

// What several descriptions of the operator API share.

const MERCHANT_CODE_PATTERN = '^[A-Za-z0-9_-]{1,64}$'
export const MerchantCode = Type.String({ pattern: MERCHANT_CODE_PATTERN, examples: ['DEMO'] })

/** Merchants of one answer: more than most installations have. */
export const MERCHANT_PAGE = 10_000

export const OperatorMerchantListQuery = Type.Object({ cursor: PageQuery.properties.cursor })

export const NextCursor = Type.Optional(Type.String({ description: 'Absent on the last page.' }))

/** A list that comes in pages. */
export function pagesOf<Item extends TSchema>(
  item: Item,
  title: string,
  example: unknown,
): TObject<{ data: ReturnType<typeof Type.Array<Item>>; nextCursor: typeof NextCursor }> {
  return Type.Object(
    { data: Type.Array(item), nextCursor: NextCursor },
    { title, examples: [{ data: [example] }] },
  )
}
