import {
  AuditActSchema,
  AuditExportQuery,
  AuditExportSchema,
  AuditHeadSchema,
  AuditListSchema,
  AuditParams,
  AuditQuery,
  AuditVerificationSchema,
  answers,
} from '@tollgate/contract'
import type { Static } from 'typebox'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import { sendRows } from '../../http/row-files.ts'
import { type ChainHead, printHead } from '../../platform/chain/index.ts'
import { momentOf } from '../../platform/moments.ts'
import { Refusal } from '../../platform/refusal.ts'
import { ACT_FILE } from './export.ts'
import type { AuditLog } from './log.ts'
import type { AuditFilter } from './model.ts'
import { presentAct } from './present.ts'

const operation = operatorOperationsOf('Audit log')

/** What operators did, for those who may read who the operators are. */
export function auditOperatorRoutes(app: App, log: AuditLog): void {
  app.get(
    '/operator/audit',
    operation('listAudit', 'operators.read', {
      summary: 'List what operators did, with what it changed before and after, the newest first',
      querystring: AuditQuery,
      response: { 200: AuditListSchema },
    }),
    ({ query }) =>
      answerPage(query, {
        place: NUMBER_PLACE,
        list: (page) => log.list(readFilter(query), page),
        placeOf: ({ recordNo }) => recordNo,
        present: presentAct,
      }),
  )
  app.get(
    '/operator/audit/:number',
    operation('readAuditAct', 'operators.read', {
      summary: 'Read one act with all that it changed',
      params: AuditParams,
      response: answers({ 200: AuditActSchema }, 410),
    }),
    async ({ params }) => {
      const act = await log.find(params.number)
      if (act !== undefined) return presentAct(act)
      throw new Refusal('ENTITY_NOT_FOUND', { message: `The audit log has no act ${params.number}.` })
    },
  )
  app.get(
    '/operator/audit/export',
    operation('exportAudit', 'operators.read', {
      summary: 'All acts that a list finds, as CSV or as a line of JSON each, the newest first',
      description: 'The last line is whole: what ends earlier was cut off.',
      querystring: AuditExportQuery,
      response: { 200: AuditExportSchema },
    }),
    async ({ query: { format = 'csv', ...query } }, reply) =>
      sendRows(reply, { name: 'audit', format, file: ACT_FILE, pages: log.stream(readFilter(query)) }),
  )
  chainRoutes(app, log)
}

function chainRoutes(app: App, log: AuditLog): void {
  app.get(
    '/operator/audit/head',
    operation('readAuditHead', 'operators.read', {
      summary:
        'The last entry of the chain over the audit log, to be kept elsewhere, and where the log begins',
      response: { 200: AuditHeadSchema },
    }),
    async () => {
      const { beginsWith, beganAt, ...head } = await log.head()
      return { ...presentHead(head), beginsWith, beganAt: beganAt.toISOString() }
    },
  )
  app.get(
    '/operator/audit/verification',
    operation('verifyAudit', 'operators.read', {
      summary: 'Follow the whole chain now, and compare it with the records',
      response: { 200: AuditVerificationSchema },
    }),
    async () => {
      const { head, findings, verifiedAt } = await log.verify()
      return {
        isIntact: findings.length === 0,
        ...presentHead(head),
        verifiedAt: verifiedAt.toISOString(),
        findings: findings.map((finding) => ({ ...finding })),
      }
    },
  )
}

const presentHead = (head: ChainHead & { readonly chainedAt: Date | undefined }) => ({
  head: printHead(head),
  entryNo: head.entryNo,
  chainHash: head.chainHash.toString('hex'),
  ...(head.chainedAt !== undefined && { chainedAt: head.chainedAt.toISOString() }),
})

type Query = Omit<Static<typeof AuditQuery>, 'cursor' | 'limit'>

const readFilter = ({ from, to, failed, ...rest }: Query): AuditFilter => ({
  operatorCode: rest.operatorCode,
  act: rest.act,
  subject: rest.subject,
  merchantCode: rest.merchantCode,
  from: momentOf('from', from),
  to: momentOf('to', to),
  isFailed: failed === 'true',
})
