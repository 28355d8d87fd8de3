export { createHealthWorker, type HealthWorker } from './jobs.ts'
export type { Institution } from './model.ts'
export { createHealthService, type HealthService } from './service.ts'
