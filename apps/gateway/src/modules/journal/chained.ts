import type { ChainedTable } from '../../platform/chain/index.ts'
import { CONTENT_HASH } from './content.ts'
import { listEntries } from './store.ts'
import { postingsText } from './words.ts'

/** The journal: the chain of all transfers with their postings. */
export const JOURNAL: ChainedTable = {
  name: 'journal',
  called: 'journal',
  lock: 'ledger journal',
  entries: 'ledger_journal',
  rows: 'ledger_transfers',
  key: [
    { column: 'merchant_id', type: 'bigint', first: '0' },
    { column: 'transfer_id', type: 'uuid', first: '00000000-0000-0000-0000-000000000000' },
  ],
  writtenAt: 'created_at',
  contentHash: CONTENT_HASH,
  label: `t.event || ' of ' || t.kind || ' ' || t.id_payment`,
  row: 'transfer',
  nameOf: ([merchantId = '', transferId = '']) => `transfer ${transferId} of merchant ${merchantId}`,
  parts: ', or a posting of it,',
  async today(tx, entryNo) {
    const [entry] = await listEntries(tx, entryNo, 1)
    return `; its postings today: ${postingsText(entry?.postings ?? [])}`
  },
}
