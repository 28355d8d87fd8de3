import type { Statement, Tx } from '../../platform/database.ts'
import { type DocumentEvidence, documentEvidence } from '../payments/index.ts'
import type { StatementLine } from './model.ts'

const LIST_ACTORS: Statement = {
  name: 'statements_list_actors',
  text: `select s.statement_id, f.actor from statements s join statement_files f using (file_id) where s.statement_id = any($1)`,
}

type OfStatement = Pick<StatementLine, 'statementId'>

/** What lines prove, by how their files came: over the bank's channel, or handed in by an operator. */
export async function evidenceOfLines(
  tx: Tx,
  lines: readonly OfStatement[],
): Promise<(line: OfStatement) => DocumentEvidence> {
  const ids = [...new Set(lines.map(({ statementId }) => statementId))]
  const rows = await tx.rows<{ statement_id: string; actor: string }>(LIST_ACTORS, [ids])
  const actors = new Map(rows.map((row) => [row.statement_id, row.actor]))
  return ({ statementId }) => {
    const actor = actors.get(statementId)
    if (actor === undefined) throw new Error('a statement line without a file')
    return documentEvidence(actor, [])
  }
}

/** What a line proves for the payment that operators give it to: their word counts, not that of who handed the file in. */
export async function evidenceOfDecision(
  tx: Tx,
  lines: readonly OfStatement[],
  deciders: readonly string[],
): Promise<DocumentEvidence> {
  const evidenceOf = await evidenceOfLines(tx, lines)
  // The weaker class, where the lines came on different ways.
  const isUpload = lines.some((line) => evidenceOf(line).class === 'BANK_UPLOAD')
  return { class: isUpload ? 'BANK_UPLOAD' : 'BANK_CHANNEL', operators: deciders, needsSecond: false }
}
