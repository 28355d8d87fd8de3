import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import { ChannelFault } from './errors.ts'
import type { BankLink, BankLinkDriver, Offered, Offers, Put } from './link.ts'
import {
  CHANNEL_FILE_BYTES_MAX,
  type ChannelSource,
  type ChannelTarget,
  isMeant,
  stagingName,
} from './model.ts'

/** How a bank's server is reached, and what proves both sides. */
export interface SftpAccess {
  readonly host: string
  readonly port: number
  readonly user: string
  /** `SHA256:…`, as `ssh-keygen -lf` prints it. */
  readonly hostKey: string
  /** Private key of ours, read at each connection: a new key needs no restart. */
  readonly keyFile: string
  readonly passphraseFile: string | undefined
  readonly target: ChannelTarget | undefined
  /** Without an answer for so long the conversation ends; a minute unless a test is in a hurry. */
  readonly answerMs?: number
}

const ANSWER_MS = 60_000
const KEEP_ALIVE_MS = 10_000
const LISTED_MAX = 10_000
const CHUNK_BYTES = 32_768
/** In SFTP, version 3. */
const NO_SUCH_FILE = 2

/** Speaks SFTP with one bank. */
export function createSftpDriver(access: SftpAccess): BankLinkDriver {
  // What looked how: a file that looks the same in two conversations is finished, and one that stays need not be read again.
  const memory: Memory = { seen: new Map(), left: new Map() }
  return {
    async open(signal) {
      const line = await connect(access, signal)
      return createLink(line, access, memory)
    },
  }
}

interface Memory {
  readonly seen: Map<string, string>
  readonly left: Map<string, string>
}

/** An SFTP session whose questions all end: with an answer, a refusal, or the conversation. */
interface Line {
  ask<Answer>(
    about: string,
    ask: (sftp: SFTPWrapper, done: (error: Error | null | undefined, answer?: Answer) => void) => void,
  ): Promise<Answer | undefined>
  end(): void
}

async function connect(access: SftpAccess, signal: AbortSignal): Promise<Line> {
  const { host, port, user, answerMs = ANSWER_MS } = access
  const credentials = await readCredentials(access)
  // Not before there is a bank to talk to: it takes time to load, and most installations have none.
  const { default: ssh } = await import('ssh2')
  const client = new ssh.Client()
  const peer = `${host}:${port}`
  let shown: string | undefined
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.on('error', (error) => reject(faultOfConnecting(error, { access, shown })))
    client.on('close', () => reject(unreachable(`${peer} closed the connection.`)))
    signal.addEventListener('abort', () => client.destroy(), { once: true })
    client.on('ready', () =>
      // Questions are short, and each waits for its answer.
      client.setNoDelay(true).sftp((error, opened) => {
        if (error === undefined) resolve(opened)
        else reject(new ChannelFault('REFUSED', `${peer} offers no SFTP: ${error.message}`, { cause: error }))
      }),
    )
    try {
      client.connect({
        host,
        port,
        username: user,
        ...credentials,
        readyTimeout: ANSWER_MS,
        keepaliveInterval: KEEP_ALIVE_MS,
        keepaliveCountMax: 3,
        hostVerifier: (key: Buffer) => {
          shown = fingerprintOf(key)
          return shown === access.hostKey
        },
      })
    } catch (error) {
      reject(
        new ChannelFault('SIGN_IN', `The private key ${access.keyFile} cannot be used: ${textOf(error)}`),
      )
    }
  }).catch((error: unknown) => {
    client.destroy()
    throw error
  })
  return createLine(client, sftp, { peer, answerMs })
}

