import {
  answers,
  PAGE_LIMIT_DEFAULT,
  StatementFileListSchema,
  StatementFilesQuery,
  StatementLineDecideSchema,
  StatementLineListSchema,
  StatementLineParams,
  StatementLineSchema,
  StatementLinesQuery,
  StatementsMatchedSchema,
  StatementTakenSchema,
  StatementTakeQuery,
  WaitingSchema,
} from '@tollgate/contract'
import { STATEMENT_FILE_BYTES_MAX, STATEMENT_LINE_STATES } from '@tollgate/contract/words'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { FILE_TYPES, fileOf } from '../../http/operator-files.ts'
import { dayOf } from '../../platform/moments.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import { presentWaiting } from '../confirmations/index.ts'
import { FileProblem, StatementProblem } from './errors.ts'
import { readCsvMapping } from './formats/csv-mapping.ts'
import { type LinesQuery, WAITING_STATES } from './model.ts'
import type { StatementActs } from './people/acts.ts'
import { presentFile, presentLine, presentReport, presentTaken } from './present.ts'
import type { LineReport, StatementService } from './service.ts'

type LinesFilters = Omit<LinesQuery, 'states' | 'before' | 'limit'>

interface StatementRouteDeps {
  readonly service: StatementService
  readonly acts: StatementActs
}

const operation = operatorOperationsOf('Statements')

/** Statements for operators: handing them in, looking at lines, deciding. */
export function statementOperatorRoutes(app: App, { service: statements, acts }: StatementRouteDeps): void {
  takeRoute(app, acts)
  fileRoute(app, statements)
  lineRoutes(app, { statements, acts })
  fullLineRoute(app, { statements, acts })
  matchRoute(app, statements)
  decideRoute(app, acts)
}

function takeRoute(app: App, acts: StatementActs): void {
  app.post(
    '/operator/statements',
    {
      bodyLimit: STATEMENT_FILE_BYTES_MAX,
      ...operation('takeStatement', 'statements.take', {
        summary: 'Hand in a file of a bank: camt.053, camt.054, MT940 or CSV',
        description: `The body is the file itself, as ${FILE_TYPES.join(', ')}. It is taken as a whole or not at all; where a second operator is needed, the answer is 202 and nothing has followed.`,
        querystring: StatementTakeQuery,
        response: answers({ 200: StatementTakenSchema, 202: WaitingSchema }, 409),
      }),
    },
    (request, reply) =>
      spoken(async () => {
        const { fileName, mapping, strict, account, encoding } = request.query
        const taken = await acts.handIn({
          fileName,
          bytes: fileOf(request),
          mapping: mapping === undefined ? undefined : readCsvMapping(mapping),
          actor: `operator:${operatorOf(request).code}`,
          isStrict: strict === 'true',
          accountCode: account,
          encoding,
        })
        if (taken.kind !== 'WAITING') return presentTaken(taken)
        reply.code(202)
        return presentWaiting(taken.act)
      }),
  )
}

function fileRoute(app: App, statements: StatementService): void {
  app.get(
    '/operator/statements',
    operation('listStatementFiles', 'statements.read', {
      summary: 'List the files that were taken, the newest first',
      querystring: StatementFilesQuery,
      response: { 200: StatementFileListSchema },
    }),
    async (request) => {
      const limit = limitOf(request.query)
      const files = await statements.listFiles({ before: placeOf(request.query), limit: limit + 1 })
      const shown = files.slice(0, limit)
      return { data: shown.map(presentFile), ...nextAfter(files.length > limit, shown.at(-1)?.fileId) }
    },
  )
}

function lineRoutes(
  app: App,
  { statements, acts }: { readonly statements: StatementService; readonly acts: StatementActs },
): void {
  app.get(
    '/operator/statement-lines',
    operation('listStatementLines', 'statements.read', {
      summary: 'List lines of statements, the newest first; names, accounts and texts are masked',
      querystring: StatementLinesQuery,
      response: { 200: StatementLineListSchema },
    }),
    async (request) => {
      const limit = limitOf(request.query)
      const wanted = request.query.states?.split(',')
      const states =
        wanted === undefined
          ? WAITING_STATES
          : STATEMENT_LINE_STATES.filter((state) => wanted.includes(state))
      const page = { before: placeOf(request.query), limit: limit + 1 }
      const lines = await statements.listLines({ states, ...page, ...filtersOf(request.query) })
      const shown = lines.slice(0, limit)
      return { data: shown.map(presentLine), ...nextAfter(lines.length > limit, shown.at(-1)?.lineId) }
    },
  )
  app.get(
    '/operator/statement-lines/:lineId',
    operation('readStatementLine', 'statements.read', {
      summary: 'A line, masked, with what was decided about it and the payments that it may be for',
      params: StatementLineParams,
      response: answers({ 200: StatementLineSchema }, 410),
    }),
    (request) =>
      spoken(async () => {
        const report = await statements.show(request.params.lineId)
        return presentWhole(acts, report, operatorOf(request).code)
      }),
  )
}

