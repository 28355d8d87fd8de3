import { killApprovals } from '../kinds/kill-approvals.ts'
import { killUploads } from '../kinds/kill-uploads.ts'
import type { Mutant } from './mutant.ts'

/** Gateways that let one person do what takes two. */
export const PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'single-upload',
    title: 'a statement that one operator hands in is taken at once, without a second one',
    patches: [
      {
        file: 'apps/gateway/src/modules/confirmations/model.ts',
        find: 'if (!isPositive(amount)) return false',
        replace: 'if (isPositive(amount)) return false',
      },
    ],
    kind: killUploads,
    mustBreak: 'I19',
  },
  {
    name: 'single-person',
    title: 'the operator who put a payout on hold releases it',
    patches: [
      {
        file: 'apps/gateway/src/modules/payments/people/holding.ts',
        find: 'if (operatorCode === order.operatorCode) {',
        replace: "if (operatorCode === '') {",
      },
    ],
    kind: killApprovals,
    mustBreak: 'I20',
  },
  {
    name: 'single-approval',
    title: 'one operator approves a payout, and it is handed over',
    patches: [
      {
        file: 'apps/gateway/src/modules/payouts/model.ts',
        find: 'export const APPROVALS_NEEDED = 2',
        replace: 'export const APPROVALS_NEEDED = 1',
      },
      {
        file: 'apps/gateway/migrations/0048_refunds_create.sql',
        find: 'and content_hash = of_content) < 2 then',
        replace: 'and content_hash = of_content) < 1 then',
      },
    ],
    kind: killApprovals,
    mustBreak: 'I20',
  },
  {
    name: 'single-review',
    title: 'one operator says that a payout was executed whose outcome is unknown, and it is SUCCESS',
    patches: [
      {
        file: 'apps/gateway/src/modules/payments/people/review.ts',
        find: '  EXECUTED: 2,',
        replace: '  EXECUTED: 1,',
      },
      {
        file: 'apps/gateway/src/modules/payments/evidence.ts',
        find: 'BANK_UPLOAD: 1, PEOPLE: TWO, SANDBOX: 0 }',
        replace: 'BANK_UPLOAD: 1, PEOPLE: 1, SANDBOX: 0 }',
      },
    ],
    kind: killApprovals,
    mustBreak: 'I21',
  },
]
