import type { PayoutReportContentSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { writeNew } from '../files.ts'
import { pathOf } from '../operator-call.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { code, wholeNumber } from '../values.ts'

const LISTED_MAX = 500
const LISTED_DEFAULT = 50

const work = () => import('../actions/payout-files.ts')
const reports = () => import('../actions/payout-reports.ts')

/** Payouts on their way to a bank in files, and what the bank reports. */
export function addPayoutFileCommands(program: Command, shell: Shell): void {
  const files = program
    .command('payout-files')
    .description('payouts on their way to a bank in files, and what the bank reports about them')
  addMaking(files, shell)
  addLooks(files, shell)
  addReports(files, shell)
}

function addMaking(files: Command, shell: Shell): void {
  takesOperatorKey(files.command('create'))
    .description('collect the payouts that wait into files; each of them goes into one file')
    .option('--currency <currency>', 'only payments in this currency', code)
    .action(
      shell.act(async (options: OperatorOptions & { currency?: string }) =>
        (await work()).create(shell, { currency: options.currency }, options),
      ),
    )
  takesOperatorKey(files.command('fetch <file>'))
    .description('fetch the bytes of a file, for the bank; who has fetched them is noted')
    .option('--out <path>', 'write them there; default: standard output')
    .action(
      shell.act(async (file: string, options: OperatorOptions & { out?: string }) =>
        (await work()).fetch(shell, { file: fileId(file), out: options.out }, options),
      ),
    )
  takesOperatorKey(files.command('submitted <file>'))
    .description('note that the bank has the file')
    .action(
      shell.act(async (file: string, options: OperatorOptions) =>
        (await work()).submitted(shell, fileId(file), options),
      ),
    )
}

function addLooks(files: Command, shell: Shell): void {
  files
    .command('list')
    .description('list files, the newest first')
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(shell.act(async (options: { limit: number }) => (await work()).list(shell, options)))
  files
    .command('show <file>')
    .description('show a file with its payments')
    .action(shell.act(async (file: string) => (await work()).show(shell, fileId(file))))
}

function addReports(files: Command, shell: Shell): void {
  takesOperatorKey(files.command('report <path>'))
    .description('hand in a status report (pain.002) of the bank; - is standard input')
    .action(
      shell.act(async (path: string, options: OperatorOptions) =>
        (await reports()).take(shell, path, options),
      ),
    )
  files
    .command('reports')
    .description('list the status reports that were handed in, the newest first')
    .option('--aside', 'only those of which something was put aside')
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(
      shell.act(async (options: { aside?: true; limit: number }) => (await reports()).list(shell, options)),
    )
  files
    .command('show-report <report>')
    .description('show what a status report said, and what followed')
    .action(shell.act(async (report: string) => (await reports()).show(shell, reportId(report))))
  fetchReport.addTo(files, shell)
}

const fetchReport = clientCommand({
  command: 'fetch-report <report>',
  says: 'fetch the bytes of a status report as they came; who has read them is noted',
  options: [{ flags: '--out <path>', says: 'write them there; default: standard output' }],
  permission: 'statements.unmask',
  asks: ({ report }) => ({
    method: 'GET',
    path: `${pathOf`/operator/payout-reports/${reportId(report)}`}/content`,
  }),
  shows(
    { name, sha256, contentBase64 }: Printed<typeof PayoutReportContentSchema>,
    _pen,
    _typed,
    { out }: OperatorOptions & { readonly out?: string },
  ) {
    const bytes = Buffer.from(contentBase64, 'base64')
    if (out === undefined) return bytes.toString('utf8')
    writeNew(out, bytes)
    return `${name}: ${bytes.length} bytes written to ${out}. SHA-256 ${sha256}.`
  },
})

function fileId(text: string): string {
  const id = text.toUpperCase()
  if (/^[A-Z0-9]{1,35}$/.test(id)) return id
  throw new CommandFailure(
    'USAGE',
    `A file's id looks like TG7K2M9XWT4BAQ0CDE; \`tollgate payout-files list\` shows them. This is ${JSON.stringify(text)}.`,
  )
}

function reportId(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A report's id is a number; \`tollgate payout-files reports\` shows them. This is ${JSON.stringify(text)}.`,
  )
}
