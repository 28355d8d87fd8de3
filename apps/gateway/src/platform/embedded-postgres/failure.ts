/** The embedded database cannot do what was asked. The message is a sentence for the operator and names the way out. */
export class EmbeddedPostgresFailure extends Error {
  override readonly name = 'EmbeddedPostgresFailure'
}

/** The code of a failed system call (`ENOENT`, `EACCES`…); undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
