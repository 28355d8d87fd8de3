import { createDecipheriv, hkdfSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { runSql, type SqlRow } from '@tollgate/testkit'

// What somebody finds who has the whole database, the data directory and the master key. Everything that is encrypted is opened
// with every key that is there, whatever it is bound to: a value counts as erased when no key opens it to what is sought.

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
/** A key that is itself encrypted. */
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES
const PURPOSES = ['personal-data', 'signing-keys', 'merchant-secrets', 'rail simulator', 'checkout'] as const
/** Within each other: a file in base64, in JSON, in something compressed. */
const DEPTH_MAX = 3

/** AES-256-GCM without its tag: nobody has to know what a value is bound to. */
function decrypted(key: Uint8Array, sealed: Buffer): Buffer | undefined {
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
  return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
}

const derive = (root: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, new Uint8Array(0), `tollgate ${purpose}`, KEY_BYTES))

const UNPACKERS = [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync] as const

function unpacked(bytes: Buffer): readonly Buffer[] {
  return UNPACKERS.flatMap((unpack) => {
    try {
      return [unpack(bytes)]
    } catch {
      return []
    }
  })
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{16,}={0,2}/g
const ESCAPE = /\\u([0-9a-fA-F]{4})/g

/** Whether one of the texts is in the bytes: as they are, in hexadecimal, in escapes of JSON, in base64, or compressed. */
function holds(bytes: Buffer, sought: readonly string[], depth = 0): boolean {
  const text = bytes
    .toString('utf8')
    .replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toLowerCase()
  if (sought.some((each) => text.includes(each) || text.includes(Buffer.from(each).toString('hex'))))
    return true
  if (depth >= DEPTH_MAX) return false
  const encoded = bytes.toString('latin1').match(BASE64_RUN) ?? []
  return [...encoded.map((run) => Buffer.from(run, 'base64')), ...unpacked(bytes)].some((inner) =>
    holds(inner, sought, depth + 1),
  )
}

/** Every value of the row's bytes, and what the keys make of it. */
function openedBytes(row: SqlRow, keys: readonly Buffer[]): readonly Buffer[] {
  const values = Object.values(row).filter((value) => Buffer.isBuffer(value))
  const wrapped = values.filter(({ length }) => length === WRAPPED_BYTES)
  const own = wrapped.flatMap((value) => keys.flatMap((key) => decrypted(key, value) ?? []))
  return values.flatMap((value) => [
    value,
    ...[...keys, ...own].flatMap((key) => decrypted(key, value) ?? []),
  ])
}

async function keysOf(databaseUrl: string, masterKeyFile: string): Promise<readonly Buffer[]> {
  const master = Buffer.from(readFileSync(masterKeyFile, 'utf8').trim(), 'base64')
  const [row] = await runSql(databaseUrl, 'select sealed from root_key')
  const sealed = row?.['sealed']
  const root = Buffer.isBuffer(sealed) ? decrypted(derive(master, 'root-key'), sealed) : undefined
  if (root === undefined) throw new Error('the database has no root key')
  return PURPOSES.map((purpose) => derive(root, purpose))
}

/** The tables of which a row holds one of the texts, in order. */
export async function tablesThatHold(
  databaseUrl: string,
  masterKeyFile: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const sought = texts.map((text) => text.toLowerCase())
  const keys = await keysOf(databaseUrl, masterKeyFile)
  const tables = await runSql(
    databaseUrl,
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await runSql(databaseUrl, `select t.*, t::text as whole_row from ${String(name)} t`)
    const isFound = rows.some(
      (row) =>
        holds(Buffer.from(String(row['whole_row'])), sought) ||
        openedBytes(row, keys).some((bytes) => holds(bytes, sought)),
    )
    if (isFound) found.push(String(name))
  }
  return found
}

/** The files of the folder, and of those in it, that hold one of the texts. */
export function filesThatHold(folder: string, texts: readonly string[]): readonly string[] {
  const sought = texts.map((text) => text.toLowerCase())
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => holds(readFileSync(path), sought))
    .sort()
}
