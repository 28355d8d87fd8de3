// Where cells differ in what is to be the same in all of them.

/** What a cell has, by what it is called: `method UPI_QR` and what is written of it. */
export type Items = ReadonlyMap<string, string>

/** An item that is not the same everywhere. */
export interface Difference {
  readonly item: string
  /** The letters of those that have it in the same way, the largest group first; of those that lack it last. */
  readonly groups: readonly { readonly cells: readonly string[]; readonly has: boolean }[]
}

/** Every item that is not the same in all cells, by name. */
export function differencesIn(cells: ReadonlyMap<string, Items>): readonly Difference[] {
  const names = new Set([...cells.values()].flatMap((items) => [...items.keys()]))
  return [...names].toSorted().flatMap((item) => {
    const byText = Map.groupBy(cells, ([, items]) => items.get(item))
    if (byText.size === 1) return []
    const groups = [...byText]
      .map(([text, members]) => ({ cells: members.map(([letter]) => letter), has: text !== undefined }))
      .toSorted((one, other) => Number(other.has) - Number(one.has) || other.cells.length - one.cells.length)
    return [{ item, groups }]
  })
}

/** A document as items: each entry of its lists by its code, and everything else by its name. */
export function itemsIn(document: object): Items {
  const items = Object.entries(document).flatMap(([section, value]: [string, unknown]) =>
    Array.isArray(value)
      ? value.map((entry: unknown, index) => [`${section} ${nameOf(entry, index)}`, textOf(entry)] as const)
      : [[section, textOf(value)] as const],
  )
  return new Map(items)
}

const NAMES = ['code', 'operatorCode', 'currencyCode', 'methodCode']

/** The codes of an entry, which tell it from the others. */
function nameOf(entry: unknown, index: number): string {
  if (typeof entry !== 'object' || entry === null) return String(index + 1)
  const names = NAMES.map((name): unknown => Reflect.get(entry, name)).filter(
    (name) => typeof name === 'string',
  )
  return names.length === 0 ? String(index + 1) : names.join(' ')
}

/** The members in order of their names: how a server writes them is no difference. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
