import { randomIds } from '@tollgate/runtime'
import { findPolicy } from '../../modules/confirmations/index.ts'
import {
  type PayoutFile,
  type PayoutFileRouteDeps,
  presentDetail,
  presentFile,
  presentRun,
} from '../../modules/payout-files/index.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { secondPersonSettings } from '../../rooms/confirmations.ts'
import { buildPayoutFiles } from '../../rooms/payout-files.ts'
import { writeNew } from '../files.ts'
import { type House, inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'

const PERMISSION = 'payout-files.change'

/** Files of payouts and reports about them, under the policy of the running gateway. */
export async function payoutFilesOf(shell: Shell, house: House): Promise<PayoutFileRouteDeps> {
  const parts = { ...house, clock: shell.clock, ids: randomIds, metrics: createMetrics() }
  return buildPayoutFiles(parts, await findPolicy(house.db, secondPersonSettings(house.config)))
}

/** `tollgate payout-files create`. */
export function create(
  shell: Shell,
  wish: { readonly currency: string | undefined },
  options: OperatorOptions,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: PERMISSION,
    work: async (house, operator) => {
      const { files, merchantCodeOf } = await payoutFilesOf(shell, house)
      const run = await files.create({ currencyCode: wish.currency, actor: `operator:${operator.code}` })
      const json = await presentRun(run, merchantCodeOf)
      const codes = await Promise.all(run.leftOut.map(({ merchantId }) => merchantCodeOf(merchantId)))
      return {
        json,
        text: fileTable(run.files, 'Nothing waits for a file.'),
        notes: run.leftOut.map(
          ({ kind, idPayment, why }, index) =>
            `Left out: ${kind.toLowerCase()} ${idPayment} of ${codes[index] ?? ''}. ${why}`,
        ),
      }
    },
  })
}

/** `tollgate payout-files list`. */
export function list(shell: Shell, wish: { readonly limit: number }): Promise<Report> {
  return inHouse(shell, async (house) => {
    const found = await (await payoutFilesOf(shell, house)).files.list({
      after: undefined,
      limit: wish.limit,
    })
    const files = found.map(({ file }) => file)
    return { json: files.map(presentFile), text: fileTable(files, 'No file.') }
  })
}

/** `tollgate payout-files show`. */
export function show(shell: Shell, fileId: string): Promise<Report> {
  return inHouse(shell, async (house) => showIn(await payoutFilesOf(shell, house), fileId))
}

async function showIn({ files, merchantCodeOf }: PayoutFileRouteDeps, fileId: string): Promise<Report> {
  const detail = await files.show(fileId)
  const codes = await Promise.all(detail.payments.map(({ merchantId }) => merchantCodeOf(merchantId)))
  const { file } = detail
  const facts = pairs([
    ['File', file.fileId],
    ['Account', file.accountCode],
    ['Payments', `${String(file.paymentCount)}, ${file.controlSum.amount} ${file.controlSum.currencyCode}`],
    ['To be moved', file.executionOn],
    ['Made', `${moment(file.createdAt)} by ${file.createdBy}`],
    ['Submitted', file.submittedAt === undefined ? 'not said' : moment(file.submittedAt)],
    ['Folder', FOLDER_TEXTS[file.folder]],
    ['SHA-256', file.contentHash],
  ])
  const payments = table(
    ['NO', 'MERCHANT', 'KIND', 'ID', 'REFERENCE', 'MONEY'],
    detail.payments.map(({ position, kind, idPayment, reference, money }, index) => [
      String(position),
      codes[index] ?? '',
      kind,
      idPayment,
      reference,
      `${money.amount} ${money.currencyCode}`,
    ]),
    'No payment.',
  )
  return { json: await presentDetail(detail, merchantCodeOf), text: `${facts}\n\n${payments}` }
}

/** `tollgate payout-files fetch`. The bytes go out as they are. */
export function fetch(
  shell: Shell,
  wish: { readonly file: string; readonly out: string | undefined },
  options: OperatorOptions,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: PERMISSION,
    work: async (house, operator) => {
      const { files } = await payoutFilesOf(shell, house)
      const { name, bytes, sha256 } = await files.fetch(wish.file, `operator:${operator.code}`)
      if (wish.out === undefined)
        return {
          json: { name, sha256, content: bytes.toString('utf8') },
          text: bytes.toString('utf8').trimEnd(),
        }
      writeNew(wish.out, bytes)
      return { json: { name, sha256, path: wish.out }, text: `${wish.out} has the file ${wish.file}.` }
    },
  })
}

/** `tollgate payout-files submitted`. */
export function submitted(shell: Shell, fileId: string, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: PERMISSION,
    work: async (house, operator) => {
      const needs = await payoutFilesOf(shell, house)
      const isNews = await needs.files.markSubmitted(fileId, `operator:${operator.code}`)
      const report = await showIn(needs, fileId)
      return {
        json: report.json,
        text: `The bank has ${fileId}.`,
        notes: isNews ? [] : ['That was noted before.'],
      }
    },
  })
}

const FOLDER_TEXTS: Readonly<Record<PayoutFile['folder'], string>> = {
  NONE: 'not laid into a folder',
  LAYING: 'was begun to be laid into the folder: look whether it is there, or fetch it',
  LAID: 'laid into the folder',
}

function fileTable(files: readonly PayoutFile[], whenEmpty: string): string {
  return table(
    ['FILE', 'ACCOUNT', 'PAYMENTS', 'SUM', 'MADE', 'BY', 'SUBMITTED', 'FOLDER'],
    files.map((file) => [
      file.fileId,
      file.accountCode,
      String(file.paymentCount),
      `${file.controlSum.amount} ${file.controlSum.currencyCode}`,
      moment(file.createdAt),
      file.createdBy,
      file.submittedAt === undefined ? '' : moment(file.submittedAt),
      file.folder === 'NONE' ? '' : file.folder,
    ]),
    whenEmpty,
  )
}