/** As OpenSSH prints it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

async function readCredentials({ keyFile, passphraseFile }: SftpAccess) {
  try {
    const privateKey = await readFile(keyFile)
    if (passphraseFile === undefined) return { privateKey }
    return { privateKey, passphrase: (await readFile(passphraseFile, 'utf8')).trimEnd() }
  } catch (error) {
    throw new ChannelFault('SIGN_IN', `The private key cannot be read: ${textOf(error)}`, { cause: error })
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const unreachable = (message: string): ChannelFault => new ChannelFault('UNREACHABLE', message)

function faultOfConnecting(
  error: Error & { readonly level?: string },
  { access, shown }: { readonly access: SftpAccess; readonly shown: string | undefined },
): ChannelFault {
  const { host, port, user, hostKey } = access
  const peer = `${host}:${port}`
  if (shown !== undefined && shown !== hostKey)
    return new ChannelFault(
      'HOST_KEY',
      `${peer} shows the host key ${shown}, and ${hostKey} is configured. Nothing was sent. Ask the bank whether it has changed its key, by a way that you know.`,
    )
  if (error.level === 'client-authentication')
    return new ChannelFault('SIGN_IN', `${peer} does not let ${user} in with this key: ${error.message}`)
  return unreachable(`${peer} cannot be reached: ${error.message}`)
}

function createLine(
  client: Client,
  sftp: SFTPWrapper,
  { peer, answerMs }: { readonly peer: string; readonly answerMs: number },
): Line {
  let isOver = false
  const over = new Set<() => void>()
  const end = (): void => {
    isOver = true
    client.destroy()
    for (const each of over) each()
  }
  client.on('close', end)
  client.on('error', end)
  sftp.on('error', end)
  return {
    ask: (about, ask) =>
      new Promise((resolve, reject) => {
        const lost = (): void =>
          settle(() => reject(unreachable(`The connection to ${peer} broke at ${about}.`)))
        const timer = setTimeout(end, answerMs)
        const settle = (how: () => void): void => {
          clearTimeout(timer)
          over.delete(lost)
          how()
        }
        over.add(lost)
        if (isOver) return lost()
        ask(sftp, (error, answer) =>
          settle(() => {
            if (error === null || error === undefined) resolve(answer)
            else if (isOver || !('code' in error) || typeof error.code !== 'number') {
              reject(unreachable(`The connection to ${peer} broke at ${about}: ${error.message}`))
            } else reject(new SftpRefusal(error.code, `${peer} refuses ${about}: ${error.message}`))
          }),
        )
      }),
    end,
  }
}

/** An answer that says no. */
class SftpRefusal extends ChannelFault {
  readonly status: number
  constructor(status: number, message: string) {
    super('REFUSED', message)
    this.status = status
  }
}

function createLink(line: Line, access: SftpAccess, memory: Memory): BankLink {
  const remote = createRemote(line)
  return {
    offers: (source) => offersOf(remote, memory, source),
    read: (offered) => readWhole(remote, offered),
    clear: (source, offered) => clear(remote, memory, source, offered),
    async stage(put) {
      const { staged } = pathsOf(access, put)
      // What was begun and never got its name. Where it might have, there is no other attempt.
      for (const attempt of [put.attempt - 1, put.attempt])
        await remote.remove(pathsOf(access, { ...put, attempt }).staged)
      await remote.write(staged, put.bytes)
      const found = await remote.find(staged)
      if (found?.size !== put.bytes.length)
        throw new ChannelFault(
          'FILE',
          `${staged} has ${found?.size ?? 'no'} bytes at the bank, and ${put.bytes.length} were sent.`,
        )
      return found.size
    },
    async release(put) {
      const { staged, final } = pathsOf(access, put)
      await remote.rename(staged, final)
    },
    async ask(put) {
      const { staged, final } = pathsOf(access, put)
      const isStaged = (await remote.find(staged)) !== undefined
      const there = await remote.find(final)
      if (isStaged && there === undefined) return { kind: 'STAGED' }
      if (!isStaged && there?.size === put.byteCount) return { kind: 'RELEASED' }
      return {
        kind: 'UNKNOWN',
        why:
          there === undefined
            ? `Neither ${final} nor ${staged} is there: the bank may have taken it, or somebody removed it.`
            : `${final} is there with ${there.size} bytes${isStaged ? `, and ${staged} as well` : ''}: it is not the file that was sent.`,
      }
    },
    async close() {
      line.end()
      await Promise.resolve()
    },
  }
}

function pathsOf({ target }: SftpAccess, { name, attempt }: Pick<Put, 'name' | 'attempt'>) {
  if (target === undefined) throw new Error('a file is put over a channel that has no place for it')
  const { directory, stagingDirectory = directory } = target
  return {
    staged: posix.join(stagingDirectory, stagingName(name, attempt)),
    final: posix.join(directory, name),
  }
}

async function offersOf(remote: Remote, memory: Memory, source: ChannelSource): Promise<Offers> {
  const { directory, marker, afterwards } = source
  const listed = await remote.list(directory)
  const names = new Set(listed.map(({ filename }) => filename))
  const files: Offered[] = []
  let hasUnfinished = false
  for (const { filename: name, attrs } of listed.toSorted((a, b) => (a.filename < b.filename ? -1 : 1))) {
    if (!isMeant(source, name) || !attrs.isFile()) continue
    const path = posix.join(directory, name)
    const stamp = stampOf(attrs)
    const isFinished = marker === undefined ? memory.seen.get(path) === stamp : names.has(`${name}${marker}`)
    memory.seen.set(path, stamp)
    if (afterwards.kind === 'LEAVE' && memory.left.get(path) === stamp) continue
    if (isFinished) files.push({ name, path, byteCount: attrs.size, stamp })
    else hasUnfinished ||= marker === undefined
  }
  forget(memory, directory, names)
  return { files, hasUnfinished }
}

/** What lies there no longer. */
function forget({ seen, left }: Memory, directory: string, names: ReadonlySet<string>): void {
  for (const known of [seen, left])
    for (const path of known.keys())
      if (posix.dirname(path) === posix.join(directory) && !names.has(posix.basename(path)))
        known.delete(path)
}

const stampOf = ({ size, mtime }: Stats): string => `${size} ${mtime}`

