export { EmbeddedPostgresFailure } from './failure.ts'
export type { PostmasterExit } from './postmaster.ts'
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  startEmbeddedPostgres,
} from './server.ts'
