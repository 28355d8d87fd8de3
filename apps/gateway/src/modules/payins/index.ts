export { createPageReader, type PageReader } from './page-reader.ts'
export { createPayinService, type PayinDeps, type PayinService } from './service.ts'
