export { createChainer, findHead, findWaitingSeconds } from './chainer.ts'
export { createJournalWorker, type JournalWorker } from './jobs.ts'
export { CHAIN_BEGINNING, type JournalHead, parseHead, printHead } from './model.ts'
export { createJournalReader } from './reader.ts'
export { replayBalances } from './replay.ts'

export { verifyJournal } from './verification.ts'
