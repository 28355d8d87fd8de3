import {
  createOperatorAuthenticator,
  mayDo,
  type Operator,
  type Permission,
} from '../modules/operators/index.ts'
import { CommandFailure } from './failure.ts'
import { type House, inHouse, requireKeys } from './house.ts'
import type { OperatorOptions } from './operator-call.ts'
import { keyMissing, readOperatorKey } from './operator-key.ts'
import type { Report, Shell } from './shell.ts'

/** What is done, and by whom. */
interface OperatorWork {
  readonly options: Pick<OperatorOptions, 'operatorKeyFile'>
  readonly permission: Permission
  readonly work: (house: House, operator: Operator) => Promise<Report>
}

/**
 * Does the work as the operator whose key is in the file of `--operator-key-file` or TOLLGATE_OPERATOR_KEY_FILE. Throws a
 * sentence of kind CREDENTIALS when the key opens nothing, or no role permits the work. For commands that work in the database
 * itself, because no gateway runs yet.
 */
export async function withOperator(
  shell: Shell,
  { options, permission, work }: OperatorWork,
): Promise<Report> {
  const file = options.operatorKeyFile ?? (await shell.config()).TOLLGATE_OPERATOR_KEY_FILE
  if (file === undefined) throw keyMissing()
  const key = await readOperatorKey(shell, file)
  return inHouse(shell, async (house) => {
    // Under another master key every key would look wrong.
    requireKeys(house)
    const operator = await createOperatorAuthenticator(house).authenticate(key)
    if (operator === undefined) {
      throw new CommandFailure(
        'CREDENTIALS',
        'The operator key opens nothing: it is unknown, removed or expired, or its operator is disabled.',
      )
    }
    if (mayDo(operator, permission)) return work(house, operator)
    throw new CommandFailure(
      'CREDENTIALS',
      `${operator.code} (${operator.roles.join(', ')}) may not do this: it needs ${permission}.${operator.isKeyHalf === true ? ' Another ADMIN has to add the second half of this key.' : ''}`,
    )
  })
}
