import type {
  AuditActSchema,
  AuditHeadSchema,
  AuditListSchema,
  AuditVerificationSchema,
  Printed,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type OptionRow, type Pen } from '../client-command.ts'
import { get, type OperatorOptions, pathOf } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { moment, oneOf, wholeNumber } from '../values.ts'

type Act = Printed<typeof AuditActSchema>

const LISTED = 50
const LISTED_MAX = 10_000

const FILTERS: readonly OptionRow[] = [
  { flags: '--operator <code>', says: 'only of this operator' },
  { flags: '--act <name>', says: 'operationId, such as approvePayout, or what was read, such as PAYEE' },
  { flags: '--subject <name>', says: 'only what names exactly this, such as a payment id' },
  { flags: '--merchant <code>', says: 'only about this merchant' },
  { flags: '--from <moment>', says: 'from this day or moment (UTC) on', read: moment('--from') },
  { flags: '--to <moment>', says: 'before this day or moment', read: moment('--to') },
  { flags: '--failed', says: 'only what was refused or failed' },
]

interface Filters extends OperatorOptions {
  readonly operator?: string
  readonly act?: string
  readonly subject?: string
  readonly merchant?: string
  readonly from?: string
  readonly to?: string
  readonly failed?: true
}

const queryOf = ({ operator, act, subject, merchant, from, to, failed }: Filters) => ({
  operatorCode: operator,
  merchantCode: merchant,
  act,
  subject,
  from,
  to,
  failed,
})

const list = clientCommand({
  command: 'list',
  says: 'list what operators did, the newest first',
  options: [
    ...FILTERS,
    {
      flags: '--limit <count>',
      says: `number of acts; default: ${LISTED}`,
      read: wholeNumber('--limit', 1, LISTED_MAX),
    },
  ],
  permission: 'operators.read',
  asks: (_typed, { limit = LISTED, ...filters }: Filters & { readonly limit?: number }) => ({
    method: 'GET',
    path: '/operator/audit',
    query: queryOf(filters),
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof AuditListSchema>, pen) =>
    pen.table(
      ['NUMBER', 'TIME', 'WHO', 'BY', 'DID', 'MERCHANT', 'SUBJECT', 'OUTCOME', 'CHANGES', 'REASON'],
      data.map((act) => [
        act.number,
        pen.momentOf(act.happenedAt),
        whoOf(act),
        act.means ?? '',
        act.says,
        act.merchantCode ?? '',
        act.subject ?? '',
        outcomeOf(act),
        act.changeCount === 0 ? '' : String(act.changeCount),
        act.reason ?? '',
      ]),
      'No acts.',
    ),
})

const whoOf = ({ operatorCode, program }: Act): string => operatorCode ?? program ?? ''
const outcomeOf = ({ outcome, status }: Act): string =>
  status === undefined ? outcome : `${outcome} ${status}`

const show = clientCommand({
  command: 'show <number>',
  says: 'show an act with everything that it changed',
  permission: 'operators.read',
  asks: ({ number }) => get(pathOf`/operator/audit/${number}`),
  shows: (act: Act, pen) => [factsOf(act, pen), ...act.changes.map(changeText)].join('\n'),
})

const factsOf = (act: Act, pen: Pen): string =>
  pen.pairs([
    ['Number', act.number],
    ['Time', pen.momentOf(act.happenedAt)],
    ['Who', [whoOf(act), act.operatorName, act.databaseUser].filter((each) => each !== undefined).join(', ')],
    ['By', [act.means, act.meansId].filter((each) => each !== undefined).join(' ')],
    ['Did', act.says],
    ['Merchant', act.merchantCode],
    ['Subject', act.subject],
    ['Reason', act.reason],
    ['Outcome', outcomeOf(act)],
    ['Path', act.path],
    ['Request', act.requestId],
    ['Chained', act.entryNo === undefined ? 'not yet' : `${act.entryNo}:${act.chainHash ?? ''}`],
  ])

const MARKS: Readonly<Record<string, string>> = { ADDED: '+', CHANGED: '~', REMOVED: '-' }

/** A line for the row, and one for each column that changed. */
function changeText({ verb, section, item = '', merchantCode = '', fields }: Act['changes'][number]): string {
  const head = [MARKS[verb] ?? verb, section, merchantCode, item].filter((each) => each !== '').join(' ')
  return [
    head,
    ...fields.map(({ name, before = '-', after = '-' }) => `    ${name}: ${before} -> ${after}`),
  ].join('\n')
}

const exportAll = clientCommand({
  command: 'export',
  says: 'print all matching acts, as CSV or as lines of JSON',
  options: [
    ...FILTERS,
    {
      flags: '--format <format>',
      says: 'csv or jsonl',
      read: oneOf('--format', ['csv', 'jsonl']),
      default: 'csv',
    },
  ],
  permission: 'operators.read',
  asks: (_typed, { format, ...filters }: Filters & { readonly format: string }) => ({
    ...get('/operator/audit/export', { ...queryOf(filters), format }),
    isFile: true,
  }),
  shows: (file: string) => file.trimEnd(),
})

const head = clientCommand({
  command: 'head',
  says: 'show the last entry of the chain, to keep elsewhere for ledger check --audit-head',
  permission: 'operators.read',
  asks: () => get('/operator/audit/head'),
  shows: (last: Printed<typeof AuditHeadSchema>, pen) =>
    pen.pairs([
      ['Head', last.head],
      ['Chained', pen.momentOf(last.chainedAt)],
      ['Begins with', `${last.beginsWith}, ${pen.momentOf(last.beganAt)}`],
    ]),
})

const verify = clientCommand({
  command: 'verify',
  says: 'verify the whole hash chain; exit code 1 for differences',
  permission: 'operators.read',
  asks: () => ({ ...get('/operator/audit/verification'), isLong: true }),
  shows: ({ isIntact, head: last, entryNo, findings }: Printed<typeof AuditVerificationSchema>) => ({
    text: isIntact
      ? `The chain is intact: ${entryNo} entries. Head: ${last}`
      : findings.map(({ check, detail }) => `${check}: ${detail}`).join('\n'),
    ...(!isIntact && { exitCode: 1 }),
  }),
})

/** What operators did. */
export function addAuditCommands(program: Command, shell: Shell): void {
  const audit = program.command('audit').description('what operators did, before and after')
  for (const command of [list, show, exportAll, head, verify]) command.addTo(audit, shell)
}
