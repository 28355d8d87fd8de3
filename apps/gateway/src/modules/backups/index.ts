export { findLastBackup, insertBackup } from './store.ts'
