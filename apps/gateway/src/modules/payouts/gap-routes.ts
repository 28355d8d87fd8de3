import {
  type Answer,
  answers,
  GapCloseSchema,
  GapIdsQuery,
  GapIdsSchema,
  GapOpenedSchema,
  GapOpenSchema,
  GapProposeSchema,
  GapWaiveSchema,
  ID_PATTERN,
  RestoreGapSchema,
} from '@tollgate/contract'
import { parsePlainAmount } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { fileOf } from '../../http/operator-files.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import { presentMoney } from '../payments/index.ts'
import type { GapService } from './gap.ts'
import type { GapView } from './gap-view.ts'

const operation = operatorOperationsOf('Restore gap')
const PATH = '/operator/restore-gap'
const IDS_MAX = 100_000
const ID_CHARACTERS_MAX = 250
/** With the end of each line. */
const IDS_BYTES_MAX = IDS_MAX * (ID_CHARACTERS_MAX + 2)

interface GapRouteDeps {
  readonly gap: GapService
  readonly clock: Clock
  /** Rails that hand payouts over by files. */
  readonly fileRails: readonly string[]
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
}

/** After a restore: what was paid since the backup, and letting money leave again. */
export function gapOperatorRoutes(app: App, deps: GapRouteDeps): void {
  openingRoutes(app, deps)
  idsRoute(app, deps)
  closingRoutes(app, deps)
}

function openingRoutes(app: App, { gap, clock, fileRails }: GapRouteDeps): void {
  app.get(
    PATH,
    operation('readRestoreGap', 'payouts.read', {
      summary: 'The open gap: named ids, debits of statements that belong to no payment, and the digest',
      response: { 200: RestoreGapSchema },
    }),
    async () => present(await gap.find()),
  )
  app.post(
    `${PATH}/!open`,
    operation('openRestoreGap', 'payments.hold', {
      summary: 'Stop all outgoing money after a restore that was not made by `tollgate restore`',
      body: GapOpenSchema,
      response: { 200: GapOpenedSchema },
    }),
    async (request) => {
      const lostFrom = new Date(request.body.lostFrom)
      if (Number.isNaN(lostFrom.getTime())) throw invalidField('lostFrom', 'is no moment of the calendar')
      if (lostFrom.getTime() > clock.nowMs()) throw invalidField('lostFrom', 'is in the future')
      return gap.open({ lostFrom, operatorCode: operatorOf(request).code, fileRails })
    },
  )
}

function idsRoute(app: App, { gap, merchantIdOf }: GapRouteDeps): void {
  app.post(
    `${PATH}/ids`,
    {
      bodyLimit: IDS_BYTES_MAX,
      ...operation('nameRestoreGapIds', 'payments.hold', {
        summary: 'Name ids that were accepted in the gap: none of them is ever accepted again',
        description: `The body is a text, as text/plain, with one id on each line; at most ${IDS_MAX}.`,
        querystring: GapIdsQuery,
        response: answers({ 200: GapIdsSchema }, 409, 410),
      }),
    },
    async (request) => {
      const { merchantCode, kind = 'PAYOUT' } = request.query
      const idPayments = readIds(fileOf(request).toString('utf8'))
      const ids = { merchantId: await merchantIdOf(merchantCode), kind, idPayments }
      return { named: idPayments.length, ...(await gap.name(ids, operatorOf(request).code)) }
    },
  )
}

const ID = new RegExp(ID_PATTERN)

function readIds(text: string): readonly string[] {
  const ids = new Set<string>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const id = line.trim()
    if (id === '') continue
    if (!ID.test(id)) throw wrongIds(`Line ${index + 1} is no id: an id has 1 to 250 of A-Z a-z 0-9 _ -.`)
    ids.add(id)
  }
  if (ids.size === 0) throw wrongIds('The file names no id.')
  if (ids.size > IDS_MAX) throw wrongIds(`At most ${IDS_MAX} ids can be named at once.`)
  return [...ids]
}

const wrongIds = (sentence: string): Refusal =>
  new Refusal('BODY_INVALID', { message: `${sentence} Write one id on each line. Nothing was noted.` })

function closingRoutes(app: App, { gap }: GapRouteDeps): void {
  app.post(
    `${PATH}/!waive`,
    operation(
      'waiveRestoreGapAccount',
      'payments.release',
      {
        summary: 'Wait for no statement of an account; who closes the gap has to name it',
        body: GapWaiveSchema,
        response: answers({ 200: RestoreGapSchema }, 409),
      },
      { stepUp: true },
    ),
    async (request) => {
      await gap.waive({ ...request.body, operatorCode: operatorOf(request).code })
      return present(await gap.find())
    },
  )
  app.post(
    `${PATH}/!propose`,
    operation(
      'proposeRestoreGapEnd',
      'payments.release',
      {
        summary: 'Propose to close the gap; another operator closes it',
        body: GapProposeSchema,
        response: answers({ 200: RestoreGapSchema }, 409),
      },
      { stepUp: true },
    ),
    async (request) =>
      present(await gap.propose({ ...request.body, operatorCode: operatorOf(request).code })),
  )
  app.post(
    `${PATH}/!close`,
    operation(
      'closeRestoreGap',
      'payments.release',
      {
        summary: 'Close the gap that another operator proposed to close; outgoing money flows again',
        body: GapCloseSchema,
        response: answers({ 200: RestoreGapSchema }, 409),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { withoutAccounts = [], ...order } = request.body
      await gap.close({ ...order, withoutAccounts, operatorCode: operatorOf(request).code })
      return present(await gap.find())
    },
  )
}

type Shown = Answer<typeof RestoreGapSchema>

function present(view: GapView | undefined): Shown {
  if (view === undefined) return { isOpen: false }
  const { gap, held, digest, obstacles } = view
  const { proposal } = gap
  return {
    isOpen: true,
    gap: {
      lostFrom: gap.lostFrom.toISOString(),
      restoredAt: gap.restoredAt.toISOString(),
      openedBy: gap.openedBy,
      ...(proposal !== undefined && { proposal: { ...proposal, at: proposal.at.toISOString() } }),
      held,
      digest,
      obstacles,
      ids: view.ids.map(({ merchantId: _, ...id }) => id),
      debits: view.debits.map(({ amount, currencyCode, idPayment, ...debit }) => ({
        ...debit,
        money: presentMoney({ amount: parsePlainAmount(amount), currencyCode }),
        ...(idPayment !== undefined && { idPayment }),
      })),
      accounts: view.accounts.map(presentAccount),
    },
  }
}

function presentAccount({
  period,
  coverage,
  waiver,
  ...account
}: GapView['accounts'][number]): NonNullable<Shown['gap']>['accounts'][number] {
  return {
    ...account,
    ...period,
    isComplete: coverage.isComplete,
    ...(coverage.untilDay !== undefined && { untilDay: coverage.untilDay }),
    ...(waiver !== undefined && {
      waiver: { reason: waiver.reason, by: waiver.by, at: waiver.at.toISOString() },
    }),
  }
}
