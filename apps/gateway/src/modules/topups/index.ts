export { createTopUpService, type TopUpService } from './service.ts'
