export { CellProblem } from './errors.ts'
export {
  enableFences,
  findHistoryEnd,
  findLetter,
  findPowerlessUser,
  findSplitTo,
  insertSplit,
  isCopyInUse,
  lockFences,
  updateSplitOpened,
} from './store.ts'
