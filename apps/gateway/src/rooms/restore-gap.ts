import { findMerchantCode } from '../modules/merchants/index.ts'
import { createGapService, type GapService } from '../modules/payouts/index.ts'
import { findCoverage, listUnknownDebits } from '../modules/statements/index.ts'
import type { Parts } from './parts.ts'

/** What operators do about a restore gap: payouts ask the statements what left. */
export const buildRestoreGap = ({ db, secrets }: Pick<Parts, 'db' | 'secrets'>): GapService =>
  createGapService({
    ...{ db, secrets, findCoverage },
    merchantCodeOf: (merchantId) => findMerchantCode(db, merchantId),
    listUnknownDebits: (tx, since) => listUnknownDebits(secrets, tx, since),
  })
