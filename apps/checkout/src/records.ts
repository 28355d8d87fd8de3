import {
  BasicErrorSchema,
  EXACT_NUMBER,
  PageChoicesSchema,
  PagePayinSchema,
  PageShopSchema,
  PaymentOptionsSchema,
  type Read,
  type ReadItem,
  RejectionSchema,
} from '@tollgate/contract'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/schema'

// What the page reads of the API's records, by the contract's schemas.

export type Payin = Read<typeof PagePayinSchema>
export type OfferedOption = ReadItem<typeof PaymentOptionsSchema>
export type Choice = ReadItem<typeof PageChoicesSchema>
export type Shop = Read<typeof PageShopSchema>['channelInfo']
type RejectionItem = Read<typeof RejectionSchema>[number]
/** Why the gateway refuses; invalid members of a request look the same here as reasons of a 406. */
export type Rejection = Pick<RejectionItem, 'code'> &
  Partial<Pick<RejectionItem, 'message' | 'field' | 'paymentMethodCode'>>

export const isPayin = reader(PagePayinSchema)
export const areOptions = reader(PaymentOptionsSchema)
export const areChoices = reader(PageChoicesSchema)
/** Of the merchant information no more is asked for than of the page's own route. */
export const isShop = reader(PageShopSchema)
export const areRejections = reader(RejectionSchema)
export const isProblem = reader(BasicErrorSchema)

function reader<Schema extends TSchema>(schema: Schema) {
  const check = Compile(Type.Unsafe<Read<Schema>>(shapeOf(schema)))
  return (value: unknown): value is Read<Schema> => check.Check(value)
}

/**
 * The members of a schema and their types, with amounts as the texts that the SDK makes of them. Values are left alone: new
 * ones may appear without a new version, and so may members (specification 9.5).
 */
function shapeOf(schema: unknown): TSchema {
  if (!isRecord(schema)) return {}
  const { type, required, properties, items } = schema
  if (EXACT_NUMBER in schema || 'anyOf' in schema) return { type: 'string' }
  return {
    ...(type !== undefined && { type }),
    ...(required !== undefined && { required }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, shapeOf(member)]),
      ),
    }),
    ...(items !== undefined && { items: shapeOf(items) }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
