export {
  type AccountView,
  type CycleRun,
  createSettlementAdministration,
  runCycles,
  type SettlementAdministration,
} from './administration.ts'
export { createConverter } from './conversion.ts'
export type { SettlementCycle } from './cycle-store.ts'
export { SettlementProblem } from './errors.ts'
export { createSettlementWorker, type SettlementWorker } from './jobs.ts'
export { netOf, type Settlement } from './model.ts'
export type { RunDeps, RunOutcome } from './run.ts'
export { type CycleRule, parseCycle, printCycle } from './schedule.ts'
export { seedSandboxSettlements } from './seed.ts'
export { createSettlementService, type SettlementService } from './service.ts'
