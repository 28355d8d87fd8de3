import type { Statement, Tx } from '../../../platform/database.ts'
import { isSecondPersonWanted, listNeedingSecond } from '../../confirmations/index.ts'
import { type DocumentEvidence, documentEvidence, OPERATOR_ACTOR_PREFIX } from '../../payments/index.ts'
import type { StatementLine } from '../model.ts'

const LIST_HANDS: Statement = {
  name: 'statements_list_hands',
  text: `select s.statement_id, f.actor, f.confirmed_by, f.content_hash from statements s join statement_files f using (file_id)
    where s.statement_id = any($1)`,
}

interface HandsRow {
  readonly statement_id: string
  readonly actor: string
  readonly confirmed_by: string | null
  readonly content_hash: Buffer
}

type OfStatement = Pick<StatementLine, 'statementId'>

/** What lines prove, by how their files came: over the bank's channel, or handed in by people. */
export async function evidenceOfLines(
  tx: Tx,
  lines: readonly OfStatement[],
): Promise<(line: OfStatement) => DocumentEvidence> {
  if (lines.length === 0) return () => documentEvidence('', [])
  const ids = [...new Set(lines.map(({ statementId }) => statementId))]
  const rows = await tx.rows<HandsRow>(LIST_HANDS, [ids])
  const needing = await listNeedingSecond(
    tx,
    'STATEMENT_FILE',
    rows.map((row) => row.content_hash),
  )
  const found = new Map(rows.map((row) => [row.statement_id, evidenceOfFile(row, needing)]))
  return ({ statementId }) => {
    const evidence = found.get(statementId)
    if (evidence === undefined) throw new Error('a statement line without a file')
    return evidence
  }
}

function evidenceOfFile(row: HandsRow, needing: ReadonlySet<string>): DocumentEvidence {
  const { actor, confirmed_by: confirmedBy } = row
  const isByOperator = actor.startsWith(OPERATOR_ACTOR_PREFIX)
  // A file of the folder that an operator confirmed is that operator's.
  if (!isByOperator) return documentEvidence(confirmedBy ?? actor, [])
  const agreed = confirmedBy === null ? [] : [codeIn(confirmedBy)]
  return documentEvidence(actor, agreed, needing.has(row.content_hash.toString('hex')))
}

const codeIn = (actor: string): string => actor.slice(OPERATOR_ACTOR_PREFIX.length)

/** Who decided about a line. */
export interface Deciders {
  readonly operatorCode: string
  /** `operator:<code>` of who confirmed it, where two were needed. */
  readonly confirmedBy?: string | undefined
  /** It was admitted without a second person: see `SecondPerson`. */
  readonly isAlone?: boolean
}

/** What a line proves for the payment that operators give it to: their word counts, not that of who handed the file in. */
export async function evidenceOfDecision(
  tx: Tx,
  lines: readonly OfStatement[],
  { operatorCode, confirmedBy, isAlone }: Deciders,
): Promise<DocumentEvidence> {
  const operators = [operatorCode, ...(confirmedBy === undefined ? [] : [codeIn(confirmedBy)])]
  const needsSecond = isAlone !== true && (await isSecondPersonWanted(tx))
  const evidenceOf = await evidenceOfLines(tx, lines)
  // The weaker class, where the lines came on different ways.
  const isUpload = lines.some((line) => evidenceOf(line).class === 'BANK_UPLOAD')
  return { class: isUpload ? 'BANK_UPLOAD' : 'BANK_CHANNEL', operators, needsSecond }
}
