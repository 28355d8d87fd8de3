export type { SeenFile } from './folder.ts'
export { createFailedDocuments, type FailedDocuments } from './service.ts'
export { EXPIRING_FAILED, findRecentFailures } from './store.ts'
export { createFolderWatch, type FolderWatch } from './watch.ts'
