import type { Answer, AuditActSchema } from '@tollgate/contract'
import { ACT_WORDS, READ_WORDS } from '@tollgate/contract/words'
import { type AuditAct, type AuditChange, fieldsOf, outcomeOf } from './model.ts'

/** The act in words. */
function wordsOf({ kind, operation = '', program = '' }: AuditAct): string {
  if (kind === 'ACT') return ACT_WORDS[operation] ?? spelled(operation)
  if (kind === 'READ') return READ_WORDS[operation] ?? 'Read data in full'
  if (kind === 'BEGAN') return 'The audit log begins'
  if (program === 'tollgate command') return 'Ran a command on the machine'
  return program.startsWith('tollgate ') ? 'Changed by the gateway itself' : 'Changed at the database'
}

/** `approvePayout` as "Approve payout", for what has no words any more. */
const spelled = (operation: string): string => {
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function presentAct(act: AuditAct): Answer<typeof AuditActSchema> {
  const { status, chained } = act
  return {
    number: act.recordNo,
    happenedAt: act.happenedAt.toISOString(),
    kind: act.kind,
    ...whoOf(act),
    says: wordsOf(act),
    ...whatOf(act),
    outcome: outcomeOf(act),
    ...(status !== undefined && { status }),
    changeCount: act.changeCount,
    changes: act.changes.map(presentChange),
    isFromBefore: act.isFromBefore,
    ...(chained && { entryNo: chained.entryNo, chainHash: chained.chainHash.toString('hex') }),
  }
}

const whoOf = ({ operatorCode, operatorName, means, meansId, program, databaseUser }: AuditAct) => ({
  ...(operatorCode !== undefined && { operatorCode }),
  ...(operatorName !== undefined && { operatorName }),
  ...(means !== undefined && { means }),
  ...(meansId !== undefined && { meansId }),
  ...(program !== undefined && { program }),
  ...(databaseUser !== undefined && { databaseUser }),
})

const whatOf = ({ operation, merchantCode, subject, reason, path, requestId }: AuditAct) => ({
  ...(operation !== undefined && { act: operation }),
  ...(merchantCode !== undefined && { merchantCode }),
  ...(subject !== undefined && { subject }),
  ...(reason !== undefined && { reason }),
  ...(path !== undefined && { path }),
  ...(requestId !== undefined && { requestId }),
})

const presentChange = (change: AuditChange) => ({
  section: change.section,
  ...(change.item !== null && { item: change.item }),
  ...(change.merchantCode !== null && { merchantCode: change.merchantCode }),
  verb: change.verb,
  fields: fieldsOf(change).map((field) => ({ ...field })),
})
