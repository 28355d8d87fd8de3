import type { RawJson } from '@tollgate/money'
import type { Static, TSchema } from 'typebox'

/** A JSON number as it was written: digits survive where a double would lose them. */
export interface WireNumber {
  readonly text: string
}
/** An amount as it arrives: a small integer is a number, everything else is its text. */
export type WireAmount = number | WireNumber

/**
 * What a schema says, for one who writes or reads amounts as `Amount`. Lists and records are read-only. `Absent` is what an
 * optional member may hold instead of being away: `undefined` for those who write, since JSON leaves it out.
 */
export type OnWire<Value, Amount, Absent = never> = [Extract<Value, number>] extends [never]
  ? Members<Value, Amount, Absent>
  : [WireAmount] extends [Value]
    ? Members<Exclude<Value, WireAmount>, Amount, Absent> | Amount
    : Members<Value, Amount, Absent>

type Members<Value, Amount, Absent> = Value extends readonly (infer Item)[]
  ? readonly OnWire<Item, Amount, Absent>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value]:
          | OnWire<Value[Name], Amount, Absent>
          | (object extends Pick<Value, Name> ? Absent : never)
      }
    : Value

/** What a handler answers by a schema; amounts by `rawAmount`, so that every digit reaches the caller. */
export type Answer<Schema extends TSchema> = OnWire<Static<Schema>, RawJson, undefined>
/** One item of a list that a handler answers. */
export type AnswerItem<List extends TSchema> =
  Answer<List> extends { readonly data: readonly (infer Item)[] } ? Item : never
