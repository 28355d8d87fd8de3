import { Problem } from '../../platform/problem.ts'

/** Something that cannot be done with files that could not be taken. */
export class FailedDocumentProblem extends Problem {
  override readonly name = 'FailedDocumentProblem'
}
