import {
  createOperatorAuthenticator,
  mayDo,
  type Operator,
  type Permission,
} from '../modules/operators/index.ts'
import { CommandFailure } from './failure.ts'
import { readFileOrInput } from './files.ts'
import { type House, inHouse, requireKeys } from './house.ts'
import type { OperatorOptions } from './operator-key.ts'
import type { Report, Shell } from './shell.ts'

/** What is done, and by whom. */
export interface OperatorWork {
  readonly options: OperatorOptions
  readonly permission: Permission
  readonly work: (house: House, operator: Operator) => Promise<Report>
}

/**
 * Does the work as the operator whose key is in the file of `--operator-key-file` or TOLLGATE_OPERATOR_KEY_FILE. Throws a
 * sentence of kind CREDENTIALS when the key opens nothing, of kind REFUSED when no role permits the work.
 */
export async function withOperator(
  shell: Shell,
  { options, permission, work }: OperatorWork,
): Promise<Report> {
  const key = await readOperatorKey(shell, options)
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
      'REFUSED',
      `${operator.code} (${operator.roles.join(', ')}) may not do this: it needs ${permission}.${operator.isKeyHalf === true ? ' Another ADMIN has to add the second half of this key.' : ''}`,
    )
  })
}

const KEY_BYTES_MAX = 1024

async function readOperatorKey(shell: Shell, options: OperatorOptions): Promise<string> {
  const file = options.operatorKeyFile ?? (await shell.config()).TOLLGATE_OPERATOR_KEY_FILE
  if (file === undefined) {
    throw new CommandFailure(
      'CREDENTIALS',
      'An operator does this by name: hand in your key by --operator-key-file <file>, or set TOLLGATE_OPERATOR_KEY_FILE.',
    )
  }
  const bytes = await readFileOrInput(shell, file)
  return bytes.subarray(0, KEY_BYTES_MAX).toString('utf8').trim()
}
