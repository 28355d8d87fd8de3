import { basename } from 'node:path'
import { randomIds } from '@tollgate/runtime'
import { findPolicy } from '../../modules/confirmations/index.ts'
import { createMerchantDirectory, findMerchantCode } from '../../modules/merchants/index.ts'
import { findOwnOpenFile } from '../../modules/payout-files/index.ts'
import {
  createStatementActs,
  createStatementService,
  FileProblem,
  LINE_STATES,
  type LineDecision,
  type LineReport,
  type LineView,
  presentFile,
  presentLine,
  presentReport,
  presentTaken,
  readCsvMapping,
  referencesOf,
  type StatementActs,
  type StatementFile,
  StatementProblem,
  type StatementService,
  WAITING_STATES,
} from '../../modules/statements/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { buildSecondPerson, secondPersonSettings } from '../../rooms/confirmations.ts'
import { CommandFailure } from '../failure.ts'
import { readFileBytes } from '../files.ts'
import { type House, inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { waitingReport } from '../waiting.ts'
import { servicePayments } from './payments.ts'

interface Statements {
  readonly service: StatementService
  readonly acts: StatementActs
}

/** What is done with statements, under the policy of the running gateway. */
export async function statementsOf(shell: Shell, house: House): Promise<Statements> {
  const changes = watchConfiguration({ ...house, clock: shell.clock })
  const merchants = createMerchantDirectory({ ...house, changes })
  const needs = {
    ...{ ...house, clock: shell.clock, ids: randomIds, payments: servicePayments(shell, house) },
    merchantIdOf: async (merchantCode: string) => (await merchants.find(merchantCode))?.merchantId,
    merchantCodeOf: (merchantId: string) => findMerchantCode(house.db, merchantId),
  }
  const service = createStatementService(needs)
  const policy = await findPolicy(house.db, secondPersonSettings(house.config))
  const acts = createStatementActs({
    ...{ ...needs, statements: service, findOwnPayoutFile: findOwnOpenFile },
    secondPerson: buildSecondPerson(house, policy),
  })
  return { service, acts }
}

const KINDS = { NOT_FOUND: 'NOT_FOUND', CONFLICT: 'CONFLICT', WAITS: 'CONFLICT', INVALID: 'USAGE' } as const

/** A problem as a sentence with its exit code. */
async function spoken<Result>(work: Promise<Result>, file?: string): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FileProblem)
      throw new CommandFailure('REFUSED', `${file === undefined ? '' : `${file}: `}${error.message}`)
    if (error instanceof StatementProblem) throw new CommandFailure(KINDS[error.kind], error.message)
    throw error
  }
}

interface ImportWish {
  readonly file: string
  readonly mapping?: string
  readonly strict?: true
  readonly account?: string
  readonly encoding?: string
}

/** `tollgate statements import`. */
export function importStatement(shell: Shell, wish: ImportWish, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'statements.take',
    work: async (house, operator) => {
      const bytes = readFileBytes(wish.file)
      const taken = await spoken(
        (async () =>
          (await statementsOf(shell, house)).acts.handIn({
            ...{ fileName: basename(wish.file), bytes, actor: `operator:${operator.code}` },
            mapping:
              wish.mapping === undefined
                ? undefined
                : readCsvMapping(readFileBytes(wish.mapping).toString('utf8')),
            isStrict: wish.strict === true,
            accountCode: wish.account,
            encoding: wish.encoding,
          }))(),
        wish.file,
      )
      if (taken.kind === 'WAITING') return waitingReport(taken.act)
      const { kind, fileId, statements, warnings, matched } = taken
      return {
        json: presentTaken(taken),
        text:
          kind === 'KNOWN'
            ? `This very file was taken before, as file ${fileId}; nothing was done.`
            : `${table(
                ['STATEMENT', 'ACCOUNT', 'CURRENCY', 'NEW LINES', 'KNOWN', 'PENDING'],
                statements.map((each) => [
                  ...[each.label, each.accountCode, each.currencyCode],
                  ...[each.lineCount, each.knownCount, each.pendingCount].map(String),
                ]),
                'No statement.',
              )}\n${matched.matched} of ${matched.lines} lines are the money of a payment for certain.`,
        notes: warnings,
      }
    },
  })
}

/** `tollgate statements match`. */
export function match(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { lines, matched } = await (await statementsOf(shell, house)).service.match()
    return {
      json: { looked: lines, matched },
      text: `${lines} lines were looked at; ${matched} are the money of a payment for certain.`,
    }
  })
}

interface ListWish {
  readonly files?: true
  readonly all?: true
  readonly state?: readonly string[]
  readonly limit: number
}

/** `tollgate statements list`. */
export function list(shell: Shell, wish: ListWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { service } = await statementsOf(shell, house)
    const page = { before: undefined, limit: wish.limit }
    if (wish.files === true) {
      const files = await service.listFiles(page)
      return { json: files.map(presentFile), text: fileTable(files) }
    }
    const lines = await service.listLines({ ...page, states: statesOf(wish) })
    return { json: lines.map(presentLine), text: lineTable(lines) }
  })
}

function statesOf({ all, state }: ListWish) {
  if (all === true) return LINE_STATES
  if (state === undefined) return WAITING_STATES
  return state.map((text) => {
    const known = LINE_STATES.find((each) => each === text.toUpperCase().replaceAll('-', '_'))
    if (known !== undefined) return known
    throw new CommandFailure(
      'USAGE',
      `--state must be one of ${LINE_STATES.join(', ')}; it is ${JSON.stringify(text)}.`,
    )
  })
}

