export { payinRoutes } from './routes.ts'
export { createPayinService, type PayinService } from './service.ts'
