import type { Performer, SecondPerson } from '../../confirmations/index.ts'
import type { Imported, ImportOrder } from '../import/import.ts'
import type { Matched } from '../matching/matching.ts'
import type { DecisionWish, LineReport } from '../service.ts'
import { type LineChoice, listChoices } from './choices.ts'
import { createDecisionPerformer, type DecisionActDeps, proposeDecision } from './decision-acts.ts'
import { createFilePerformer, type FileActDeps, handInFile, type Waits } from './file-acts.ts'

type StatementActDeps = FileActDeps & DecisionActDeps

/** What people do with statements, where some of it needs a second one. */
export interface StatementActs {
  /** Takes a file at once, or has it wait; see `handInFile`. Throws StatementProblem. */
  handIn(order: Omit<ImportOrder, 'confirmedBy'>): Promise<(Imported & { readonly matched: Matched }) | Waits>
  /** Takes a file of the watched folder: at once where it counts as fetched from a bank. */
  handInFromFolder(
    order: Omit<ImportOrder, 'confirmedBy' | 'actor'>,
  ): Promise<(Imported & { readonly matched: Matched }) | Waits>
  /** Takes a file that a channel of a bank brought: at once. */
  takeFromChannel(order: Omit<ImportOrder, 'confirmedBy'>): Promise<Imported & { readonly matched: Matched }>
  /** Decides at once, or has the decision wait; see `proposeDecision`. Throws StatementProblem. */
  propose(wish: DecisionWish): Promise<({ readonly kind: 'DECIDED' } & LineReport) | Waits>
  /** Decisions that wait and are about the line. */
  listWaiting(lineId: string): ReturnType<SecondPerson['listOfLines']>
  /** What this operator can decide about a line now. */
  listChoices(report: LineReport, operatorCode: string): Promise<readonly LineChoice[]>
  readonly filePerformer: Performer
  readonly decisionPerformer: Performer
}

/** Who has put a file into the folder is not known. */
const FOLDER_ACTOR = 'folder'

export function createStatementActs(deps: StatementActDeps): StatementActs {
  const { secondPerson, statements } = deps
  return {
    handIn: (order) => handInFile(deps, order),
    handInFromFolder(order) {
      const named = { ...order, actor: FOLDER_ACTOR }
      return secondPerson.isFolderChannel ? statements.take(named) : handInFile(deps, named)
    },
    takeFromChannel: (order) => statements.take(order),
    propose: (wish) => proposeDecision(deps, wish),
    listWaiting: (lineId) => secondPerson.listOfLines(deps.db, [lineId]),
    listChoices: (report, operatorCode) => listChoices(deps, report, operatorCode),
    filePerformer: createFilePerformer(deps),
    decisionPerformer: createDecisionPerformer(deps),
  }
}
