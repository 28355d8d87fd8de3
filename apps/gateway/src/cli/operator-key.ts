import type { Command } from 'commander'

/** How a command is told who types. */
export interface OperatorOptions {
  readonly operatorKeyFile?: string
}

/** Adds `--operator-key-file` to a command that an operator does by name. */
export function takesOperatorKey(command: Command): Command {
  return command.option(
    '--operator-key-file <file>',
    'file with your operator key; - is standard input; default: TOLLGATE_OPERATOR_KEY_FILE',
  )
}
