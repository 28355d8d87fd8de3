import { checkAcceptance } from './acceptance.ts'
import { checkApprovals } from './approvals.ts'
import { checkBank } from './bank.ts'
import { checkCallbacks } from './callbacks.ts'
import { checkEnds } from './ends.ts'
import type { Facts, Finding } from './facts.ts'
import { checkLedger } from './ledger.ts'
import { checkReads } from './reads.ts'
import { checkReviews } from './reviews.ts'
import { checkUploads } from './uploads.ts'

/** Compares what the witnesses say in a quiet state. Nothing is found when all invariants hold. */
export function check(facts: Facts): readonly Finding[] {
  const checks = [
    checkAcceptance,
    checkReads,
    checkEnds,
    checkLedger,
    checkCallbacks,
    checkBank,
    checkUploads,
    checkApprovals,
    checkReviews,
  ]
  return checks.flatMap((checkOf) => checkOf(facts))
}
