import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import fc from 'fast-check'
import type { Instructions, Rail, RailPayment, RailProgress, RailReport } from '../rail.ts'

/** What the contract needs to know of a rail. */
interface RailUnderTest {
  /** Makes the rail anew: nothing may be remembered that an institution would forget. */
  readonly create: () => Rail | Promise<Rail>
  /** Methods of the catalogue that it carries. */
  readonly methodCodes: readonly string[]
  readonly currencyCode: string
  /** How an institution that remembers is put into its place, for the payments that the contract hands over. */
  readonly customer?: RailPayment['customer']
}

const KINDS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
const START: RailProgress = { ageSeconds: 1, externalReference: undefined, isPaid: false }
const REPORT_KINDS = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'RETURNED', 'WAITING', 'UNKNOWN']
/** An aborted call may finish what it holds in its hand, but not a talk of 20 s. */
const ABORTED_MS_MAX = 2_000

/** The tests that every rail passes, whatever its institution: what `rail.ts` promises to the gateway. */
export function testRailContract(name: string, rail: RailUnderTest): void {
  planTests(name, rail)
  talkTests(name, rail)
  notificationTests(name, rail)
}

/** A payment as the gateway would hand it over; references are the caller's. */
function railPayment(rail: RailUnderTest, given: Partial<RailPayment> = {}): RailPayment {
  return {
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    merchantCode: 'SHOP',
    reference: 'ABCDEF012345',
    money: { amount: parsePlainAmount('149.9'), currencyCode: rail.currencyCode },
    methodCode: rail.methodCodes[0] ?? 'BANK_TRANSFER',
    operatorCode: undefined,
    customer: rail.customer ?? {},
    returnUrl: undefined,
    ...given,
  }
}

function planTests(name: string, under: RailUnderTest): void {
  test(`${name}: what it says it can do fits the functions that it has`, async () => {
    const { code, capabilities, cancel } = await under.create()
    assert.match(code, /^[a-z][a-z0-9-]{0,31}$/)
    assert.ok(capabilities.directions.length > 0)
    assert.equal(new Set(capabilities.directions).size, capabilities.directions.length)
    assert.equal(cancel !== undefined, capabilities.cancels, 'a rail that cancels has a way to')
    const takesMoneyIn = capabilities.directions.some((direction) => direction !== 'PAYOUT')
    assert.equal(capabilities.flows.length > 0, takesMoneyIn, 'customers pay in some flow, or not at all')
    if (capabilities.handsOverByFile === true) assert.ok(capabilities.directions.includes('PAYOUT'))
  })

  test(`${name}: a plan depends on the payment alone, and the instructions survive the database`, async () => {
    const [one, other] = [await under.create(), await under.create()]
    for (const kind of one.capabilities.directions)
      for (const methodCode of under.methodCodes) {
        const payment = railPayment(under, { kind, methodCode })
        const plan = one.plan(payment)
        assert.deepEqual(one.plan(payment), plan)
        assert.deepEqual(other.plan(payment), plan)
        const stored: unknown = JSON.parse(JSON.stringify(plan.instructions))
        assert.deepEqual(stored, plan.instructions)
        assertNoNumbers(plan.instructions)
        if (kind === 'PAYOUT') assert.equal(plan.instructions.redirectUrl, undefined)
      }
  })

  test(`${name}: planning throws at nothing that a merchant can send`, async () => {
    const rail = await under.create()
    const text = fc.string({ minLength: 1, maxLength: 140, unit: 'grapheme' })
    const customer = fc.record(
      { accountName: text, accountNumber: text, bankCode: text, emailAddress: text },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...rail.capabilities.directions),
        fc.constantFrom(...under.methodCodes),
        customer,
        (kind, methodCode, given) => {
          const payment = railPayment(under, { kind, methodCode, customer: given, operatorCode: 'ANY' })
          // What it objects to is never planned.
          if (rail.objectTo?.(payment) !== undefined) return
          assert.equal(typeof rail.plan(payment).startsAtOnce, 'boolean')
        },
      ),
      { numRuns: 100 },
    )
  })
}

