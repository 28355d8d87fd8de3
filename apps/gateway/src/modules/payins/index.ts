export { checkoutRoutes } from './checkout-routes.ts'
export { createPageReader, type PageReader } from './page-reader.ts'
export { payinRoutes } from './routes.ts'
export { createPayinService, type PayinDeps, type PayinService } from './service.ts'
