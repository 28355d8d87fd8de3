import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { readTar, TarBroken } from '../tar.ts'
import { unpackBaseBackup } from '../unpack.ts'
import { removedAfter, temporaryFolder } from './support.ts'

const BLOCK = 512

interface Packed {
  readonly name: string
  readonly content?: Buffer
  readonly type?: string
}

const CLUSTER: readonly Packed[] = [
  { name: 'PG_VERSION', content: Buffer.from('18\n') },
  { name: 'base/', type: '5' },
  { name: 'base/1259', content: Buffer.alloc(1300, 'p') },
  { name: './pg_wal/', type: '5' },
  { name: 'pg_wal/000000010000000000000002', content: Buffer.alloc(BLOCK, 'w') },
]

/** The archive in the ustar format. */
function pack(entries: readonly Packed[]): Buffer {
  return Buffer.concat([...entries.flatMap(packOne), Buffer.alloc(2 * BLOCK)])
}

function packOne({ name, content = Buffer.alloc(0), type = '0' }: Packed): readonly Buffer[] {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write(type === '5' ? '0000700\0' : '0000600\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
}

/** What PostgreSQL would say of the files: segments of the log are not listed. */
function manifestOf(entries: readonly Packed[]): string {
  const files = entries.flatMap(({ name, content }) => {
    if (content === undefined || name.startsWith('pg_wal/')) return []
    const checksum = createHash('sha256').update(content).digest('hex')
    return [{ Path: name, Size: content.length, 'Checksum-Algorithm': 'SHA256', Checksum: checksum }]
  })
  return JSON.stringify({ Files: files })
}

/** Lays a backup down and unpacks it; the folder of its files. */
async function unpacked(t: TestContext, archive: Buffer, manifest = manifestOf(CLUSTER)): Promise<string> {
  const folder = removedAfter(t, temporaryFolder())
  const into = join(folder, 'cluster')
  mkdirSync(into)
  writeFileSync(join(folder, 'base.tar'), archive)
  writeFileSync(join(folder, 'backup_manifest'), manifest)
  await unpackBaseBackup({ folder, signal: new AbortController().signal }, into, {})
  return into
}

test('a backup is unpacked with its folders, modes and bytes', async (t) => {
  const cluster = await unpacked(t, pack(CLUSTER))
  for (const { name, content } of CLUSTER)
    if (content !== undefined) assert.deepEqual(readFileSync(join(cluster, name)), content)
  assert.equal(statSync(join(cluster, 'base')).mode & 0o777, 0o700)
  assert.equal(statSync(join(cluster, 'base', '1259')).mode & 0o777, 0o600)
})

test('an archive is read the same, wherever the stream is cut into pieces', async () => {
  const archive = pack(CLUSTER)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(archive.length), { maxLength: 20 }), async (cuts) => {
      const edges = [0, ...cuts.toSorted((one, other) => one - other), archive.length]
      async function* pieces(): AsyncGenerator<Buffer> {
        for (const [at, edge] of edges.entries()) yield archive.subarray(edges[at - 1] ?? 0, edge)
      }
      const read: string[] = []
      for await (const { name, content } of readTar(pieces())) {
        const parts: Buffer[] = []
        for await (const part of content) parts.push(part)
        read.push(`${name} ${Buffer.concat(parts).toString()}`)
      }
      const written = CLUSTER.map(
        ({ name, content }) => `${name.replace('./', '').replace(/\/$/, '')} ${content?.toString() ?? ''}`,
      )
      assert.deepEqual(read, written)
    }),
    { numRuns: 30 },
  )
})

test('a byte that is not what PostgreSQL sent is found, in a file or in a header', async (t) => {
  const content = archiveWith(4 * BLOCK + 5)
  await assert.rejects(unpacked(t, content), /damaged: base\/1259 is not what PostgreSQL sent/)
  await assert.rejects(unpacked(t, archiveWith(2 * BLOCK + 110)), /damaged: a header of the archive/)
})

/** The archive with one bit changed. */
function archiveWith(at: number): Buffer {
  const archive = pack(CLUSTER)
  archive.writeUInt8((archive[at] ?? 0) ^ 1, at)
  return archive
}

test('an archive that lacks a file, ends too early or has one too many is damaged', async (t) => {
  await assert.rejects(unpacked(t, pack(CLUSTER.slice(1))), /damaged: PG_VERSION is missing/)
  await assert.rejects(
    unpacked(t, pack(CLUSTER).subarray(0, 6 * BLOCK)),
    /damaged: the archive ends too early/,
  )
  const more = [...CLUSTER, { name: 'postgresql.auto.conf', content: Buffer.from('x') }]
  await assert.rejects(unpacked(t, pack(more)), /damaged: postgresql.auto.conf is not in backup_manifest/)
  await assert.rejects(unpacked(t, pack(CLUSTER), '{"Files":['), /damaged: backup_manifest cannot be read/)
})

test('nothing is written outside of the folder, and no link is made', async (t) => {
  for (const name of ['../evil', '/tmp/evil', 'base/../../evil', '..', 'base//evil'])
    await assert.rejects(unpacked(t, pack([{ name, content: Buffer.from('x') }])), /is no name of a file/)
  const link = [{ name: 'pg_tblspc', type: '2' }]
  await assert.rejects(unpacked(t, pack(link)), /pg_tblspc in the archive is neither a file nor a folder/)
  assert.ok(!existsSync('/tmp/evil'))
})

test('a file of more than 8 GB has its size in binary', async () => {
  const [header = Buffer.alloc(0)] = packOne({ name: 'base/large', content: Buffer.alloc(0) })
  const size = 12 * 2 ** 30
  header.fill(0, 124, 136).writeUInt8(0x80, 124)
  header.writeUIntBE(size, 130, 6)
  header.write(' '.repeat(8), 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  async function* endless(): AsyncGenerator<Buffer> {
    yield header
    yield Buffer.alloc(BLOCK)
  }
  await assert.rejects(async () => {
    for await (const { content } of readTar(endless()))
      for await (const part of content) assert.equal(part.length, BLOCK)
  }, TarBroken)
})
