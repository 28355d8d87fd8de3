import type { TestContext } from 'node:test'
import { ACTOR, openRig, pain002, type Said } from '../../modules/payout-files/test/rig.ts'
import { type Met, testHostileInstitution } from './hostile.ts'

/** What a bank says of the file that one payout is in: reports, one after another, each handed in three times. */
async function meet(
  t: TestContext,
  { moved, says }: { readonly moved: 0 | 1; readonly says: (reference: string) => readonly Said[] },
): Promise<Met> {
  const rig = await openRig(t)
  const key = await rig.payOut()
  const { files } = await rig.files.create({ currencyCode: 'EUR', actor: ACTOR })
  const { reference } = await rig.read(key)
  for (const [index, said] of says(reference).entries())
    for (let round = 0; round < 3; round += 1)
      await rig.take(pain002(files[0]?.fileId ?? '', { messageId: `BANK-${String(index)}`, ...said }))
  // However often it is asked for: what is in a file is in no other one.
  const again = await rig.files.create({ currencyCode: 'EUR', actor: ACTOR })
  const { status, processorStatus } = await rig.read(key)
  const reviews = await rig.sql(`select from payment_tasks where task = 'REVIEW'`)
  return {
    moved: moved + again.files.length,
    says: `${status} ${processorStatus}`,
    isWithPeople: reviews.length > 0,
    faults: await rig.booksFindings(),
  }
}

const SETTLED: Said = { group: 'ACSC' }
const REJECTED: Said = { group: 'RJCT' }

testHostileInstitution('bank-transfer', {
  // Nobody but the bank can end it: it stays with the bank until a statement, or two people, say more.
  SILENT: {
    says: 'CREATED SUBMITTED',
    moved: 1,
    meet: (t) => meet(t, { moved: 1, says: () => [] }),
  },
  BROKEN: {
    cannot: 'a file is carried by people or put over a channel, and what the channel cannot tell is UNCLEAR',
  },
  OTHERS: {
    says: 'CREATED SUBMITTED',
    moved: 0,
    meet: (t) =>
      meet(t, {
        moved: 0,
        says: (reference) => [
          { lines: [['ANOTHER23456', 'ACSC']] },
          { lines: [[reference, 'ACSC', undefined, '100.01']] },
          { group: 'ACSC', batchId: 'ANOTHER-1', lines: [[reference, 'ACSC']] },
        ],
      }),
  },
  FOREVER: {
    says: 'SUCCESS CONFIRMED',
    moved: 1,
    meet: (t) => meet(t, { moved: 1, says: () => Array.from({ length: 5 }, () => SETTLED) }),
  },
  TURNS: {
    says: 'FAILED IN_REVIEW',
    isWithPeople: true,
    moved: 1,
    meet: (t) => meet(t, { moved: 1, says: () => [REJECTED, SETTLED, REJECTED, SETTLED] }),
  },
  TAKES_BACK: {
    says: 'SUCCESS IN_REVIEW',
    isWithPeople: true,
    moved: 1,
    meet: (t) => meet(t, { moved: 1, says: () => [SETTLED, REJECTED] }),
  },
})
