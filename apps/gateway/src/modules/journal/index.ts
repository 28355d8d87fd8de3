export { JOURNAL } from './chained.ts'
export { createJournalWorker } from './jobs.ts'
export { createJournalReader } from './reader.ts'
export { replayBalances } from './replay.ts'
export { hasUnchainedOf } from './store.ts'

export { verifyJournal } from './verification.ts'
