import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import ssh, { type Connection, type FileEntry, type SFTPWrapper } from 'ssh2'
import { freePort } from './ports.ts'
import type { TestLife } from './test-life.ts'

/** What a client asks of the server, and for which path. */
export interface SftpQuestion {
  readonly what: 'LIST' | 'LOOK' | 'OPEN' | 'READ' | 'WRITE' | 'CLOSE' | 'REMOVE' | 'RENAME'
  readonly path: string
}

/**
 * What goes wrong at a question. CUT: the connection breaks before anything is done; CUT_AFTER: it is done, and the answer is
 * lost. REFUSE: the server says no. SILENT: it says nothing.
 */
export type SftpTrouble = 'CUT' | 'CUT_AFTER' | 'REFUSE' | 'SILENT' | undefined

interface SftpServerOptions {
  /** What lies at the root of the server. */
  readonly directory: string
  readonly user?: string
  readonly trouble?: (question: SftpQuestion) => SftpTrouble
}

/** A bank's SFTP server, of which tests decide when it breaks. It serves a folder, and renames over nothing, as SFTP says. */
export interface SftpServer {
  readonly port: number
  readonly user: string
  /** The private key that it lets in, for a file. */
  readonly clientKey: string
  /** Its own, as OpenSSH prints it. */
  readonly hostKey: string
  /** Every file that got its name by a rename, in order. */
  readonly renamed: readonly string[]
  setTrouble(trouble: SftpServerOptions['trouble']): void
  /** From now on it shows another host key, which is given back. */
  changeHostKey(): string
  /** From now on it lets nobody in, or the client again. */
  setOpen(isOpen: boolean): void
}

const fingerprintOf = (publicKey: string): string => {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

/** One in two hundred pairs that ssh2 1.17 makes is one that it cannot read. */
function newKeys(): { readonly private: string; readonly public: string } {
  for (;;) {
    const keys = ssh.utils.generateKeyPairSync('ed25519')
    if (!(ssh.utils.parseKey(keys.private) instanceof Error)) return keys
  }
}

export async function startSftpServer(t: TestLife, options: SftpServerOptions): Promise<SftpServer> {
  const { directory, user = 'acme' } = options
  const client = newKeys()
  const renamed: string[] = []
  const state = {
    trouble: options.trouble,
    hostKeys: newKeys(),
    isOpen: true,
    renamed,
  }
  const connections = new Set<Connection>()
  const serve = (connection: Connection): void => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
    connection.on('error', () => undefined)
    Reflect.apply(Reflect.get(connection, 'setNoDelay'), connection, [true])
    connection.on('authentication', (attempt) => {
      const isKnown =
        state.isOpen &&
        attempt.method === 'publickey' &&
        attempt.username === user &&
        isKeyOf(attempt.key, client.public)
      if (isKnown) attempt.accept()
      else attempt.reject(['publickey'])
    })
    connection.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => answer(acceptSftp(), { directory, state, connection }))
    })
  }
  const port = await freePort()
  let server = await listen(state.hostKeys.private, port, serve)
  t.after(() => {
    for (const connection of connections) connection.end()
    server.close()
  })
  return {
    port,
    user,
    clientKey: client.private,
    hostKey: fingerprintOf(state.hostKeys.public),
    renamed: state.renamed,
    setTrouble(trouble) {
      state.trouble = trouble
    },
    changeHostKey() {
      state.hostKeys = newKeys()
      server.close()
      server = new ssh.Server({ hostKeys: [state.hostKeys.private] }, serve)
      server.listen(port, '127.0.0.1')
      return fingerprintOf(state.hostKeys.public)
    },
    setOpen(isOpen) {
      state.isOpen = isOpen
    },
  }
}

function isKeyOf(key: { readonly data: Buffer }, publicKey: string): boolean {
  return key.data.equals(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))
}

