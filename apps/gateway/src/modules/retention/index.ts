export {
  createRetentionWorker,
  RETENTION_SETTINGS,
  type RetentionSettings,
  type RetentionWorker,
  type RetentionWorkerDeps,
} from './jobs.ts'
export { RETENTION_CLASSES, type RetentionClass, type RetentionDays, type RetentionStatus } from './model.ts'
export { createRetentionService, type RetentionService } from './service.ts'
export { findHorizon } from './store.ts'