function talkTests(name: string, under: RailUnderTest): void {
  const signal = new AbortController().signal

  test(`${name}: every answer is a report, and asking changes nothing`, async () => {
    for (const kind of KINDS) {
      const rail = await under.create()
      if (!rail.capabilities.directions.includes(kind)) continue
      const payment = railPayment(under, { kind, reference: `CONTRACT${kind}` })
      const before = await rail.inquire(payment, START, signal)
      assertReport(before, payment)
      assert.deepEqual(await rail.inquire(payment, START, signal), before)
    }
  })

  test(`${name}: handing a payment over again under its reference is the same payment`, async () => {
    for (const kind of ['PAYIN', 'TOPUP'] as const) {
      const rail = await under.create()
      if (!rail.capabilities.directions.includes(kind)) continue
      const payment = railPayment(under, { kind, reference: `CONTRACTTWICE${kind}` })
      const first = await rail.advance(payment, START, signal)
      assertReport(first, payment)
      assert.deepEqual(await rail.advance(payment, START, signal), first)
    }
  })

  test(`${name}: a payout that was handed over is found by asking`, async () => {
    const rail = await under.create()
    const { directions, handsOverByFile } = rail.capabilities
    if (!directions.includes('PAYOUT') || handsOverByFile === true) return
    const payment = railPayment(under, { kind: 'PAYOUT', reference: 'CONTRACTPAYOUT' })
    const submitted = await rail.submit(payment, signal)
    assertReport(submitted, payment)
    const asked = await rail.inquire(payment, START, signal)
    assertReport(asked, payment)
    if (submitted.kind === 'SUCCEEDED' || submitted.kind === 'FAILED')
      assert.equal(asked.kind, submitted.kind)
  })

  test(`${name}: a call that is given up ends soon, with a report or an error, and decides nothing new`, async () => {
    const rail = await under.create()
    const given = AbortSignal.abort()
    for (const kind of rail.capabilities.directions) {
      const payment = railPayment(under, { kind, reference: `CONTRACTGIVENUP${kind}` })
      const startedMs = performance.now()
      const talk =
        kind === 'PAYOUT' ? rail.inquire(payment, START, given) : rail.advance(payment, START, given)
      const report = await talk.catch(() => undefined)
      assert.ok(performance.now() - startedMs < ABORTED_MS_MAX)
      if (report !== undefined) assertReport(report, payment)
    }
  })
}

function notificationTests(name: string, under: RailUnderTest): void {
  test(`${name}: a message that proves nothing is forged, whatever it holds, and reading is pure`, async () => {
    const rail = await under.create()
    const { readNotification } = rail
    if (readNotification === undefined) return
    const message = fc.record({
      headers: fc.dictionary(fc.string(), fc.string()),
      body: fc.uint8Array(),
      receivedAtMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    })
    fc.assert(
      fc.property(message, (given) => {
        const reading = readNotification(given)
        assert.equal(reading.kind, 'FORGED')
        assert.deepEqual(readNotification(given), reading)
      }),
      { numRuns: 100 },
    )
  })
}

function assertReport(report: RailReport, payment: RailPayment): void {
  assert.ok(REPORT_KINDS.includes(report.kind), report.kind)
  if (report.kind === 'SUCCEEDED') assert.equal(report.received.currencyCode, payment.money.currencyCode)
  if (report.kind === 'RETURNED') assert.fail('money cannot come back before it has moved')
  if (report.kind === 'UNKNOWN') assert.ok(report.askAgainSeconds > 0)
  if (report.kind === 'WAITING') assert.ok((report.askAgainSeconds ?? 1) > 0)
}

/** The database keeps instructions as JSON, where a number would lose digits. */
function assertNoNumbers(instructions: Omit<Instructions, 'takesReference'>): void {
  JSON.stringify(instructions, (key, value: unknown) => {
    assert.notEqual(typeof value, 'number', key)
    return value
  })
}
