import { Type } from 'typebox'
import { MoneySchema, openText, TimestampSchema } from './common.ts'
import { PayinDetailSchema } from './payins.ts'
import { FlowSchema, INSTRUCTION_MEMBERS } from './payments.ts'
import { AvailabilitySchema, MerchantInfoSchema } from './reference-lists.ts'

// What the hosted page is told by its service key, beyond the public interface. It is in no OpenAPI document.

const { qr, deepLinks } = INSTRUCTION_MEMBERS

/** A payin on the page. Without a service key the page reads the public detail, which has none of the added members. */
export const PagePayinSchema = Type.Object({
  ...PayinDetailSchema.properties,
  /** Money that is not the money asked for, or not yet; and what is still to come, where somebody can say where to. */
  arrived: Type.Optional(
    Type.Object({
      money: MoneySchema,
      rest: Type.Optional(Type.Object({ money: MoneySchema, qr, deepLinks })),
    }),
  ),
  /** Of coins in a block: how many blocks are on top, their own among them, and how many it takes. */
  confirmations: Type.Optional(Type.Object({ count: Type.Integer(), needed: Type.Integer() })),
  /** Empty while nothing has happened. */
  timeline: Type.Optional(
    Type.Array(
      Type.Object({ status: Type.String(), processorStatus: Type.String(), happenedAt: TimestampSchema }),
    ),
  ),
})

/** What a picker shows beside the options: what is closed now, and how people find a bank. */
export const PageChoicesSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      paymentMethodCode: Type.String(),
      name: Type.String(),
      flow: FlowSchema,
      availability: AvailabilitySchema,
      /** Its limit of today is reached. */
      isUsedUp: Type.Optional(Type.Boolean()),
      speed: Type.Optional(openText<'INSTANT' | 'MINUTES' | 'HOURS' | 'DAYS'>({})),
      operators: Type.Array(
        Type.Object({
          code: Type.String(),
          name: Type.String(),
          availability: AvailabilitySchema,
          popularRank: Type.Optional(Type.Number()),
          bic: Type.Optional(Type.String()),
          aliases: Type.Optional(Type.Array(Type.String())),
        }),
      ),
    }),
  ),
})

/** The shop as the page shows it, of MerchantInfoSchema. */
export const PageShopSchema = Type.Pick(MerchantInfoSchema, ['channelInfo'])
