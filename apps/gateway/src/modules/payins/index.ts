export { createPageReader, type PageReader } from './page-reader.ts'
export { createPayinService, type PayinService } from './service.ts'
