export { topUpRoutes } from './routes.ts'
export { createTopUpService, type TopUpDeps, type TopUpService } from './service.ts'
