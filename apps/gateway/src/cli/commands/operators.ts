import type { Command } from 'commander'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { gather, wholeNumber } from '../values.ts'

const KEY_DAYS_MAX = 3650
const LISTED_MAX = 500
const LISTED_DEFAULT = 50

const work = () => import('../actions/operators.ts')

/** The people who operate the gateway, and their keys. */
export function addOperatorCommands(program: Command, shell: Shell): void {
  const operators = program.command('operators').description('people who operate the gateway, and their keys')
  addOperators(operators, shell)
  addKeys(operators, shell)
}

interface NewOperatorOptions {
  readonly name?: string
  readonly role: readonly string[]
}

function addOperators(operators: Command, shell: Shell): void {
  operators
    .command('create <code>')
    .description('make an operator; the key is shown this once')
    .option('--name <name>', 'the name of the person; default: the code')
    .requiredOption('--role <role>', 'what the operator is trusted with; may be given several times', gather)
    .action(
      shell.act(async (code: string, options: NewOperatorOptions) =>
        (await work()).create(shell, { code, name: options.name ?? code, roles: options.role }),
      ),
    )
  operators
    .command('list')
    .description('list all operators with their roles')
    .action(shell.act(async () => (await work()).list(shell)))
  operators
    .command('show <code>')
    .description('show an operator with roles, permissions and keys')
    .action(shell.act(async (code: string) => (await work()).show(shell, code)))
  operators
    .command('disable <code>')
    .description('let none of the operator’s keys open anything, from now on')
    .action(shell.act(async (code: string) => (await work()).setStatus(shell, code, 'DISABLED')))
  operators
    .command('enable <code>')
    .description('let a disabled operator work again')
    .action(shell.act(async (code: string) => (await work()).setStatus(shell, code, 'ACTIVE')))
  operators
    .command('set-roles <code> <role...>')
    .description('give the operator these roles and no others')
    .action(
      shell.act(async (code: string, roles: readonly string[]) =>
        (await work()).setRoles(shell, code, roles),
      ),
    )
}

function addKeys(operators: Command, shell: Shell): void {
  operators
    .command('add-key <code>')
    .description('make a further key, of two that an operator may have; it is shown this once')
    .option('--days <count>', 'after how many days it ends by itself')
    .action(
      shell.act(async (code: string, options: { days?: string }) => {
        const days =
          options.days === undefined ? undefined : wholeNumber('--days', 1, KEY_DAYS_MAX)(options.days)
        return (await work()).addKey(shell, code, days)
      }),
    )
  operators
    .command('remove-key <code> <keyId>')
    .description('let a key open nothing any more')
    .action(shell.act(async (code: string, keyId: string) => (await work()).removeKey(shell, code, keyId)))
  takesOperatorKey(operators.command('unmaskings'))
    .description('list who has read whose name and account in full, the newest first')
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(
      shell.act(async (options: OperatorOptions & { limit: number }) =>
        (await work()).listUnmasked(shell, options.limit, options),
      ),
    )
  takesOperatorKey(operators.command('whoami'))
    .description('show whose key this is, and what it may do')
    .action(shell.act(async (options: OperatorOptions) => (await work()).whoami(shell, options)))
}
