import type { Statement, Tx } from '../../platform/database.ts'

const COLUMNS = `move_id::text as "moveId", from_cell as "fromCell", to_cell as "toCell", state, journal_head as "journalHead"`

const FIND_LATEST: Statement = {
  name: 'cells_find_latest_move',
  text: `select ${COLUMNS} from cell_moves where merchant_id = $1 order by move_no desc limit 1`,
}
const FIND: Statement = {
  name: 'cells_find_move',
  text: `select ${COLUMNS} from cell_moves where move_id = $1`,
}
const INSERT: Statement = {
  name: 'cells_insert_move',
  text: `insert into cell_moves (move_id, merchant_id, from_cell, to_cell, state, cluster_id)
    select $1, $2, $3, $4, $5, system_identifier from pg_control_system() on conflict (move_id) do nothing returning 1`,
}
const UPDATE_RETURNED: Statement = {
  name: 'cells_update_move_returned',
  text: `update cell_moves set state = 'RETURNED' where move_id = $1`,
}
const UPDATE_HEAD: Statement = {
  name: 'cells_update_move_head',
  text: `update cell_moves set journal_head = $2 where move_id = $1 and journal_head is null`,
}
const LIST_ARRIVALS: Statement = {
  name: 'cells_list_arrivals',
  text: `select xid::text as xid, cluster_id::text as "clusterId" from cell_moves where state = 'ARRIVED'`,
}

/** What became of a move, as far as this database knows. The cell that is left says RELEASED or RETURNED, the other one ARRIVED or REFUSED. */
type MoveState = 'RELEASED' | 'RETURNED' | 'ARRIVED' | 'REFUSED'

/** A merchant's way from one cell to another. */
interface Move {
  readonly moveId: string
  readonly fromCell: string
  readonly toCell: string
  readonly state: MoveState
  /** Of an arrival: an end of the other cell’s journal, as it is printed, with all that it had booked for the merchant; null until noted. */
  readonly journalHead: string | null
}

/** A move to be noted. */
interface NewMove extends Omit<Move, 'journalHead'> {
  readonly merchantId: string
}

/** The last move of a merchant that this database took part in. */
export async function findLatestMove(tx: Tx, merchantId: string): Promise<Move | undefined> {
  return (await tx.rows<Move>(FIND_LATEST, [merchantId]))[0]
}

export async function findMove(tx: Tx, moveId: string): Promise<Move | undefined> {
  return (await tx.rows<Move>(FIND, [moveId]))[0]
}

/** False when this database has said something of the move already: what it said stands. */
export async function insertMove(tx: Tx, move: NewMove): Promise<boolean> {
  const { moveId, merchantId, fromCell, toCell, state } = move
  return (await tx.rows(INSERT, [moveId, merchantId, fromCell, toCell, state])).length > 0
}

/** Notes that the merchant goes on here, in the cell that it was to leave. */
export async function updateMoveReturned(tx: Tx, moveId: string): Promise<void> {
  await tx.rows(UPDATE_RETURNED, [moveId])
}

/** Notes, of an arrival, an end of the other cell’s journal, unless one was noted. */
export async function updateMoveHead(tx: Tx, moveId: string, journalHead: string): Promise<void> {
  await tx.rows(UPDATE_HEAD, [moveId, journalHead])
}

/** A transaction by which a merchant's rows came from another cell, and whose count it is of. */
export interface Arrival {
  readonly xid: string
  readonly clusterId: string
}

/** Of merchants that came from other cells: what these transactions booked is in the accounts of the cell before. */
export function listArrivals(tx: Tx): Promise<readonly Arrival[]> {
  return tx.rows<Arrival>(LIST_ARRIVALS, [])
}
