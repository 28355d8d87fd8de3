import type { RawJson } from '@tollgate/money'
import type { Static, TSchema } from 'typebox'

/** A JSON number as it was written: digits survive where a double would lose them. */
interface WireNumber {
  readonly text: string
}
/** An amount as it arrives: a small integer is a number, everything else is its text. */
export type WireAmount = number | WireNumber

/** Its digits, as they were written. */
export const digitsOf = (wire: WireAmount): string => (typeof wire === 'number' ? String(wire) : wire.text)

/** A text whose values may grow without a new version of the interface (specification 9.5): handle the ones you know. */
export type Open<Known extends string> = Known | (string & {})

/** How one end of the wire sees a schema. */
interface Side {
  /** What an amount is there. */
  readonly amount: unknown
  /** What an optional member may hold instead of being absent. */
  readonly absent: unknown
  /** What a text may be beside the ones that the schema knows. */
  readonly more: unknown
}
interface Handler extends Side {
  readonly amount: RawJson
  // JSON leaves it out.
  readonly absent: undefined
  readonly more: never
}
interface Reader extends Side {
  readonly amount: string
  readonly absent: never
  readonly more: string & {}
}
interface Printer extends Side {
  readonly amount: number | RawJson
  readonly absent: never
  readonly more: string & {}
}
interface Sender extends Side {
  readonly amount: string
  readonly absent: undefined
  // A word that the gateway does not know is refused: a mistake.
  readonly more: never
}

type Seen<Value, By extends Side> = [Extract<Value, number>] extends [never]
  ? Members<Value, By>
  : [WireAmount] extends [Value]
    ? Members<Exclude<Value, WireAmount>, By> | By['amount']
    : Members<Value, By>

type Members<Value, By extends Side> = Value extends readonly (infer Item)[]
  ? readonly Seen<Item, By>[]
  : Value extends string
    ? string extends Value
      ? Value
      : Value | By['more']
    : Value extends object
      ? {
          readonly [Name in keyof Value]:
            | Seen<Value[Name], By>
            | (object extends Pick<Value, Name> ? By['absent'] : never)
        }
      : Value

type ItemOf<List> = List extends { readonly data: readonly (infer Item)[] } ? Item : never

/** What a handler answers by a schema; amounts by `rawAmount`, so that every digit reaches the caller. */
export type Answer<Schema extends TSchema> = Seen<Static<Schema>, Handler>
/** One item of a list that a handler answers. */
export type AnswerItem<List extends TSchema> = ItemOf<Answer<List>>

/** What a client reads by a schema, with amounts as decimal texts. */
export type Read<Schema extends TSchema> = Seen<Static<Schema>, Reader>
/** One item of a list that a client reads. */
export type ReadItem<List extends TSchema> = ItemOf<Read<List>>
/** What a client sends by a schema, with amounts as decimal texts. */
export type Sent<Schema extends TSchema> = Seen<Static<Schema>, Sender>
/** What somebody reads by a schema who prints it again: a number that a double would change is kept as it was written. */
export type Printed<Schema extends TSchema> = Seen<Static<Schema>, Printer>
