import { Problem } from '../../platform/problem.ts'

/** Why a cell cannot be split, or a copy not be opened. */
export class CellProblem extends Problem {
  override readonly name = 'CellProblem'
}
