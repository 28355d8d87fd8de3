import { type TObject, type TSchema, Type } from 'typebox'
import { PRINTABLE_PATTERN } from './common.ts'
import { PageQuery } from './customers.ts'

// What several descriptions of the operator API share.

const MERCHANT_CODE_PATTERN = '^[A-Za-z0-9_-]{1,64}$'
export const MerchantCode = Type.String({ pattern: MERCHANT_CODE_PATTERN, examples: ['DEMO'] })

/** Merchants of one answer: more than most installations have. */
export const MERCHANT_PAGE = 10_000

/** Query of GET /operator/merchants. */
export const OperatorMerchantListQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 140,
      pattern: PRINTABLE_PATTERN,
      description: 'Only merchants with this text in their code or name, in capitals or not.',
      examples: ['shop'],
    }),
  ),
  status: Type.Optional(
    Type.String({ pattern: '^(?:ACTIVE|DISABLED)$', description: 'Only these.', examples: ['ACTIVE'] }),
  ),
  cursor: PageQuery.properties.cursor,
  limit: Type.Optional(
    Type.String({
      pattern: '^(?:[1-9][0-9]{0,3}|10000)$',
      description: `Merchants of a page: 1 to ${MERCHANT_PAGE}, by default ${MERCHANT_PAGE}.`,
      examples: ['50'],
    }),
  ),
})

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
