import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestLife } from '@tollgate/testkit'
import { type SftpServer, startSftpServer } from '@tollgate/testkit/sftp'
import type { Asked, BankLinkDriver, Put } from '../link.ts'
import { createSftpDriver, type SftpAccess } from '../sftp.ts'

/** A bank with an SFTP server: it lays files into `out`, and takes those of `in`. */
export interface Bank {
  readonly server: SftpServer
  /** What lies at the root of its server. */
  readonly directory: string
  readonly keyFile: string
  path(name: string): string
  driver(given?: Partial<SftpAccess>): BankLinkDriver
}

/** Where it is asked for, as it was sent. */
export const asked = (put: Put, byteCount = put.bytes.length): Asked => ({ ...put, byteCount })

export async function openBank(t: TestLife): Promise<Bank> {
  const folder = mkdtempSync(join(tmpdir(), 'bank-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const directory = join(folder, 'root')
  for (const each of ['in', 'out']) mkdirSync(join(directory, each), { recursive: true })
  const server = await startSftpServer(t, { directory })
  const keyFile = join(folder, 'client.key')
  writeFileSync(keyFile, server.clientKey, { mode: 0o600 })
  const { port, user, hostKey } = server
  return {
    server,
    directory,
    keyFile,
    path: (name) => join(directory, name),
    driver: (given) =>
      createSftpDriver({
        host: '127.0.0.1',
        port,
        user,
        hostKey,
        keyFile,
        passphraseFile: undefined,
        target: { directory: '/in', stagingDirectory: undefined },
        ...given,
      }),
  }
}
