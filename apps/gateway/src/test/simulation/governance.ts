import { parsePlainAmount, toMinorUnits } from '@tollgate/money'
import type { Random } from '../../../../../lab/rig/random.ts'
import type { Client, Order } from './client.ts'
import { SITES } from './commands.ts'
import type { PaymentRecord } from './disk.ts'
import { FEES, type Fee, takenFrom } from './model.ts'
import { type FeeChange, revokeSpare, rotateKey, setFee, setMethod, type Work } from './operators.ts'
import type { Breach } from './properties.ts'
import { CURRENCIES, MERCHANTS, MINOR_UNITS } from './shop.ts'
import { keyText } from './statements.ts'
import { TAKEN_IN_MS, type World } from './world.ts'

// Days as operators see them: what is offered and taken changes, tokens are revoked, and databases fail over.

/** A fee, and when somebody may have been charged it. */
interface Charged {
  readonly key: string
  readonly fee: Fee
  readonly fromMs: number
  untilMs: number
}

/** Operators at work, and what they remember. */
export interface Governance {
  readonly world: World
  readonly client: Client
  readonly random: Random
  readonly endMs: number
  readonly charged: Charged[]
}

const PAUSE_MS_MAX = 6 * 3_600_000

const feeKey = (kind: Order['kind'], methodCode: string, currencyCode: string): string =>
  `${kind} ${methodCode} ${currencyCode}`

export function openGovernance(parts: Omit<Governance, 'charged'>): Governance {
  return { ...parts, charged: [] }
}

const pause = ({ world }: Governance, ms: number): Promise<void> =>
  new Promise((resolve) => void world.time.after(ms, resolve))

/** Goes on until the end of the days. */
export async function govern(governance: Governance): Promise<void> {
  const { world, random, endMs, client } = governance
  for (;;) {
    await pause(governance, random.between(0, PAUSE_MS_MAX))
    if (world.time.nowMs() >= endMs) return
    const drawn = random.share()
    if (drawn < 0.4) planFailover(governance)
    else if (drawn < 0.7) await changeFee(governance)
    else if (drawn < 0.85) await changeMethod(governance)
    else if (drawn < 0.95) await insist(governance, rotateKey(random.pick(MERCHANTS)))
    else {
      const merchantId = random.pick(MERCHANTS)
      await insist(governance, revokeSpare(merchantId))
      client.noteRevoked(merchantId)
    }
  }
}

function planFailover({ world, random }: Governance): void {
  const failover = {
    cutOffMs: random.pick([0, 1, 5, 30, 2_000]),
    awayMs: random.between(0, 4_000),
    keptShare: random.pick([0, 0.5, 1]),
  }
  world.faults.planEvent(random.pick(SITES), () => world.failOver(failover))
}

/** Until it is done. */
async function insist(governance: Governance, work: Work): Promise<void> {
  while (!(await governance.world.operate(work))) await pause(governance, 1_000)
}

async function changeFee(governance: Governance): Promise<void> {
  const { world, random, charged } = governance
  const kind = random.pick(['PAYIN', 'PAYOUT'] as const)
  const isIn = kind === 'PAYIN'
  const change: FeeChange = {
    kind,
    methodCode: isIn && random.share() < 0.3 ? 'WALLET' : 'TRANSFER',
    currencyCode: random.share() < 0.8 ? 'EUR' : random.pick(CURRENCIES),
    fixed: isIn ? 0 : random.pick([0, 1, 3]),
    hundredths: random.pick([0, 100, 275]),
  }
  const key = feeKey(kind, change.methodCode, change.currencyCode)
  const before = charged.filter((each) => each.key === key).at(-1) ?? {
    key,
    fee: FEES[kind],
    fromMs: 0,
    untilMs: Number.POSITIVE_INFINITY,
  }
  if (before.fromMs === 0) charged.push(before)
  charged.push({ key, fee: change, fromMs: world.time.nowMs(), untilMs: Number.POSITIVE_INFINITY })
  await insist(governance, setFee(change))
  before.untilMs = world.time.nowMs() + TAKEN_IN_MS
}

async function changeMethod(governance: Governance): Promise<void> {
  const { random } = governance
  const change = {
    merchantId: random.pick(MERCHANTS),
    kind: random.pick(['PAYIN', 'PAYOUT', 'TOPUP'] as const),
  }
  await insist(governance, setMethod({ ...change, isOn: false }))
  await pause(governance, random.between(0, PAUSE_MS_MAX))
  await insist(governance, setMethod({ ...change, isOn: true }))
}

/** S6: payments that were accepted for a fee that was not the fee at that time. */
export function findOvercharged({ world, charged }: Governance): readonly Breach[] {
  return [...world.disk.payments.values()].flatMap((payment) => {
    const { kind, method_code, currency_code, merchant_id, id_payment, fee_amount } = payment
    if (kind === 'SETTLEMENT') return []
    const key = feeKey(kind, method_code, currency_code)
    const changes = charged.filter((each) => each.key === key)
    const atMs = payment.created_at / 1_000
    const then = changes
      .filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs <= untilMs)
      .map(({ fee }) => fee)
    const fees = changes.length === 0 ? [FEES[kind]] : then
    if (fees.some((fee) => isFee(payment, fee))) return []
    const name = keyText(merchant_id, kind, id_payment)
    return [
      { property: 'S6', what: `${name} was accepted for a fee of ${fee_amount}, which was not in force` },
    ]
  })
}

function isFee({ amount, currency_code, fee_amount }: PaymentRecord, fee: Fee): boolean {
  const currencyCode = CURRENCIES.find((each) => each === currency_code)
  if (currencyCode === undefined) throw new Error(`nobody pays in ${currency_code}`)
  const units = (text: string): bigint => toMinorUnits(parsePlainAmount(text), MINOR_UNITS[currencyCode])
  return units(fee_amount) === takenFrom({ currencyCode }, units(amount), fee)
}
