export { CellProblem } from './errors.ts'
export {
  type Arrival,
  findLatestMove,
  findMove,
  insertMove,
  listArrivals,
  updateMoveHead,
  updateMoveReturned,
} from './move-store.ts'
export {
  copyRows,
  type Fingerprint,
  findHorizon,
  fingerprintOf,
  type MovingTable,
  removeRows,
  removeStrays,
  seeOneMoment,
} from './rows.ts'
export {
  enableFences,
  findHistoryEnd,
  findLetter,
  findPowerlessUser,
  findSplitTo,
  findUse,
  insertLetter,
  insertSplit,
  isUnused,
  lockFences,
  updateSplitOpened,
} from './store.ts'