function fileTable(files: readonly StatementFile[]): string {
  return table(
    ['FILE', 'NAME', 'FORMAT', 'ACCOUNTS', 'LINES', 'KNOWN', 'PENDING', 'BY', 'RECEIVED'],
    files.map((file) => [
      ...[file.fileId, file.fileName, file.format, file.accountCodes.join(' ')],
      ...[file.lineCount, file.knownCount, file.pendingCount].map(String),
      ...[file.actor, moment(file.receivedAt)],
    ]),
    'No file.',
  )
}

const signed = ({ direction, amount, currencyCode }: LineView): string =>
  `${direction === 'CREDIT' ? '' : '-'}${amount} ${currencyCode}`

const paymentText = ({ named }: LineView): string =>
  named === undefined ? '' : `${named.kind} ${named.idPayment} of ${named.merchantCode}`

const SHOWN_CHARACTERS_MAX = 40

function lineTable(lines: readonly LineView[]): string {
  return table(
    ['LINE', 'BOOKED', 'ACCOUNT', 'MONEY', 'STATE', 'PAYMENT', 'FROM OR TO', 'TEXT'],
    lines.map((line) => [
      ...[line.lineId, line.bookedOn, line.accountCode, signed(line), line.state, paymentText(line)],
      (line.details.partyName ?? line.details.partyAccount ?? '').slice(0, SHOWN_CHARACTERS_MAX),
      (line.details.texts ?? []).join(' ').slice(0, SHOWN_CHARACTERS_MAX),
    ]),
    'No line.',
  )
}

const MASKED = 'Names, accounts and texts are masked; with --full, who decides reads them.'

/** `tollgate statements show`. */
export function show(shell: Shell, lineId: string): Promise<Report> {
  return inHouse(shell, async (house) => {
    const statements = await statementsOf(shell, house)
    const shown = await reportOf(statements, lineId, await spoken(statements.service.show(lineId)))
    return { ...shown, notes: [...(shown.notes ?? []), MASKED] }
  })
}

/** `tollgate statements show --full`. */
export function showInFull(shell: Shell, lineId: string, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'statements.unmask',
    work: async (house, { code: operatorCode }) => {
      const statements = await statementsOf(shell, house)
      const report = await spoken(statements.service.showInFull({ lineId, operatorCode }))
      return reportOf(statements, lineId, report)
    },
  })
}

async function reportOf({ acts }: Statements, lineId: string, report: LineReport): Promise<Report> {
  const waiting = await acts.listWaiting(lineId)
  return {
    json: presentReport(report, waiting),
    text: describe(report),
    notes: waiting.map(
      ({ confirmationId, title, actor }) =>
        `Waits for a second operator as confirmation ${confirmationId}: ${title}, by ${actor}.`,
    ),
  }
}

function describe(report: LineReport): string {
  const { details, currencyCode, openAmount, charge } = report
  const facts = pairs([
    ['Line', `${report.lineId} of ${report.accountCode}, booked on ${report.bookedOn}`],
    ['Money', signed(report)],
    ['In suspense', openAmount === '0' ? undefined : `${openAmount} ${currencyCode}`],
    ['Charges', charge && `${charge} ${currencyCode}`],
    ['State', report.state],
    ['Because', report.reasons.join('; ') || undefined],
    ['Payment', paymentText(report) || undefined],
    [
      'From or to',
      [details.partyName, details.partyAccount, details.partyBank].filter(Boolean).join(', ') || undefined,
    ],
    ['Text', details.texts?.join(' | ')],
    ['References', referencesOf(report).join(' | ') || undefined],
    ['Bank reference', report.bankReference],
    ['Return under', report.returnReference],
  ])
  const decided = report.decisions.map(
    ({ decision, actor, confirmedBy, reason, decidedAt }) =>
      `${moment(decidedAt)}  ${decision} by ${[actor, confirmedBy].filter(Boolean).join(' and ')}: ${reason}`,
  )
  const suggested = report.suggestions.map(
    ({ named, status, money, score, reasons }) =>
      `${score}  ${named.kind} ${named.idPayment} of ${named.merchantCode}, ${money.amount} ${money.currencyCode}, ${status}: ${reasons.join('; ')}`,
  )
  return [
    facts,
    ...(decided.length === 0 ? [] : [`Decisions\n${decided.join('\n')}`]),
    ...(suggested.length === 0 ? [] : [`It may be for\n${suggested.join('\n')}`]),
  ].join('\n\n')
}

interface DecideWish {
  readonly lineId: string
  readonly decision: string
  readonly reason: string
  readonly withLineIds: readonly string[]
  readonly payment:
    | { readonly merchantCode: string; readonly kind: string; readonly idPayment: string }
    | undefined
}

const DECISIONS: Readonly<Record<string, LineDecision>> = {
  accept: 'ACCEPT',
  cover: 'COVER',
  'same-money': 'SAME_MONEY',
  return: 'RETURN',
  returned: 'RETURNED',
  note: 'NOTE',
}

/** `tollgate statements decide`. */
export function decide(shell: Shell, wish: DecideWish, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'statements.decide',
    work: async (house, operator) => {
      const decision = DECISIONS[wish.decision]
      if (decision === undefined) throw new CommandFailure('USAGE', `There is no decision ${wish.decision}.`)
      const { acts } = await statementsOf(shell, house)
      const decided = await spoken(acts.propose({ ...wish, decision, operatorCode: operator.code }))
      if (decided.kind === 'WAITING') return waitingReport(decided.act)
      return { json: presentReport(decided, []), text: describe(decided) }
    },
  })
}
