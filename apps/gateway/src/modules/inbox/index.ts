export type { SeenFile } from './folder.ts'
export { createFailedDocuments, type FailedDocuments } from './service.ts'
export { EXPIRING_FAILED } from './store.ts'
export { createFolderWatch, type FolderWatch } from './watch.ts'
