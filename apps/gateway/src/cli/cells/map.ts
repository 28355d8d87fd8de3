import type { Cell } from './file.ts'

// The map of the router: a line for each merchant, with the letter of its cell (docs/cells.md).

/** A merchant as its cell has it. */
export interface CellMerchant {
  readonly merchantCode: string
  /** Who is disabled in one cell and not in another has moved there. */
  readonly isActive: boolean
}

/** Merchants of each cell; undefined where it is away. */
type MerchantsOf = ReadonlyMap<Cell, readonly CellMerchant[] | undefined>

/** A map, and what is to be said of it. */
interface RouterMap {
  readonly text: string
  readonly merchants: number
  /** Cells that are away, with how many merchants keep their lines of the last map. */
  readonly kept: readonly { readonly cell: string; readonly merchants: number }[]
  /** Merchants that two cells have: nothing may be written then. */
  readonly twice: readonly { readonly merchantCode: string; readonly cells: readonly string[] }[]
}

interface Place extends CellMerchant {
  readonly cell: string
}

/** The lines of merchants in order. Who is in a cell that is away stays where the last map leads. */
export function mapOf(cells: MerchantsOf, lastMap: string): RouterMap {
  const last = linesIn(lastMap)
  const lastOf = (letter: string): readonly CellMerchant[] =>
    [...last]
      .filter(([, cell]) => cell === letter)
      .map(([merchantCode]) => ({ merchantCode, isActive: true }))
  const places: readonly Place[] = [...cells].flatMap(([{ cell }, merchants]) =>
    (merchants ?? lastOf(cell)).map((merchant) => ({ ...merchant, cell })),
  )
  const homes = [...Map.groupBy(places, ({ merchantCode }) => merchantCode)].map(([merchantCode, all]) => ({
    merchantCode,
    cells: homesIn(all),
  }))
  const lines = homes.map(({ merchantCode, cells: [cell = ''] }) => `${merchantCode} ${cell}\n`).toSorted()
  const away = [...cells].filter(([, merchants]) => merchants === undefined)
  return {
    text: lines.join(''),
    merchants: lines.length,
    kept: away.map(([{ cell }]) => ({ cell, merchants: lastOf(cell).length })),
    twice: homes.filter((home) => home.cells.length > 1),
  }
}

/** Where a merchant is active; where nowhere, it hears so in the cell that has it. */
function homesIn(places: readonly Place[]): readonly string[] {
  const active = places.filter(({ isActive }) => isActive)
  return (active.length > 0 ? active : places.slice(0, 1)).map(({ cell }) => cell)
}

function linesIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']))
}
