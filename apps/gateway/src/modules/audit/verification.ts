import { type ChainHead, verifyChain } from '../../platform/chain/index.ts'
import type { Tx } from '../../platform/database.ts'
import { AUDIT } from './chained.ts'

/** Follows the chain of the audit log, and compares it with the records as they are today. */
export const verifyAudit = (
  tx: Tx,
  options: { readonly head?: ChainHead } = {},
): ReturnType<typeof verifyChain> => verifyChain(tx, AUDIT, options)
