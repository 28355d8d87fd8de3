export { AUDIT } from './chained.ts'
export { createAuditWorker } from './jobs.ts'
export { createAuditLog } from './log.ts'
export { verifyAudit } from './verification.ts'
