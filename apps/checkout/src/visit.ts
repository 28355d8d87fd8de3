import { createHash } from 'node:crypto'
import { compareAmounts, type Money, parseAmount } from '@tollgate/money'
import type { Ids, Log, WallClock } from '@tollgate/runtime'
import type { AddressJudgement, Api, Look, Silence } from './api-client.ts'
import type { Assets } from './assets/index.ts'
import type { CookieJar } from './cookies.ts'
import type { Directory } from './directory.ts'
import { sessionEndMs } from './life.ts'
import type { Logos } from './logos.ts'
import type { Payin } from './records.ts'
import { type Facts, type Screen, screenFor } from './router.ts'
import { type Mode, moneyOf, type Session, type Sessions } from './sessions.ts'
import { readToken, type TokenClaims } from './token.ts'

/** What the routes need. */
export interface Deps {
  readonly api: Api
  readonly directory: Directory
  readonly sessions: Sessions
  readonly cookies: CookieJar
  readonly assets: Assets
  readonly logos: Logos
  readonly clock: WallClock
  readonly ids: Ids
  readonly log: Log
  readonly isLive: boolean
  /** Where customers find this page, without a slash at its end. */
  readonly publicUrl: string
}

/** A customer at the page of a payment. */
export interface Visit {
  readonly mode: Mode
  readonly place: string
  /** The address of the payment's page, as a path. */
  readonly base: string
  readonly session: Session
  readonly claims: TokenClaims
  /** The token has ended: the customer sees how the payment goes on, and can do nothing more. */
  readonly isReadOnly: boolean
}

/** What was seen at the API, and the screen that follows. */
export interface Seen {
  readonly screen: Screen
  readonly facts: Facts
  readonly payin: Payin | undefined
  readonly silence: Silence | undefined
  /** Names what the customer sees: another one means another screen. */
  readonly live: string
}

export const PATHS: Readonly<Record<Mode, string>> = { PAY: '/p', STATUS: '/status' }

/** Somebody with an opened session; undefined where its token cannot be read. */
export function visitOf(
  { mode, place, session }: Pick<Visit, 'mode' | 'place' | 'session'>,
  nowMs: number,
): Visit | undefined {
  const claims = readToken(session.token)
  if (claims === undefined) return undefined
  const isReadOnly = nowMs >= claims.expireAtMs
  return { mode, place, base: `${PATHS[mode]}/${place}`, session, claims, isReadOnly }
}

/** Asks the API and decides. */
export async function lookAt(deps: Pick<Deps, 'api' | 'clock'>, visit: Visit): Promise<Seen> {
  const { session } = visit
  const looked = await deps.api.look(session)
  const isNew = looked.kind === 'MISSING' && visit.mode === 'PAY' && !visit.isReadOnly
  const addresses =
    isNew && session.order !== undefined ? await deps.api.judgeAddresses(session, session.order) : 'ALLOWED'
  return judge(visit, looked, { nowMs: deps.clock.nowMs(), addresses })
}

/** Pure: what follows from an answer. */
export function judge(
  visit: Visit,
  looked: Look,
  { nowMs, addresses }: { readonly nowMs: number; readonly addresses: AddressJudgement },
): Seen {
  const { session, claims, mode } = visit
  const payin = looked.kind === 'FOUND' ? looked.payin : undefined
  const facts: Facts = {
    mode,
    isLinkComplete: true,
    isTokenForeign: claims.merchantCode !== session.merchantCode,
    isMoneyForeign: session.order !== undefined && !isSameMoney(claims.money, moneyOf(session.order)),
    areAddressesAllowed: addresses !== 'NOT_ALLOWED',
    lacksOperation: addresses === 'NOT_PERMITTED',
    lacksMoney: addresses === 'MONEY_MISSING',
    isTooLate: visit.isReadOnly && (payin === undefined || sessionEndMs(payin, claims.expireAtMs) <= nowMs),
    looked: looked.kind,
    payment: payin && factsOf(payin, session, nowMs),
  }
  const screen = screenFor(facts)
  const silence = looked.kind === 'FOUND' || looked.kind === 'MISSING' ? undefined : looked
  return { screen, facts, payin, silence, live: liveOf(screen, payin) }
}

function factsOf(
  payin: Payin,
  { backAtMs, isApproved = false }: Session,
  nowMs: number,
): NonNullable<Facts['payment']> {
  const { status, processorStatus } = payin.process
  const { redirectUrl, account, qr } = payin.paymentMethodResponse
  return {
    status,
    processorStatus,
    hasRedirect: redirectUrl !== undefined,
    hasInstructions: account !== undefined || qr !== undefined,
    hasOtherMoney: payin.arrived !== undefined,
    isApproved,
    backSeconds: backAtMs === undefined ? undefined : (nowMs - backAtMs) / 1000,
  }
}

/** A token without money fits every amount. */
function isSameMoney(bound: Money | undefined, asked: Money): boolean {
  if (bound === undefined) return true
  return bound.currencyCode === asked.currencyCode && compareAmounts(bound.amount, asked.amount) === 0
}

const LIVE_LENGTH = 16

function liveOf(screen: Screen, payin: Payin | undefined): string {
  const { status = '', processorStatus = '' } = payin?.process ?? {}
  const { externalReference, arrived, confirmations } = payin ?? {}
  const parts = [
    screen,
    status,
    processorStatus,
    externalReference,
    arrived?.money.amount,
    confirmations?.count,
  ]
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, LIVE_LENGTH)
}

/** The money of a payment, or of the order that is to become one. */
export function moneyAt(visit: Visit, payin: Payin | undefined): Money | undefined {
  if (payin === undefined) return visit.session.order && moneyOf(visit.session.order)
  const { amount, currencyCode } = payin.paymentRequested.money
  const parsed = parseAmount(amount)
  return parsed === undefined ? undefined : { amount: parsed, currencyCode }
}
