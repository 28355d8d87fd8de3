import { type PayeeQuestion, payeeChecksPath, readPayeeAnswer } from '@tollgate/rail-protocol'
import type { Log } from '@tollgate/runtime'
import type { Database } from '../../../platform/database.ts'
import { type AdapterAddress, callAdapter } from '../../../platform/outbound/index.ts'
import { createPeriodic } from '../../../platform/periodic.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import {
  listPersonalData,
  openPersonalData,
  type PaymentKey,
  type PaymentService,
  textOf,
} from '../../payments/index.ts'
import type { PayeeVerification } from '../reasons.ts'
import { insertCheck, listUnchecked } from './check-store.ts'

interface AskingDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly payments: Pick<PaymentService, 'find'>
  /** The rail whose payouts are asked about. */
  readonly rail: string
  /** Whom the gateway asks. */
  readonly checker: AdapterAddress
  readonly log: Log
  /** From one look to the next; 5 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Asks about payees of payouts that wait, from durable rows. Any number may run: asking changes nothing, and the first answer counts. */
interface PayeeChecks {
  start(): void
  /** Asks nothing else, and resolves when what is under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 5_000
const PAUSE_MS_MAX = 60_000
const PAYEES_PER_LOOK = 50
/** Verification of Payee is a service of banks in SEPA. */
const CURRENCY_CODES = ['EUR']
/** So many payouts this process leaves alone for now, or for good. */
const SET_ASIDE_MAX = 10_000
/** An adapter that fails so often in a row is away, and not at a loss with one payee. */
const FAILURES_IN_A_ROW_MAX = 3

export function createPayeeChecks(deps: AskingDeps): PayeeChecks {
  const { pollMs = POLL_MS, log } = deps
  /** Until when each is left alone, in milliseconds since 1970. */
  const aside = new Map<string, number>()
  let failures = 0
  const periodic = createPeriodic({
    pauseMs: pollMs,
    async work(signal) {
      const nowMs = deps.checker.clock.nowMs()
      for (const [name, untilMs] of aside) if (untilMs <= nowMs) aside.delete(name)
      const found = await listUnchecked(deps.db, {
        rail: deps.rail,
        currencyCodes: CURRENCY_CODES,
        except: [...aside.keys()],
        limit: PAYEES_PER_LOOK,
      })
      for (const key of found) {
        if (signal.aborted) return false
        const outcome = await check(deps, key, signal)
        failures = outcome.kind === 'UNANSWERED' ? failures + 1 : 0
        if (outcome.kind === 'CHECKED') continue
        log.warn({ idPayment: key.idPayment, why: outcome.why }, 'a payee could not be checked')
        const restMs = outcome.kind === 'UNANSWERED' ? PAUSE_MS_MAX : Number.POSITIVE_INFINITY
        if (aside.size < SET_ASIDE_MAX) aside.set(textOf(key), nowMs + restMs)
        if (failures < FAILURES_IN_A_ROW_MAX) continue
        log.warn({ failures }, 'the adapter for payees does not answer, or not provably; it is asked again')
        return Math.min(PAUSE_MS_MAX, pollMs * 2 ** Math.min(failures, 10))
      }
      return found.length === PAYEES_PER_LOOK
    },
    onFault: (error) => log.error({ err: error }, 'payees could not be asked about; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

type Outcome =
  | { readonly kind: 'CHECKED' }
  /** Nobody is asked, or the adapter did not say; `why` names nobody. */
  | { readonly kind: 'UNREADABLE' | 'UNANSWERED'; readonly why: string }

async function check(deps: AskingDeps, key: PaymentKey, signal: AbortSignal): Promise<Outcome> {
  const question = await questionOf(deps, key)
  if (typeof question === 'string') return { kind: 'UNREADABLE', why: question }
  const said = await ask(deps.checker, question, signal)
  if ('why' in said) return { kind: 'UNANSWERED', why: said.why }
  await insertCheck(deps.db, key, { result: said.result, answeredBy: deps.checker.keyId })
  return { kind: 'CHECKED' }
}

/** Why nothing can be asked, for a payee without name or account, and for data that were erased or do not open. */
async function questionOf(
  { db, secrets, payments }: AskingDeps,
  key: PaymentKey,
): Promise<PayeeQuestion | string> {
  const payment = await payments.find(key)
  const sealed = (await listPersonalData(db, [key])).find(({ source }) => source === 'REQUEST')
  if (payment === undefined || sealed === undefined) return 'its payee was erased'
  try {
    const { accountName, accountNumber, bankCode } = openPersonalData(secrets, key, sealed)
    if (accountName === undefined || accountNumber === undefined)
      return 'it has no name or no account of a payee'
    const { reference, money } = payment
    return {
      reference,
      currencyCode: money.currencyCode,
      accountName,
      accountNumber,
      ...(bankCode !== undefined && { bankCode }),
    }
  } catch {
    // What the error says may quote what was sealed.
    return 'its payee does not open: the row was changed, or belongs to another root key'
  }
}

async function ask(
  checker: AdapterAddress,
  question: PayeeQuestion,
  signal: AbortSignal,
): Promise<{ readonly result: PayeeVerification } | { readonly why: string }> {
  const path = payeeChecksPath(new URL(checker.baseUrl).pathname)
  const answer = await callAdapter(checker, { method: 'POST', path, body: JSON.stringify(question), signal })
  if (answer.kind === 'UNSENT') return { why: answer.failure ?? 'the adapter cannot be reached' }
  if (answer.kind === 'UNPROVEN') return { why: answer.why ?? answer.failure ?? 'the adapter did not answer' }
  if (answer.status >= 500) return { why: `the adapter answered ${answer.status}` }
  // It does not want to say, and would not the next time.
  if (answer.status !== 200) return { result: 'NOT_CHECKED' }
  const reading = readPayeeAnswer(answer.body)
  return reading.ok ? { result: reading.message.result } : { why: reading.why }
}
