import {
  answers,
  PAGE_LIMIT_DEFAULT,
  PayoutFileByHandSchema,
  PayoutFileContentSchema,
  PayoutFileCreateSchema,
  PayoutFileDetailSchema,
  PayoutFileListSchema,
  PayoutFileParams,
  PayoutFilesQuery,
  PayoutReportContentSchema,
  PayoutReportDetailSchema,
  PayoutReportListSchema,
  PayoutReportParams,
  PayoutReportQuery,
  PayoutReportsQuery,
  PayoutReportTakeQuery,
  PayoutRunSchema,
  WaitingSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { FILE_TYPES, fileOf } from '../../http/operator-files.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import { presentWaiting } from '../confirmations/index.ts'
import { PayoutFileProblem } from './errors.ts'
import { REPORT_BYTES_MAX } from './model.ts'
import {
  nextAfter,
  presentDetail,
  presentFile,
  presentReport,
  presentReportView,
  presentRun,
} from './present.ts'
import type { PayoutReportActs } from './report-acts.ts'
import type { PayoutReportService } from './reports.ts'
import type { PayoutFileService } from './service.ts'

const operation = operatorOperationsOf('Payout files')

export interface PayoutFileRouteDeps {
  readonly files: PayoutFileService
  readonly reports: PayoutReportService
  readonly acts: PayoutReportActs
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

/** Files of payouts, and what banks report about them. */
export function payoutFileOperatorRoutes(app: App, deps: PayoutFileRouteDeps): void {
  listRoutes(app, deps)
  fileRoutes(app, deps)
  handlingRoutes(app, deps)
  channelRoutes(app, deps)
  reportRoutes(app, deps)
}

const actorOf = (request: Parameters<typeof operatorOf>[0]): string => `operator:${operatorOf(request).code}`

const limitOf = (limit: string | undefined): number =>
  limit === undefined ? PAGE_LIMIT_DEFAULT : Number(limit)

function listRoutes(app: App, { files, reports }: PayoutFileRouteDeps): void {
  app.get(
    '/operator/payout-files',
    operation('listPayoutFiles', 'payout-files.read', {
      summary: 'List files of payouts, the newest first',
      querystring: PayoutFilesQuery,
      response: { 200: PayoutFileListSchema },
    }),
    async (request) => {
      const limit = limitOf(request.query.limit)
      const found = await files.list({ after: readAfter(request.query.cursor), limit: limit + 1 })
      const page = found.slice(0, limit)
      return {
        data: page.map(({ file }) => presentFile(file)),
        ...nextAfter(found.length > limit ? page.at(-1)?.fileNo : undefined),
      }
    },
  )
  app.get(
    '/operator/payout-reports',
    operation('listPayoutReports', 'payout-files.read', {
      summary: 'List the banks’ status reports, the newest first',
      querystring: PayoutReportsQuery,
      response: { 200: PayoutReportListSchema },
    }),
    async (request) => {
      const { aside, cursor, limit: asked } = request.query
      const limit = limitOf(asked)
      const query = { after: readAfter(cursor), hasAside: aside !== undefined, limit: limit + 1 }
      const found = await reports.list(query)
      const page = found.slice(0, limit)
      return {
        data: page.map(presentReport),
        ...nextAfter(found.length > limit ? page.at(-1)?.reportId : undefined),
      }
    },
  )
}

function readAfter(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const place = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!/^\d{1,18}$/.test(place)) throw invalidField('cursor', 'is not a nextCursor of this list')
  return place
}

function fileRoutes(app: App, { files, merchantCodeOf }: PayoutFileRouteDeps): void {
  app.get(
    '/operator/payout-files/:fileId',
    operation('readPayoutFile', 'payout-files.read', {
      summary: 'Read what a file of payouts has in it',
      params: PayoutFileParams,
      response: answers({ 200: PayoutFileDetailSchema }, 410),
    }),
    async (request) => presentDetail(await orRefuse(files.show(request.params.fileId)), merchantCodeOf),
  )
  app.get(
    '/operator/payout-files/:fileId/content',
    operation('fetchPayoutFile', 'payout-files.change', {
      summary: 'Fetch the bytes of a file, for the bank; who has fetched them is noted',
      params: PayoutFileParams,
      response: answers({ 200: PayoutFileContentSchema }, 410),
    }),
    async (request) => {
      const { name, bytes, sha256 } = await orRefuse(
        files.fetch(request.params.fileId, operatorOf(request).code),
      )
      return { name, sha256, contentBase64: bytes.toString('base64') }
    },
  )
}

function handlingRoutes(app: App, { files, merchantCodeOf }: PayoutFileRouteDeps): void {
  app.post(
    '/operator/payout-files',
    operation('createPayoutFiles', 'payout-files.change', {
      summary: 'Collect the payouts that wait into files; each of them goes into one file',
      body: PayoutFileCreateSchema,
      response: answers({ 200: PayoutRunSchema }, 410),
    }),
    async (request) => {
      const order = { currencyCode: request.body.currencyCode, actor: actorOf(request) }
      return presentRun(await orRefuse(files.create(order)), merchantCodeOf)
    },
  )
  app.post(
    '/operator/payout-files/:fileId/!submitted',
    operation('markPayoutFileSubmitted', 'payout-files.change', {
      summary: 'Note that the bank has the file; saying it again changes nothing',
      params: PayoutFileParams,
      response: answers({ 200: PayoutFileDetailSchema }, 410),
    }),
    async (request) => {
      const { fileId } = request.params
      await orRefuse(files.markSubmitted(fileId, actorOf(request)))
      return presentDetail(await files.show(fileId), merchantCodeOf)
    },
  )
}

function channelRoutes(app: App, { files, merchantCodeOf }: PayoutFileRouteDeps): void {
  app.post(
    '/operator/payout-files/:fileId/!by-hand',
    operation(
      'takePayoutFileByHand',
      'payout-files.change',
      {
        summary: 'Take a file from its channel: a person carries it to the bank',
        description:
          'Not while the bank may be getting it. Where nobody can tell whether the bank has it (UNCLEAR), ask the bank first.',
        params: PayoutFileParams,
        body: PayoutFileByHandSchema,
        response: answers({ 200: PayoutFileDetailSchema }, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { fileId } = request.params
      const { reason } = request.body
      await orRefuse(files.takeByHand(fileId, { actor: actorOf(request), reason }))
      return presentDetail(await files.show(fileId), merchantCodeOf)
    },
  )
}

function reportRoutes(app: App, { reports, acts, merchantCodeOf }: PayoutFileRouteDeps): void {
  app.get(
    '/operator/payout-reports/:reportId',
    operation('readPayoutReport', 'payout-files.read', {
      summary: 'Read what a status report said, and what followed',
      params: PayoutReportParams,
      querystring: PayoutReportQuery,
      response: answers({ 200: PayoutReportDetailSchema }, 410),
    }),
    async ({ params: { reportId }, query: { cursor } }) => {
      const after = Number(readAfter(cursor) ?? 0)
      return presentReportView(await orRefuse(reports.show(reportId, after)), merchantCodeOf)
    },
  )
  app.get(
    '/operator/payout-reports/:reportId/content',
    operation('fetchPayoutReport', 'statements.unmask', {
      summary: 'Fetch the bytes of a status report as they came; who has read them is noted',
      params: PayoutReportParams,
      response: answers({ 200: PayoutReportContentSchema }, 410),
    }),
    async (request) => {
      const { code } = operatorOf(request)
      const { bytes, ...rest } = await orRefuse(reports.fetch(request.params.reportId, code))
      return { ...rest, contentBase64: bytes.toString('base64') }
    },
  )
  app.post(
    '/operator/payout-reports',
    {
      bodyLimit: REPORT_BYTES_MAX,
      ...operation('takePayoutReport', 'payout-files.change', {
        summary: 'Hand in a status report (pain.002) of a bank; the same bytes are taken once',
        description: `The body is the file itself, as ${FILE_TYPES.join(', ')}; in UTF-8, or as its mark or first line says. Where a second operator is needed, the answer is 202 and nothing has followed.`,
        querystring: PayoutReportTakeQuery,
        response: { 200: PayoutReportDetailSchema, 202: WaitingSchema },
      }),
    },
    async (request, reply) => {
      const { fileName } = request.query
      const given = { bytes: fileOf(request), fileName, actor: actorOf(request) }
      const taken = await orRefuse(acts.handIn(given))
      if (taken.kind === 'TAKEN') return presentReportView(taken, merchantCodeOf)
      reply.code(202)
      return presentWaiting(taken.act)
    },
  )
}

/** What cannot be done, as the answer that says so. */
async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof PayoutFileProblem)) throw error
    if (error.kind === 'NOT_FOUND') throw new Refusal('ENTITY_NOT_FOUND', { message: error.message })
    throw new Refusal('BODY_INVALID', { message: error.message })
  }
}
