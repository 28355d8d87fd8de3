import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { resolve } from 'node:path'

/** Another process has it. */
export class NotAlone extends Error {
  override readonly name = 'NotAlone'
}

/**
 * Makes sure that no other process on this machine has the record: two that sign by one record would sign one number twice. The name is
 * held by the kernel until this process ends, however it ends. Where the kernel has no such names (macOS), nothing is held.
 * Throws NotAlone.
 */
export async function holdAlone(recordFile: string): Promise<{ release(): Promise<void> }> {
  if (process.platform !== 'linux') return { release: () => Promise.resolve() }
  const name = `\0tollgate-signer-${createHash('sha256').update(resolve(recordFile)).digest('hex')}`
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((held, refused) => {
    server.once('error', () =>
      refused(
        new NotAlone(`Another signer has ${recordFile}. Two with one record would sign one number twice.`),
      ),
    )
    server.listen(name, () => held())
  })
  return { release: () => new Promise((released) => server.close(() => released())) }
}
