// Payments of all cells in one order: the newest first, those of one moment by the letters of their cells, and within a cell as it
// answered.

/** What a cell has said so far. */
export interface Told<Row> {
  readonly letter: string
  /** The newest first. */
  readonly rows: readonly Row[]
  /** It has older ones than these, which will be asked for. */
  readonly isOpen: boolean
}

/** A row and its cell. */
export interface Placed<Row> {
  readonly letter: string
  readonly row: Row
  /** Among the rows of its cell. */
  readonly index: number
}

/**
 * As many rows as are certain: nothing that a cell has still to tell belongs before the last of them. A cell whose older rows are not
 * waited for is not open, and its rows come between those of the others once it tells them.
 */
export function merged<Row extends { readonly createdAt: string }>(
  cells: readonly Told<Row>[],
): readonly Placed<Row>[] {
  const all = cells
    .flatMap(({ letter, rows }) => rows.map((row, index) => ({ letter, row, index })))
    .toSorted(byPlace)
  const ends = cells
    .filter(({ isOpen }) => isOpen)
    .map((cell) => 1 + all.findIndex((each) => each.letter === cell.letter && isLast(each, cell)))
  return all.slice(0, Math.min(all.length, ...ends))
}

const isLast = ({ index }: Placed<unknown>, { rows }: Told<unknown>): boolean => index === rows.length - 1

type Place = Placed<{ readonly createdAt: string }>

const byPlace = (one: Place, other: Place): number =>
  byText(other.row.createdAt, one.row.createdAt) ||
  byText(one.letter, other.letter) ||
  one.index - other.index

const byText = (one: string, other: string): number => Number(one > other) - Number(one < other)
