export { createHealthWorker, type HealthWorker } from './jobs.ts'
export type { Institution } from './model.ts'
export { createHealthService } from './service.ts'
