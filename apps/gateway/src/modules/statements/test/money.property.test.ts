import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATEMENT_LINE_DECISIONS } from '@tollgate/contract/words'
import fc from 'fast-check'
import type { NewPayment } from '../../payments/index.ts'
import { StatementProblem } from '../index.ts'
import type { WrittenFile } from './camt-writer.ts'
import { faultsOf, openRig, placesOfMoney, type Rig } from './rig.ts'

const RUNS = 12

/** What a bank tells in one file: transfers to payments, with their money or other money, and to nobody. */
const entry = fc.record({
  payment: fc.integer({ min: 0, max: 4 }),
  amount: fc.constantFrom('100', '100', '99.99', '0.01', '150', '250'),
  direction: fc.constantFrom('', '', '', '', '-'),
  names: fc.constantFrom('it', 'it', 'it', 'nothing', 'two'),
})
const file = fc.array(entry, { minLength: 1, maxLength: 8 })
/** What operators try afterwards, sensible or not. */
const decision = fc.record({
  line: fc.nat({ max: 30 }),
  decision: fc.constantFrom(...STATEMENT_LINE_DECISIONS),
  payment: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
})
const story = fc.record({
  ends: fc.array(fc.constantFrom('', '', 'FAILED', 'EXPIRED'), { minLength: 5, maxLength: 5 }),
  files: fc.array(file, { minLength: 1, maxLength: 3 }),
  repeats: fc.boolean(),
  decisions: fc.array(decision, { maxLength: 12 }),
})

type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never

/** Four payins and a top-up, of which some have ended already. */
async function acceptAll(rig: Rig, ends: Story['ends']): Promise<readonly NewPayment[]> {
  const payments: NewPayment[] = []
  for (const [index, end] of ends.entries()) {
    const payment = await rig.accept(index === ends.length - 1 ? { kind: 'TOPUP' } : {})
    if (end === 'FAILED' || end === 'EXPIRED') await rig.end(payment, end)
    payments.push(payment)
  }
  return payments
}

function write(files: Story['files'], payments: readonly NewPayment[]): readonly WrittenFile[] {
  const textOf = (at: number, names: string): string => {
    const first = payments[at]?.reference ?? ''
    if (names === 'it') return first
    return names === 'nothing'
      ? 'a gift'
      : `${first} ${payments[(at + 1) % payments.length]?.reference ?? ''}`
  }
  return files.map((entries, index) => ({
    message: '054',
    statements: [
      {
        id: `N${index}`,
        entries: entries.map(({ payment, amount, direction, names }, at) => ({
          amount: `${direction}${amount}`,
          text: textOf(payment, names),
          bankReference: `B-${index}-${at}`,
        })),
      },
    ],
  }))
}

/** Does what can be done of it; what cannot must be refused in words. */
async function tryAll(
  rig: Rig,
  decisions: Story['decisions'],
  payments: readonly NewPayment[],
): Promise<void> {
  const lineIds = await rig.lineIds()
  for (const { line, decision: wanted, payment } of decisions) {
    const named = payment === undefined ? undefined : payments[payment]
    await rig.statements
      .decide({
        lineId: lineIds[line % lineIds.length] ?? '',
        decision: wanted,
        operatorCode: 'ada',
        reason: 'so',
        payment: named && { merchantCode: 'SHOP', kind: named.kind, idPayment: named.idPayment },
      })
      .catch((error: unknown) => assert.ok(error instanceof StatementProblem, String(error)))
  }
}

test('money that arrived is always somewhere: a payment’s, or in suspense', {
  timeout: 120_000,
}, async (t) => {
  await fc.assert(
    fc.asyncProperty(story, async ({ ends, files, repeats, decisions }) => {
      const rig = await openRig(t)
      const payments = await acceptAll(rig, ends)
      const written = write(files, payments)
      for (const each of repeats ? [...written, ...written] : written) await rig.take(each)
      await tryAll(rig, decisions, payments)
      assert.deepEqual(await faultsOf(rig), [])
      for (const { waiting, suspense } of await placesOfMoney(rig)) assert.equal(suspense, waiting)
      const came = files.flat().filter(({ direction }) => direction === '').length
      const [row] = await rig.sql(
        `select count(*)::int as credits from statement_lines where direction = 'CREDIT'`,
      )
      assert.equal(row?.['credits'], came, 'each credit is one line, however often its file came')
    }),
    { numRuns: RUNS },
  )
})