/** All bytes of a file that nobody writes to meanwhile. */
async function readWhole(remote: Remote, { path, byteCount, stamp }: Offered): Promise<Buffer> {
  if (byteCount > CHANNEL_FILE_BYTES_MAX)
    throw new ChannelFault(
      'FILE',
      `${path} has ${byteCount} bytes, more than ${CHANNEL_FILE_BYTES_MAX}: it stays at the bank.`,
    )
  const bytes = await remote.read(path, byteCount)
  const after = await remote.find(path)
  if (bytes.length === byteCount && after !== undefined && stampOf(after) === stamp) return bytes
  throw new ChannelFault('FILE', `${path} was written to while it was read: it is read again.`)
}

async function clear(
  remote: Remote,
  memory: Memory,
  { afterwards, marker }: ChannelSource,
  { name, path, stamp }: Offered,
): Promise<void> {
  if (afterwards.kind === 'LEAVE') memory.left.set(path, stamp)
  if (afterwards.kind === 'DELETE') await remote.remove(path)
  if (afterwards.kind === 'ARCHIVE') {
    const kept = posix.join(afterwards.directory, name)
    const isFree = (await remote.find(kept)) === undefined
    await remote.rename(path, isFree ? kept : `${kept}.${stamp.replace(' ', '-')}`)
  }
  if (afterwards.kind !== 'LEAVE' && marker !== undefined) await remote.remove(`${path}${marker}`)
}

/** The files of a bank's server. */
interface Remote {
  list(directory: string): Promise<readonly FileEntryWithStats[]>
  /** Undefined when there is none. */
  find(path: string): Promise<Stats | undefined>
  /** At most one byte more than was listed: then it has grown. */
  read(path: string, byteCount: number): Promise<Buffer>
  /** A new file. */
  write(path: string, bytes: Buffer): Promise<void>
  /** Never over another file. */
  rename(from: string, to: string): Promise<void>
  /** Also when there is none. */
  remove(path: string): Promise<void>
}

function createRemote(line: Line): Remote {
  const unlessMissing = async <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof SftpRefusal && error.status === NO_SUCH_FILE) return undefined
      throw error
    }
  }
  const opened = async (mode: 'r' | 'wx', path: string): Promise<Buffer> => {
    const handle = await line.ask<Buffer>(`opening ${path}`, (sftp, done) =>
      sftp.open(path, mode, { mode: 0o600 }, done),
    )
    if (handle === undefined) throw new ChannelFault('REFUSED', `The server returned no handle for ${path}.`)
    return handle
  }
  const closing = async <Answer>(
    handle: Buffer,
    path: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> => {
    const answer = await work()
    await line.ask(`closing ${path}`, (sftp, done) => sftp.close(handle, done))
    return answer
  }
  return {
    async list(directory) {
      const entries =
        (await line.ask<FileEntryWithStats[]>(`listing ${directory}`, (sftp, done) =>
          sftp.readdir(directory, done),
        )) ?? []
      if (entries.length <= LISTED_MAX) return entries
      throw new ChannelFault(
        'REFUSED',
        `${directory} lists ${entries.length} files, more than ${LISTED_MAX}.`,
      )
    },
    find: (path) =>
      unlessMissing(line.ask<Stats>(`looking at ${path}`, (sftp, done) => sftp.lstat(path, done))),
    async read(path, byteCount) {
      const handle = await opened('r', path)
      return closing(handle, path, () => readFrom(line, handle, path, byteCount))
    },
    async write(path, bytes) {
      const handle = await opened('wx', path)
      await closing(handle, path, async () => {
        for (let place = 0; place < bytes.length; place += CHUNK_BYTES) {
          const length = Math.min(CHUNK_BYTES, bytes.length - place)
          await line.ask(`writing ${path}`, (sftp, done) =>
            sftp.write(handle, bytes, place, length, place, done),
          )
        }
      })
    },
    async rename(from, to) {
      await line.ask(`renaming ${from} to ${to}`, (sftp, done) => sftp.rename(from, to, done))
    },
    async remove(path) {
      await unlessMissing(line.ask(`removing ${path}`, (sftp, done) => sftp.unlink(path, done)))
    },
  }
}

async function readFrom(line: Line, handle: Buffer, path: string, byteCount: number): Promise<Buffer> {
  const bytes = Buffer.alloc(byteCount + 1)
  let filled = 0
  while (filled < bytes.length) {
    const length = Math.min(CHUNK_BYTES, bytes.length - filled)
    const place = filled
    const got = await line.ask<number>(`reading ${path}`, (sftp, done) =>
      sftp.read(handle, bytes, place, length, place, (error, count) => {
        // The end of the file.
        if (error !== undefined && 'code' in error && error.code === 1) done(undefined, 0)
        else done(error, count)
      }),
    )
    if (got === undefined || got === 0) break
    filled += got
  }
  return bytes.subarray(0, filled)
}
