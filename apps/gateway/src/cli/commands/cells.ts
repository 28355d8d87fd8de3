import type { Command } from 'commander'
import { addOption } from '../client-command.ts'
import { PAYMENT_FILTERS } from '../found-payments.ts'
import type { Shell } from '../shell.ts'
import { gather } from '../values.ts'
import { LIMIT } from './options.ts'

const work = () => import('../actions/cells.ts')

interface AddOptions {
  readonly operatorUrl: string
  readonly operatorKeyFile: string
}

interface MoveOptions {
  readonly to: string
  readonly databaseUrlFile: string
  readonly masterKeyFile?: string
  readonly dryRun?: true
  readonly back?: true
}

interface ReleaseOptions {
  readonly merchant?: readonly string[]
  readonly merchantsFile?: string
  readonly dryRun?: true
}

/** `tollgate cells`: several installations that share the merchants (docs/cells.md). */
export function addCellCommands(program: Command, shell: Shell): void {
  const cells = program
    .command('cells')
    .description('several installations that share the merchants')
    .enablePositionalOptions()
  cells
    .command('list')
    .description('list the cells with version, number of merchants and head of the journal')
    .action(shell.act(async () => (await work()).listCells(shell)))
  cells
    .command('add <letter>')
    .description('register a running installation as a cell')
    .requiredOption('--operator-url <url>', 'its operator API')
    .requiredOption('--operator-key-file <file>', 'file with your operator key there')
    .action(
      shell.act(async (cell: string, options: AddOptions) =>
        (await work()).addCell(shell, { cell, ...options }),
      ),
    )
  cells
    .command('route <map>')
    .description('write the router’s map: which merchant is in which cell')
    .option('--dry-run', 'only print it')
    .action(
      shell.act(async (map: string, options: { dryRun?: true }) =>
        (await work()).routeCells(shell, map, options),
      ),
    )
  cells
    .command('release <letter>')
    .description('split this cell: release merchants, so that a copy of the database can take them over')
    .option('--merchant <code>', 'merchant to release; may be repeated', gather)
    .option('--merchants-file <file>', 'file with their codes, one per line; - is standard input')
    .option('--dry-run', 'only check whether they can be released')
    .action(
      shell.act(async (letter: string, wish: ReleaseOptions) =>
        (await import('../actions/cells-split.ts')).release(shell, letter, wish),
      ),
    )
  cells
    .command('open')
    .description('open a promoted copy of a cell’s database as the cell that merchants were released to')
    .action(shell.act(async () => (await import('../actions/cells-split.ts')).open(shell)))
  addMoves(cells, shell)
  cells
    .command('check')
    .description('show where catalogue, rate lists, operators and versions of the cells differ')
    .action(shell.act(async () => (await work()).checkCells(shell)))
  cells
    .command('publish <command...>')
    .description('run an operator command in every cell, for example: publish catalogue apply file.yaml')
    .allowUnknownOption()
    .passThroughOptions()
    .action(shell.act(async (parts: string[]) => (await work()).publish(shell, parts)))
  cells
    .command('find <what>')
    .description('find the cell of a merchant or a payment reference')
    .action(shell.act(async (what: string) => (await work()).findCell(shell, what)))
  addPayments(cells, shell)
  cells
    .command('waiting')
    .description('list what waits for people in all cells, the most urgent first')
    .action(shell.act(async () => (await import('../actions/cells-waiting.ts')).cellsWaiting(shell)))
  addHeads(cells, shell)
}

/** A merchant's way into a cell that there is already. */
function addMoves(cells: Command, shell: Shell): void {
  const acts = () => import('../actions/cells-move.ts')
  cells
    .command('join')
    .description('prepare a new, unused cell so that merchants can move between it and another')
    .requiredOption('--database-url-file <file>', 'file with the address of the other cell’s database')
    .action(shell.act(async (wish: { databaseUrlFile: string }) => (await acts()).join(shell, wish)))
  cells
    .command('move <merchant>')
    .description('move a merchant of this cell into another, with its payments and books')
    .requiredOption('--to <letter>', 'cell to move it to')
    .requiredOption(
      '--database-url-file <file>',
      'file with the address of that cell’s database, as its owner',
    )
    .option('--master-key-file <file>', 'that cell’s master key, if it differs from this cell’s')
    .option('--dry-run', 'only check whether it can be moved')
    .option('--back', 'cancel an interrupted move; the merchant stays in this cell')
    .action(
      shell.act(async (merchant: string, wish: MoveOptions) => (await acts()).move(shell, merchant, wish)),
    )
}

function addPayments(cells: Command, shell: Shell): void {
  const payments = cells
    .command('payments')
    .description('find payments in all cells, by --id, --reference, --customer, or --created-from')
  for (const option of [...PAYMENT_FILTERS, LIMIT]) addOption(payments, option)
  payments
    .option('--cursor <text>', 'the next page, as the page before printed it')
    .action(
      shell.act(async (options: { limit: number; cursor?: string }) =>
        (await import('../actions/cells-payments.ts')).cellPayments(shell, options),
      ),
    )
}

/** One head over the heads of all journals. */
function addHeads(cells: Command, shell: Shell): void {
  const heads = cells
    .command('heads')
    .description('record the journal heads of all cells under one hash, and verify the earlier ones')
  const acts = () => import('../actions/cells-heads.ts')
  heads
    .command('keep <file>')
    .description('append the heads of all journals to a file, and print one head over all of it')
    .action(shell.act(async (file: string) => (await acts()).keepHeads(shell, file)))
  heads
    .command('check <file>')
    .description('check that the file is unchanged and that each journal still has its heads')
    .option('--head <line:hash>', 'a head that `cells heads keep` printed earlier')
    .action(
      shell.act(async (file: string, options: { head?: string }) =>
        (await acts()).checkHeads(shell, file, options),
      ),
    )
}
