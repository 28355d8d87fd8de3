export { createTopUpService, type TopUpDeps, type TopUpService } from './service.ts'
