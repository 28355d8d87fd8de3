import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { wholeNumber } from '../values.ts'

const LISTED_MAX = 1000
const LISTED_DEFAULT = 50

interface ListOptions {
  limit: number
  after?: string
}

/** Merchants' customers, for those who look after the gateway: never their personal data. */
export function addCustomerCommands(program: Command, shell: Shell): void {
  const customers = program
    .command('customers')
    .description('merchants’ customers, without their personal data')
  const work = () => import('../actions/customers.ts')
  customers
    .command('list <merchant>')
    .description('list the customers of a merchant by their ids')
    .option('--limit <count>', `at most ${LISTED_MAX}`, wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .option('--after <id>', 'begin after this customer', idCustomer)
    .action(
      shell.act(async (merchant: string, options: ListOptions) =>
        (await work()).list(shell, { merchant, ...options }),
      ),
    )
  customers
    .command('show <merchant> <id>')
    .description('show a customer; names and account numbers are masked')
    .action(
      shell.act(async (merchant: string, id: string) =>
        (await work()).show(shell, { merchant, id: idCustomer(id) }),
      ),
    )
  const switches = [
    ['block', 'BLOCKED', 'let a customer make no payments any more; those under way go on'],
    ['unblock', 'ACTIVE', 'let a blocked customer make payments again'],
  ] as const
  for (const [name, status, description] of switches) {
    customers
      .command(`${name} <merchant> <id>`)
      .description(description)
      .action(
        shell.act(async (merchant: string, id: string) =>
          (await work()).setStatus(shell, { merchant, id: idCustomer(id) }, status),
        ),
      )
  }
  customers
    .command('erase <merchant> <id>')
    .description('erase all personal data of a customer and of its payments, for ever')
    .action(
      shell.act(async (merchant: string, id: string) =>
        (await work()).erase(shell, { merchant, id: idCustomer(id) }),
      ),
    )
}

const ID_CUSTOMER = /^[A-Za-z0-9_-]{1,250}$/

function idCustomer(text: string): string {
  if (ID_CUSTOMER.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A customer's id has 1 to 250 letters, digits, hyphens or underscores; this is ${JSON.stringify(text)}.`,
  )
}
