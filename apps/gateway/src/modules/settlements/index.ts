export { createSettlementAdministration, runCycles } from './administration.ts'
export { SETTLEMENT_CHECKS } from './checks.ts'
export { moveSettlements } from './clock-store.ts'
export { createConverter } from './conversion.ts'

export { SettlementProblem } from './errors.ts'
export { createSettlementWorker, type SettlementWorker } from './jobs.ts'
export type { Settlement } from './model.ts'
export type { RunDeps, RunOutcome } from './run.ts'

export { seedSandboxSettlements } from './seed.ts'
export { createSettlementService, type SettlementService } from './service.ts'