async function presentWhole(acts: StatementActs, report: LineReport, operatorCode: string) {
  const [waiting, choices] = await Promise.all([
    acts.listWaiting(report.lineId),
    acts.listChoices(report, operatorCode),
  ])
  return presentReport(report, waiting, choices)
}

const DAYS = ['bookedFrom', 'bookedTo'] as const

function filtersOf(query: LinesFilters): LinesFilters {
  for (const name of DAYS) dayOf(name, query[name])
  const { accountCode, currencyCode, bookedFrom, bookedTo } = query
  return { accountCode, currencyCode, bookedFrom, bookedTo }
}

/** Apart from the other reading: who may look at lines need not know who pays whom. */
function fullLineRoute(
  app: App,
  { statements, acts }: { readonly statements: StatementService; readonly acts: StatementActs },
): void {
  app.get(
    '/operator/statement-lines/:lineId/details',
    operation('readStatementLineDetails', 'statements.unmask', {
      summary: 'The same with name, account, references and texts in full; who has read it is noted',
      params: StatementLineParams,
      response: answers({ 200: StatementLineSchema }, 410),
    }),
    (request) =>
      spoken(async () => {
        const { lineId } = request.params
        const { code: operatorCode } = operatorOf(request)
        return presentWhole(acts, await statements.showInFull({ lineId, operatorCode }), operatorCode)
      }),
  )
}

function matchRoute(app: App, statements: StatementService): void {
  app.post(
    '/operator/statement-lines/!match',
    operation('matchStatementLines', 'statements.take', {
      summary: 'Match the lines that were not matched yet, as the worker does by itself',
      response: { 200: StatementsMatchedSchema },
    }),
    async () => {
      const { lines, matched } = await statements.match()
      return { looked: lines, matched }
    },
  )
}

function decideRoute(app: App, acts: StatementActs): void {
  app.post(
    '/operator/statement-lines/:lineId/!decide',
    operation('decideStatementLine', 'statements.decide', {
      summary: 'Decide about unmatched money; ACCEPT, COVER and NOTE may wait (202)',
      params: StatementLineParams,
      body: StatementLineDecideSchema,
      response: answers({ 200: StatementLineSchema, 202: WaitingSchema }, 409, 410),
    }),
    (request, reply) =>
      spoken(async () => {
        const { decision, reason, payment, withLineIds } = request.body
        const { lineId } = request.params
        const operatorCode = operatorOf(request).code
        const wish = { lineId, decision, reason, payment, withLineIds, operatorCode }
        const decided = await acts.propose(wish)
        if (decided.kind === 'DECIDED')
          return presentReport(decided, [], await acts.listChoices(decided, operatorCode))
        reply.code(202)
        return presentWaiting(decided.act)
      }),
  )
}

/** Problems as refusals of the API. */
async function spoken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StatementProblem)) throw error
    if (error instanceof FileProblem) throw new Refusal('BODY_INVALID', { message: error.message })
    if (error.kind === 'NOT_FOUND') throw new Refusal('ENTITY_NOT_FOUND', { message: error.message })
    if (error.kind === 'WAITS') throw new Refusal('CONFIRMATION_NOT_OPEN', { message: error.message })
    if (error.kind === 'CONFLICT') throw new Refusal('STATEMENT_LINE_NOT_OPEN', { message: error.message })
    throw invalidField(error.field, error.message)
  }
}

const limitOf = ({ limit }: { readonly limit?: string }): number =>
  limit === undefined ? PAGE_LIMIT_DEFAULT : Number(limit)

const PLACE = /^\d{1,18}$/

/** Reads a cursor of ours; throws the 400 for anything else. */
function placeOf({ cursor }: { readonly cursor?: string }): string | undefined {
  if (cursor === undefined) return undefined
  const place = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!PLACE.test(place)) throw invalidField('cursor', 'is not a nextCursor of this list')
  return place
}

const nextAfter = (hasMore: boolean, last: string | undefined): { readonly nextCursor?: string } =>
  hasMore && last !== undefined ? { nextCursor: Buffer.from(last).toString('base64url') } : {}
