export { BASE_BACKUP_FILES, takeBaseBackup } from './base-backup.ts'
export { packagedVersion } from './binaries.ts'
export { EmbeddedPostgresFailure, systemCode } from './failure.ts'
export { syncFolder } from './files.ts'
export type { PostmasterExit } from './postmaster.ts'
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  startEmbeddedPostgres,
} from './server.ts'
