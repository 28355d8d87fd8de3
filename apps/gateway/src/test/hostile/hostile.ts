import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'

/** What an institution does that harms, whether it means to or not. */
const ACTS = {
  SILENT: 'moves the money and never answers',
  BROKEN: 'moves the money and answers that it could not',
  OTHERS: 'tells of another payment in place of ours',
  FOREVER: 'says the same for ever',
  TURNS: 'says that nothing moved, and later that it did',
  TAKES_BACK: 'moves the money, and takes it back',
} as const

type Act = keyof typeof ACTS

const isAct = (text: string): text is Act => Object.hasOwn(ACTS, text)

/** What came of one payout that met such an institution, when everything was said. */
export interface Met {
  /** How often the money moved, in truth. What was taken back had moved. */
  readonly moved: number
  /** What the gateway says of the payout, such as `SUCCESS CONFIRMED`. */
  readonly says: string
  /** Whether people have it before them. */
  readonly isWithPeople: boolean
  /** What the books hold against themselves. */
  readonly faults: readonly unknown[]
}

/** What must come of an act: the gateway's words, or why the institution cannot do it. */
interface Expectation {
  readonly says: string
  readonly isWithPeople?: true
  readonly moved: 0 | 1
  meet(t: TestContext): Promise<Met>
}

/** An institution of a rail that means harm. Every act is met, or it is said why it cannot happen there. */
type HostileInstitution = Readonly<Record<Act, Expectation | { readonly cannot: string }>>

/**
 * What every rail holds against an institution that means harm: money never moves twice, an outcome is never guessed, what contradicts
 * itself is before people, and the books agree.
 */
export function testHostileInstitution(name: string, institution: HostileInstitution): void {
  for (const act of Object.keys(ACTS).filter(isAct)) {
    const expected = institution[act]
    if ('cannot' in expected) continue
    test(`${name}: a payout whose institution ${ACTS[act]}`, async (t) => {
      const { moved, says, isWithPeople, faults } = await expected.meet(t)
      assert.deepEqual(faults, [])
      assert.ok(moved <= 1, `the money moved ${String(moved)} times`)
      // Whoever says that nothing moved where it did, or the reverse, has people before them who know better.
      if (!isWithPeople) {
        if (/^SUCC/.test(says)) assert.equal(moved, 1, says)
        if (/^FAILED/.test(says)) assert.equal(moved, 0, says)
      }
      assert.deepEqual(
        [says, isWithPeople, moved],
        [expected.says, expected.isWithPeople ?? false, expected.moved],
      )
    })
  }
}
