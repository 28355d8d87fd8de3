import { CommandFailure } from './failure.ts'
import { readFileOrInput } from './files.ts'
import type { Shell } from './shell.ts'

/** How a command is told whose key it is. */
export const KEY_FLAGS = [
  '--operator-key-file <file>',
  'file with your operator key; - is standard input; default: TOLLGATE_OPERATOR_KEY_FILE',
] as const

const KEY_BYTES_MAX = 1024

/** The key in a file, or on standard input for `-`. */
export async function readOperatorKey(shell: Shell, file: string): Promise<string> {
  const bytes = await readFileOrInput(shell, file)
  return bytes.subarray(0, KEY_BYTES_MAX).toString('utf8').trim()
}

export const keyMissing = (): CommandFailure =>
  new CommandFailure(
    'CREDENTIALS',
    'This command needs an operator key: name its file by --operator-key-file <file>, or set TOLLGATE_OPERATOR_KEY_FILE.',
  )
