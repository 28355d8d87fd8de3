import type { Statement, Tx } from '../../platform/database.ts'

const LIST: Statement = {
  name: 'merchants_list_cells',
  text: `select merchant_id as "merchantId", merchant_code as "merchantCode", cell from merchants order by merchant_id`,
}
const UPDATE: Statement = {
  name: 'merchants_update_cell',
  text: 'update merchants set cell = $3 where merchant_id = any ($1::bigint[]) and cell is not distinct from $2 returning 1',
}

/** Letters of cells, in the order of their numbers. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const NUMBERS_A_CELL = 1_000_000_000

/** A merchant, and the cell that has it; null where that is this one. */
export interface PlacedMerchant {
  readonly merchantId: string
  readonly merchantCode: string
  readonly cell: string | null
}

/** All merchants, wherever they are. */
export function listPlacedMerchants(tx: Tx): Promise<readonly PlacedMerchant[]> {
  return tx.rows<PlacedMerchant>(LIST, [])
}

/** Says which cell has the merchants from now on; null: this one. False when one of them is not where it was thought to be. */
export async function updateMerchantCell(
  tx: Tx,
  merchantIds: readonly string[],
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<boolean> {
  return (await tx.rows(UPDATE, [merchantIds, from, to])).length === merchantIds.length
}

/**
 * From here on, merchants that are made in this cell have numbers that no other cell gives: each has a thousand millions of its own, and
 * the first cell begins with 1. So a merchant has its number in every cell, and what is sealed under it. By the owner of the tables.
 */
export async function numberMerchants(tx: Tx, letter: string): Promise<void> {
  const first = (1 + LETTERS.indexOf(letter)) * NUMBERS_A_CELL + 1
  await tx.rows(
    {
      name: `merchants_number_from_${letter}`,
      text: `alter table merchants alter column merchant_id restart with ${first}`,
    },
    [],
  )
}
