export { CellProblem } from './errors.ts'
export {
  enableFences,
  findHistoryEnd,
  findLetter,
  findPowerlessUser,
  findSplitTo,
  findUse,
  insertSplit,
  lockFences,
  updateSplitOpened,
} from './store.ts'
