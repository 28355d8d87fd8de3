import type {
  Printed,
  StatementFileListSchema,
  StatementLineListSchema,
  StatementLineSchema,
  StatementsMatchedSchema,
  StatementTakenSchema,
  WaitingSchema,
} from '@tollgate/contract'
import {
  STATEMENT_FILE_BYTES_MAX,
  STATEMENT_LINE_DECISIONS,
  STATEMENT_LINE_STATES,
} from '@tollgate/contract/words'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { readTextOrInput } from '../files.ts'
import { get, type OperatorOptions, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { idPayment, oneOf, reason } from '../values.ts'
import { bankFile, waitingText } from './bank-documents.ts'
import { FAILED_STATEMENTS } from './failed-documents.ts'
import { LIMIT } from './options.ts'

const SHOWN_CHARACTERS_MAX = 40
const MIB = 1_048_576
const FILES = '/operator/statements'
const LINES = '/operator/statement-lines'

type Taken = Printed<typeof StatementTakenSchema>
type Line = Printed<typeof StatementLineListSchema>['data'][number]
type Report = Printed<typeof StatementLineSchema>
type Waiting = Printed<typeof WaitingSchema>

interface ImportOptions extends OperatorOptions {
  readonly mapping?: string
  readonly strict?: true
  readonly account?: string
  readonly encoding?: string
}

const importFile = clientCommand({
  command: 'import <file>',
  says: 'import a bank’s file: camt.053, camt.054, MT940, or CSV with a mapping; - is standard input',
  options: [
    { flags: '--mapping <file>', says: 'JSON file that maps the columns of a CSV file' },
    { flags: '--account <account>', says: 'your account, for statements that name none of yours' },
    {
      flags: '--encoding <name>',
      says: 'encoding of a file that does not name its own: cp850, windows-1250, …',
    },
    { flags: '--strict', says: 'refuse a file if its sums do not agree' },
  ],
  permission: 'statements.take',
  isByName: true,
  async asks(typed, { mapping, strict, account, encoding }: ImportOptions, shell) {
    const { name, bytes } = await bankFile(shell, typed.file)
    requireTakeable(name, bytes)
    return {
      method: 'POST',
      path: FILES,
      query: {
        fileName: name,
        account,
        encoding,
        strict,
        mapping: mapping === undefined ? undefined : await readTextOrInput(shell, mapping),
      },
      file: bytes,
      fileName: name,
    }
  },
  shows(taken: Taken | Waiting, pen) {
    if ('waiting' in taken) return waitingText(taken, pen)
    return {
      text:
        taken.result === 'KNOWN'
          ? `This file was imported before, as file ${taken.fileId}; nothing was done.`
          : takenText(taken, pen),
      notes: taken.warnings,
    }
  },
})

function requireTakeable(name: string, bytes: Buffer): void {
  if (bytes.length <= STATEMENT_FILE_BYTES_MAX) return
  throw new CommandFailure(
    'REFUSED',
    `${name} has ${Math.ceil(bytes.length / MIB)} MiB; the limit is ${STATEMENT_FILE_BYTES_MAX / MIB} MiB. Export shorter periods, or use the folder of TOLLGATE_STATEMENTS_DIR.`,
  )
}

const takenText = ({ statements, looked, matched }: Taken, pen: Pen): string =>
  `${pen.table(
    ['STATEMENT', 'ACCOUNT', 'CURRENCY', 'NEW LINES', 'KNOWN', 'PENDING'],
    statements.map((each) => [
      each.label,
      each.accountCode,
      each.currencyCode,
      ...[each.lineCount, each.knownCount, each.pendingCount].map(String),
    ]),
    'No statements.',
  )}\n${matched} of ${looked} lines matched.`

interface ListOptions extends OperatorOptions {
  readonly files?: true
  readonly all?: true
  readonly state?: readonly string[]
  readonly limit: number
}

const list = clientCommand({
  command: 'list',
  says: 'list lines that wait for a decision, masked, the newest first',
  options: [
    {
      flags: '--state <state>',
      says: 'list lines in this state instead; may be repeated',
      read: lineState,
      isRepeated: true,
    },
    { flags: '--all', says: 'list lines in every state' },
    { flags: '--files', says: 'list imported files instead' },
    LIMIT,
  ],
  permission: 'statements.read',
  asks: (_typed, { files, all, state, limit }: ListOptions) =>
    files === true
      ? { method: 'GET', path: FILES, upTo: limit }
      : {
          method: 'GET',
          path: LINES,
          query: { states: (all === true ? STATEMENT_LINE_STATES : state)?.join(',') },
          upTo: limit,
        },
  shows: (
    answer: Printed<typeof StatementFileListSchema> | Printed<typeof StatementLineListSchema>,
    pen,
    _typed,
    { files },
  ) =>
    files === true
      ? fileTable(
          answer.data.filter((each) => 'fileId' in each),
          pen,
        )
      : lineTable(
          answer.data.filter((each) => 'lineId' in each),
          pen,
        ),
})

const fileTable = (files: Printed<typeof StatementFileListSchema>['data'], pen: Pen): string =>
  pen.table(
    ['FILE', 'NAME', 'FORMAT', 'ACCOUNTS', 'LINES', 'KNOWN', 'PENDING', 'BY', 'RECEIVED'],
    files.map((file) => [
      file.fileId,
      file.fileName,
      file.format,
      file.accountCodes.join(' '),
      ...[file.lineCount, file.knownCount, file.pendingCount].map(String),
      file.takenBy,
      pen.momentOf(file.receivedAt),
    ]),
    'No files.',
  )

const lineTable = (lines: readonly Line[], pen: Pen): string =>
  pen.table(
    ['LINE', 'BOOKED', 'ACCOUNT', 'MONEY', 'STATE', 'PAYMENT', 'FROM OR TO', 'TEXT'],
    lines.map((line) => [
      line.lineId,
      line.bookedOn,
      line.accountCode,
      signed(line, pen),
      line.state,
      paymentOf(line) ?? '',
      (line.party?.name ?? line.party?.accountNumber ?? '').slice(0, SHOWN_CHARACTERS_MAX),
      line.texts.join(' ').slice(0, SHOWN_CHARACTERS_MAX),
    ]),
    'No lines.',
  )

const signed = ({ direction, money }: Line, pen: Pen): string =>
  `${direction === 'CREDIT' ? '' : '-'}${pen.money(money)}`

const paymentOf = ({ payment }: Line): string | undefined =>
  payment && `${payment.kind} ${payment.idPayment} of ${payment.merchantCode}`

const MASKED = 'Names, accounts and texts are masked; --full shows them.'

interface ShowOptions extends OperatorOptions {
  readonly full?: true
}

const show = clientCommand({
  command: 'show <line>',
  says: 'show a line with its decisions and suggested payments',
  options: [
    {
      flags: '--full',
      says: 'show name, account and texts in full; needs statements.unmask and is recorded',
    },
  ],
  permission: 'statements.read',
  isByName: ({ full }: ShowOptions) => full === true,
  asks: ({ line }, { full }: ShowOptions) =>
    get(`${LINES}/${lineId(line)}${full === true ? '/details' : ''}`),
  shows: (report: Report, pen) => ({
    text: describeLine(report, pen),
    notes: [
      ...report.waiting.map(
        ({ confirmationId, title, proposedBy }) =>
          `Waits for a second operator as confirmation ${confirmationId}: ${title}, by ${proposedBy}.`,
      ),
      ...(report.isMasked ? [MASKED] : []),
    ],
  }),
})

const match = clientCommand({
  command: 'match',
  says: 'match new lines; the worker does so by itself',
  permission: 'statements.take',
  asks: () => post(`${LINES}/!match`),
  shows: ({ looked, matched }: Printed<typeof StatementsMatchedSchema>) =>
    `${matched} of ${looked} lines matched.`,
})

const DECISIONS = STATEMENT_LINE_DECISIONS.map((decision) => decision.toLowerCase().replace('_', '-'))
const KINDS = ['PAYIN', 'TOPUP'] as const

interface DecideOptions extends OperatorOptions {
  readonly reason: string
  readonly merchant?: string
  readonly kind?: string
  readonly payment?: string
  readonly with?: readonly string[]
}

const decide = clientCommand({
  command: 'decide <line> <decision>',
  says: `decide about a line that waits: ${DECISIONS.join(', ')}`,
  options: [
    { flags: '--reason <text>', says: 'for the record', read: reason, isRequired: true },
    { flags: '--merchant <code>', says: 'with --payment: merchant of the payment' },
    {
      flags: '--kind <kind>',
      says: 'with --payment: payin (the default) or topup',
      read: oneOf('--kind', KINDS),
    },
    {
      flags: '--payment <id>',
      says: 'payment, if the line does not name it',
      read: idPayment,
    },
    {
      flags: '--with <line>',
      says: 'another line that makes up the payment together with this one; may be repeated',
      read: lineId,
      isRepeated: true,
    },
  ],
  permission: 'statements.decide',
  isByName: true,
  asks: (typed, options: DecideOptions) =>
    post(`${LINES}/${lineId(typed.line)}/!decide`, {
      decision: oneOf('<decision>', DECISIONS)(typed.decision).toUpperCase().replace('-', '_'),
      reason: options.reason,
      payment: paymentNamed(options),
      withLineIds: options.with,
    }),
  shows: (answer: Report | Waiting, pen) =>
    'lineId' in answer ? describeLine(answer, pen) : waitingText(answer, pen),
})

function paymentNamed({ merchant, kind = 'PAYIN', payment }: DecideOptions) {
  if (payment === undefined && merchant === undefined) return undefined
  if (payment === undefined || merchant === undefined)
    throw new CommandFailure('USAGE', '--payment and --merchant go together.')
  return { merchantCode: merchant, kind, idPayment: payment }
}

function describeLine(line: Report, pen: Pen): string {
  const decided = line.decisions.map(
    ({ decision, decidedBy, confirmedBy, reason: why, decidedAt }) =>
      `${pen.momentOf(decidedAt)}  ${decision} by ${[decidedBy, confirmedBy].filter(Boolean).join(' and ')}: ${why}`,
  )
  const suggested = line.suggestions.map(
    ({ payment, status, money, score, reasons }) =>
      `${pen.amount(score)}  ${payment.kind} ${payment.idPayment} of ${payment.merchantCode}, ${pen.money(money)}, ${status}: ${reasons.join('; ')}`,
  )
  return [
    factsOf(line, pen),
    ...(decided.length === 0 ? [] : [`Decisions\n${decided.join('\n')}`]),
    ...(suggested.length === 0 ? [] : [`Suggested payments\n${suggested.join('\n')}`]),
  ].join('\n\n')
}

function factsOf(line: Report, pen: Pen): string {
  const { name, accountNumber, bankCode } = line.party ?? {}
  return pen.pairs([
    ['Line', `${line.lineId} of ${line.accountCode}, booked on ${line.bookedOn}`],
    ['Money', signed(line, pen)],
    ['In suspense', line.openMoney && pen.money(line.openMoney)],
    ['Charges', line.charges && pen.money(line.charges)],
    ['State', line.state],
    ['Because', joined(line.reasons, '; ')],
    ['Payment', paymentOf(line)],
    ['From or to', joined([name, accountNumber, bankCode], ', ')],
    ['Text', joined(line.texts, ' | ')],
    ['References', joined(line.references, ' | ')],
    ['Bank reference', line.bankReference],
    ['Return under', line.returnReference],
  ])
}

/** What there is of them; undefined for nothing. */
const joined = (texts: readonly (string | undefined)[], between: string): string | undefined =>
  texts.filter(Boolean).join(between) || undefined

/** Statements of banks: what came, what went, and whose it is. */
export function addStatementCommands(program: Command, shell: Shell): void {
  const statements = program.command('statements').description('bank statements and their lines')
  for (const command of [importFile, list, show, match, decide, ...FAILED_STATEMENTS])
    command.addTo(statements, shell)
}

function lineState(text: string): string {
  return oneOf('--state', STATEMENT_LINE_STATES)(text.replaceAll('-', '_'))
}

function lineId(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A statement line has a number; \`tollgate statements list\` shows them. This is ${JSON.stringify(text)}.`,
  )
}
