import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Channels of banks, as an installation names them in a file.

/** Where a bank's server is, and by which keys both know each other. */
interface ChannelBank {
  readonly port: number
  readonly user: string
  /** Ours, as a file has it. */
  readonly clientKey: string
  /** The fingerprint of the server's. */
  readonly hostKey: string
}

interface Channel {
  readonly code: string
  readonly bank: ChannelBank
  /** What is fetched and put, and how often. */
  readonly does: Readonly<Record<string, unknown>>
}

/** Writes the file and our keys into the folder; gives the path, for TOLLGATE_BANK_CHANNELS_FILE. */
export function writeChannels(folder: string, channels: readonly Channel[]): string {
  const path = join(folder, 'channels.json')
  const settings = channels.map(({ code, bank: { port, user, hostKey, clientKey }, does }) => {
    const keyFile = `${code}.key`
    writeFileSync(join(folder, keyFile), clientKey, { mode: 0o600 })
    return { code, host: '127.0.0.1', port, user, hostKey, keyFile, ...does }
  })
  writeFileSync(path, JSON.stringify(settings))
  return path
}
