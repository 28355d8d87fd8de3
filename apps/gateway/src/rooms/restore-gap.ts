import { createMerchantCodes } from '../modules/merchants/index.ts'
import { listPowerless } from '../modules/operators/index.ts'
import { createGapService, type GapService } from '../modules/payouts/index.ts'
import { findCoverage, listUnknownDebits } from '../modules/statements/index.ts'
import { BANK_TRANSFER_CODE } from '../rails/bank-transfer/index.ts'
import type { Parts } from './parts.ts'

/** What operators do about a restore gap: payouts ask the statements what left. */
export const buildRestoreGap = ({ db, secrets }: Pick<Parts, 'db' | 'secrets'>): GapService =>
  createGapService({
    db,
    secrets,
    findCoverage,
    listPowerless: (tx, codes) => listPowerless(tx, 'payments.release', codes),
    merchantCodeOf: createMerchantCodes(db),
    listUnknownDebits: (tx, since) => listUnknownDebits(secrets, tx, since),
  })

/** Rails that hand payouts over by files. */
export const FILE_RAILS: readonly string[] = [BANK_TRANSFER_CODE]
