export {
  createRetentionWorker,
  RETENTION_SETTINGS,
  type RetentionSettings,
  type RetentionWorker,
} from './jobs.ts'
export type { ExpiringData, RetentionDays } from './model.ts'
export { createRetentionService, type RetentionService } from './service.ts'
export { findHorizon, raiseHorizons } from './store.ts'
