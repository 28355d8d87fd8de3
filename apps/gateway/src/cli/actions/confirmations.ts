import { CONFIRMATION_STATES } from '@tollgate/contract/words'
import {
  type Act,
  type ActView,
  type ConfirmationService,
  presentAct,
  presentView,
} from '../../modules/confirmations/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { buildConfirmations, type Confirmations } from '../../rooms/confirmations.ts'
import { CommandFailure, type FailureKind } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { payoutFilesOf } from './payout-files.ts'
import { statementsOf } from './statements.ts'

async function confirmationsOf(shell: Shell, house: House): Promise<Confirmations> {
  const [{ acts: statementActs }, { acts: reportActs }] = await Promise.all([
    statementsOf(shell, house),
    payoutFilesOf(shell, house),
  ])
  return buildConfirmations({ ...house, clock: shell.clock }, { statementActs, reportActs })
}

const KINDS: Readonly<Record<number, FailureKind>> = { 406: 'REFUSED', 409: 'CONFLICT', 410: 'NOT_FOUND' }

/** A refusal as a sentence with its exit code. */
async function orExplain<Result>(work: Promise<Result>, confirmationId: string): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const kind = KINDS[error.status]
    if (kind === undefined) throw error
    const message =
      kind === 'NOT_FOUND'
        ? `There is no confirmation ${confirmationId}.`
        : (error.details.items?.[0]?.message ?? error.message)
    throw new CommandFailure(kind, message)
  }
}

/** `tollgate confirmations list`. */
export function list(shell: Shell, wish: { readonly all?: true; readonly limit: number }): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { service } = await confirmationsOf(shell, house)
    const states = wish.all === true ? CONFIRMATION_STATES : (['WAITING'] as const)
    const acts = await service.list({ states, before: undefined, limit: wish.limit })
    return {
      json: acts.map(presentAct),
      text: table(
        ['CONFIRMATION', 'KIND', 'STATE', 'TITLE', 'MONEY', 'BY', 'UNTIL', 'DIGEST'],
        acts.map((act) => [
          ...[act.confirmationId, act.kind, stateOf(act), act.title, sumsText(act), act.actor],
          ...[moment(act.expireAt), act.digest.slice(0, DIGITS_SHOWN)],
        ]),
        'Nothing waits for a second operator.',
      ),
    }
  })
}

const DIGITS_SHOWN = 16
const stateOf = ({ state, isDue }: Act): string => (isDue ? 'EXPIRED' : state)
const sumsText = ({ sums }: Act): string =>
  sums.map(({ amount, currencyCode }) => `${amount} ${currencyCode}`).join(', ')

/** `tollgate confirmations show`. */
export function show(shell: Shell, confirmationId: string): Promise<Report> {
  return inHouse(shell, async (house) => {
    const confirmations = await confirmationsOf(shell, house)
    return reportOf(
      confirmations,
      await orExplain(confirmations.service.show(confirmationId), confirmationId),
    )
  })
}

interface Wish {
  readonly confirmationId: string
  readonly options: OperatorOptions
}

function act(
  shell: Shell,
  { confirmationId, options }: Wish,
  permission: 'confirmations.decide' | 'confirmations.withdraw',
  work: (service: ConfirmationService, operatorCode: string) => Promise<ActView>,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission,
    work: async (house, { code }) => {
      const confirmations = await confirmationsOf(shell, house)
      return reportOf(confirmations, await orExplain(work(confirmations.service, code), confirmationId))
    },
  })
}

/** `tollgate confirmations confirm`. */
export function confirm(
  shell: Shell,
  wish: Wish & {
    readonly digest: string
    readonly consequences: string | undefined
    readonly reason: string | undefined
  },
): Promise<Report> {
  const { confirmationId, digest, consequences: consequencesDigest, reason } = wish
  return act(shell, wish, 'confirmations.decide', (service, operatorCode) =>
    service.confirm({ confirmationId, operatorCode, digest, consequencesDigest, reason }),
  )
}

/** `tollgate confirmations refuse`. */
export function refuse(
  shell: Shell,
  wish: Wish & { readonly digest: string; readonly reason: string },
): Promise<Report> {
  const { confirmationId, digest, reason } = wish
  return act(shell, wish, 'confirmations.decide', (service, operatorCode) =>
    service.refuse({ confirmationId, operatorCode, digest, reason }),
  )
}

/** `tollgate confirmations withdraw`. */
export function withdraw(
  shell: Shell,
  wish: Wish & { readonly reason: string | undefined },
): Promise<Report> {
  const { confirmationId, reason } = wish
  return act(shell, wish, 'confirmations.withdraw', (service, operatorCode) =>
    service.withdraw({ confirmationId, operatorCode, reason }),
  )
}

async function reportOf({ merchantCodeOf }: Confirmations, view: ActView): Promise<Report> {
  const { act: shown, about, consequences, consequencesDigest, impossible, earlier } = view
  const facts = pairs([
    ['Confirmation', `${shown.confirmationId}, ${shown.kind}`],
    ['State', stateOf(shown)],
    ['Title', shown.title],
    ['Digest', shown.digest],
    ['Money', sumsText(shown) || undefined],
    ['Proposed', `${moment(shown.proposedAt)} by ${shown.actor}`],
    ['Until', shown.state === 'WAITING' ? moment(shown.expireAt) : undefined],
    [
      'Ended',
      shown.endedAt && `${moment(shown.endedAt)}${shown.endedBy === undefined ? '' : ` by ${shown.endedBy}`}`,
    ],
    ['Because', shown.endedReason],
    ['Came to', shown.result],
    ['About', Object.keys(about).length === 0 ? undefined : JSON.stringify(about)],
    ['Consequences', consequencesDigest],
    ['Impossible', impossible],
  ])
  const changes = await Promise.all(
    (consequences?.payments ?? [])
      .slice(0, PAYMENTS_SHOWN_MAX)
      .map(async ({ key, becomes, money }) => [
        ...[await merchantCodeOf(key.merchantId), key.kind, key.idPayment],
        ...[becomes, `${money.amount} ${money.currencyCode}`],
      ]),
  )
  const parts = [
    facts,
    ...(consequences === undefined
      ? []
      : [
          `What would follow\n${table(['MERCHANT', 'KIND', 'PAYMENT', 'BECOMES', 'MONEY'], changes, 'No payment would change.')}`,
          table(
            ['SUM', 'COUNT', 'MONEY'],
            consequences.sums.map(({ what, count, money }) => [
              ...[what, String(count), `${money.amount} ${money.currencyCode}`],
            ]),
            'No money would move.',
          ),
          consequences.remarks.join('\n'),
        ]),
    ...earlier.map(
      ({ confirmationId, state, endedBy, endedReason }) =>
        `The same bytes were ${state} before, as confirmation ${confirmationId}${endedBy === undefined ? '' : ` by ${endedBy}`}${endedReason === undefined ? '' : `: ${endedReason}`}`,
    ),
  ]
  return { json: await presentView(view, merchantCodeOf), text: parts.filter(Boolean).join('\n\n') }
}

const PAYMENTS_SHOWN_MAX = 1_000