async function listen(hostKey: string, port: number, serve: (connection: Connection) => void) {
  const server = new ssh.Server({ hostKeys: [hostKey] }, serve)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

const { STATUS_CODE, OPEN_MODE } = ssh.utils.sftp

interface Served {
  readonly directory: string
  readonly state: { trouble: SftpServerOptions['trouble']; readonly renamed: string[] }
  readonly connection: Connection
}

function answer(sftp: SFTPWrapper, { directory, state, connection }: Served): void {
  const files = new Map<number, { readonly path: string; readonly descriptor: number }>()
  const lists = new Map<number, { readonly path: string; isRead: boolean }>()
  let handles = 0
  const local = (path: string): string => join(directory, join('/', path))
  const handleOf = (number: number): Buffer => {
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(number)
    return handle
  }
  /** Does what was asked, unless trouble was ordered. */
  const at = (question: SftpQuestion, requestId: number, work: () => (() => void) | undefined): void => {
    const trouble = state.trouble?.(question)
    if (trouble === 'CUT') connection.end()
    else if (trouble === 'REFUSE') sftp.status(requestId, STATUS_CODE.PERMISSION_DENIED)
    else if (trouble !== 'SILENT') {
      const reply = replyOf(work, requestId)
      if (trouble === 'CUT_AFTER') connection.end()
      else reply()
    }
  }
  const replyOf = (work: () => (() => void) | undefined, requestId: number): (() => void) => {
    try {
      return work() ?? (() => sftp.status(requestId, STATUS_CODE.OK))
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      return () => sftp.status(requestId, isMissing ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE)
    }
  }
  const attributesOf = (path: string) => {
    const { mode, uid, gid, size, atimeMs, mtimeMs } = lstatSync(path)
    return { mode, uid, gid, size, atime: Math.floor(atimeMs / 1000), mtime: Math.floor(mtimeMs / 1000) }
  }
  const look = (requestId: number, path: string): void =>
    at({ what: 'LOOK', path }, requestId, () => {
      const attributes = attributesOf(local(path))
      return () => sftp.attrs(requestId, attributes)
    })
  sftp.on('STAT', look)
  sftp.on('LSTAT', look)
  sftp.on('REALPATH', (requestId, path) => {
    const filename = join('/', path)
    sftp.name(requestId, [{ filename, longname: filename, attrs: attributesOf(local(path)) }])
  })
  sftp.on('OPENDIR', (requestId, path) =>
    at({ what: 'LIST', path }, requestId, () => {
      readdirSync(local(path))
      handles += 1
      lists.set(handles, { path, isRead: false })
      const handle = handleOf(handles)
      return () => sftp.handle(requestId, handle)
    }),
  )
  sftp.on('READDIR', (requestId, handle) => {
    const list = lists.get(handle.readUInt32BE())
    if (list === undefined || list.isRead) {
      sftp.status(requestId, STATUS_CODE.EOF)
      return
    }
    list.isRead = true
    const entries: FileEntry[] = readdirSync(local(list.path)).map((filename) => ({
      filename,
      longname: filename,
      attrs: attributesOf(join(local(list.path), filename)),
    }))
    if (entries.length === 0) sftp.status(requestId, STATUS_CODE.EOF)
    else sftp.name(requestId, entries)
  })
  sftp.on('OPEN', (requestId, path, flags) =>
    at({ what: 'OPEN', path }, requestId, () => {
      const isNew = (flags & OPEN_MODE.WRITE) !== 0
      const descriptor = openSync(local(path), isNew ? ((flags & OPEN_MODE.EXCL) === 0 ? 'w' : 'wx') : 'r')
      handles += 1
      files.set(handles, { path, descriptor })
      const handle = handleOf(handles)
      return () => sftp.handle(requestId, handle)
    }),
  )
  sftp.on('READ', (requestId, handle, place, length) => {
    const file = files.get(handle.readUInt32BE())
    if (file === undefined) {
      sftp.status(requestId, STATUS_CODE.FAILURE)
      return
    }
    at({ what: 'READ', path: file.path }, requestId, () => {
      const bytes = Buffer.alloc(length)
      const count = readSync(file.descriptor, bytes, 0, length, place)
      return () => {
        if (count === 0) sftp.status(requestId, STATUS_CODE.EOF)
        else sftp.data(requestId, bytes.subarray(0, count))
      }
    })
  })
  sftp.on('WRITE', (requestId, handle, place, bytes) => {
    const file = files.get(handle.readUInt32BE())
    if (file === undefined) {
      sftp.status(requestId, STATUS_CODE.FAILURE)
      return
    }
    at({ what: 'WRITE', path: file.path }, requestId, () => {
      writeSync(file.descriptor, bytes, 0, bytes.length, place)
      return undefined
    })
  })
  sftp.on('CLOSE', (requestId, handle) => {
    const number = handle.readUInt32BE()
    const file = files.get(number)
    lists.delete(number)
    files.delete(number)
    if (file === undefined) {
      sftp.status(requestId, STATUS_CODE.OK)
      return
    }
    closeSync(file.descriptor)
    at({ what: 'CLOSE', path: file.path }, requestId, () => undefined)
  })
  sftp.on('REMOVE', (requestId, path) =>
    at({ what: 'REMOVE', path }, requestId, () => {
      unlinkSync(local(path))
      return undefined
    }),
  )
  sftp.on('RENAME', (requestId, from, to) =>
    at({ what: 'RENAME', path: to }, requestId, () => {
      if (existsSync(local(to))) throw new Error('there is a file of that name')
      renameSync(local(from), local(to))
      state.renamed.push(to)
      return undefined
    }),
  )
  connection.on('close', () => {
    for (const { descriptor } of files.values()) closeSync(descriptor)
    files.clear()
  })
}
