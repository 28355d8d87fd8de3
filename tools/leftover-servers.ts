import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../apps/gateway/src/platform/embedded-postgres/index.ts'

/**
 * Stops the servers that killed runs left in the parent's folders `<prefix><process id>-…`, and removes the folders. Those of
 * processes that are alive stay; what cannot be removed is told.
 */
export async function removeLeftovers(parent: string, prefix: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid === undefined || isAlive(Number(pid))) continue
    const dataDir = join(parent, name)
    // Starting it is the way to get hold of a server that still runs there. It may be another user's: then it stays.
    await startEmbeddedPostgres({ dataDir }).then(
      (server) => server.stop(),
      () => undefined,
    )
    try {
      rmSync(dataDir, { recursive: true, force: true })
    } catch (error) {
      process.stderr.write(
        `${dataDir} could not be removed: ${error instanceof Error ? error.message : String(error)}\n`,
      )
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
