import { createOperatorAuthenticator, mayDo, type Operator } from '../../modules/operators/index.ts'
import { buildRestoreGap, FILE_RAILS } from '../../rooms/restore-gap.ts'
import { CommandFailure } from '../failure.ts'
import { type Installation, requireKeys, withInstallation } from '../installation.ts'
import type { OperatorOptions } from '../operator-call.ts'
import { keyMissing, readOperatorKey } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'

const PERMISSION = 'payments.hold'

/**
 * `tollgate restore-gap open`. In the database itself: money has to stop before the gateway starts, so that there is no API to
 * ask. By name of an operator all the same.
 */
export async function open(
  shell: Shell,
  lostFrom: Date,
  { operatorKeyFile }: Pick<OperatorOptions, 'operatorKeyFile'>,
): Promise<Report> {
  if (lostFrom.getTime() > shell.clock.nowMs()) throw new CommandFailure('USAGE', '--since is in the future.')
  const file = operatorKeyFile ?? (await shell.config()).TOLLGATE_OPERATOR_KEY_FILE
  if (file === undefined) throw keyMissing()
  const key = await readOperatorKey(shell, file)
  return withInstallation(shell, async (installation) => {
    const { code } = await requireOperator(installation, key)
    const opened = await buildRestoreGap(installation).open({
      lostFrom,
      operatorCode: code,
      fileRails: FILE_RAILS,
    })
    return {
      json: opened,
      text: `A restore gap is open: no money leaves. ${opened.held} payments are on hold; institutions are asked about ${opened.asked}.`,
      notes: ['Next: docs/backup.md, "After a restore".'],
    }
  })
}

/** Whose key it is. Throws a sentence when it is nobody's, or no role permits the work. */
async function requireOperator(installation: Installation, key: string): Promise<Operator> {
  // Under another master key every key would look wrong.
  requireKeys(installation)
  const operator = await createOperatorAuthenticator(installation).authenticate(key)
  if (operator === undefined)
    throw new CommandFailure(
      'CREDENTIALS',
      'The operator key is not valid: it is unknown, removed or expired, or its operator is disabled.',
    )
  if (mayDo(operator, PERMISSION)) return operator
  throw new CommandFailure(
    'CREDENTIALS',
    `${operator.code} (${operator.roles.join(', ')}) may not do this: it needs ${PERMISSION}.${operator.isKeyHalf === true ? ' Another ADMIN has to add the second half of this key.' : ''}`,
  )
}
