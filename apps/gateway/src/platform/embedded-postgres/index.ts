export { BASE_BACKUP_FILES, takeBaseBackup } from './base-backup.ts'
export { packagedVersion } from './binaries.ts'
export { asOwner, OWNER, RUNTIME_USER } from './credentials.ts'
export { EmbeddedPostgresFailure, systemCode } from './failure.ts'
export type { PostmasterExit } from './postmaster.ts'
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  findRunningServer,
  startEmbeddedPostgres,
} from './server.ts'
