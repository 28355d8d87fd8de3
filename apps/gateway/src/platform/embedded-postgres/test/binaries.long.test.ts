import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { type Binaries, locateBinaries } from '../binaries.ts'
import { type BinariesSource, copyToCache } from '../binaries-cache.ts'
import { linkLibraries } from '../libraries.ts'
import { query, temporaryFolder, testDirectory } from './support.ts'

const NOBODY = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0

function folderOf(t: TestContext): string {
  const folder = temporaryFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function packagedNative(): Promise<string> {
  const { postgres }: Binaries = await locateBinaries({ account: {} })
  return join(postgres, '..', '..')
}

async function copyInAnotherProcess(source: BinariesSource, cache: string): Promise<string> {
  const program = `import { copyToCache } from ${JSON.stringify(new URL('../binaries-cache.ts', import.meta.url).href)}
    process.stdout.write(String(await copyToCache(${JSON.stringify(source)}, ${JSON.stringify(cache)})))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return stdout
}

test('links that an install without scripts left out are made', async (t) => {
  const native = join(folderOf(t), 'native')
  cpSync(await packagedNative(), native, { recursive: true, verbatimSymlinks: true })
  const link = join(native, 'lib', 'libicuuc.so.60')
  rmSync(link, { force: true })
  assert.notEqual(spawnSync(join(native, 'bin', 'postgres'), ['--version']).status, 0)
  assert.equal(linkLibraries(native), true)
  assert.equal(spawnSync(join(native, 'bin', 'postgres'), ['--version']).status, 0)
})

test('processes that copy at the same time end with one complete copy and leave nothing else', async (t) => {
  const cache = folderOf(t)
  const source = { native: await packagedNative(), version: '1' }
  const copies = await Promise.all([1, 2, 3].map(() => copyInAnotherProcess(source, cache)))
  const expected = join(cache, 'postgres-1', 'native')
  assert.deepEqual(copies, [expected, expected, expected])
  assert.deepEqual(readdirSync(join(cache, 'postgres-1')), ['native'])
})

test('a copy that lost files is replaced', async (t) => {
  const cache = folderOf(t)
  const source = { native: await packagedNative(), version: '1' }
  const copy = await copyToCache(source, cache)
  assert.ok(copy !== undefined)
  rmSync(join(copy, 'bin', 'initdb'))
  assert.equal(await copyToCache(source, cache), copy)
  assert.equal(existsSync(join(copy, 'bin', 'initdb')), true)
})

test('a cache folder that others may write to is not used', async (t) => {
  const cache = folderOf(t)
  chmodSync(cache, 0o777)
  assert.equal(await copyToCache({ native: await packagedNative(), version: '1' }, cache), undefined)
})

test('a copy can be run by another user although the original was private', {
  skip: isRoot ? false : 'only root may become another user',
}, async (t) => {
  const folder = folderOf(t)
  const native = join(folder, 'private', 'native')
  mkdirSync(join(folder, 'private'), { mode: 0o700 })
  cpSync(await packagedNative(), native, { recursive: true, verbatimSymlinks: true })
  chmodSync(join(native, 'lib'), 0o700)
  const run = (root: string) => spawnSync(join(root, 'bin', 'postgres'), ['--version'], NOBODY).status
  assert.notEqual(run(native), 0)
  const copy = await copyToCache({ native, version: '1' }, join(folder, 'cache'))
  assert.ok(copy !== undefined)
  assert.equal(run(copy), 0)
})

test('root may keep the data below a folder that the user of the server cannot enter', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const { dataDir, start } = testDirectory(t)
  mkdirSync(dataDir, { mode: 0o700 })
  const first = await start()
  await query(first.ownerUrl, 'create table kept (n int)', 'insert into kept values (5)')
  await first.stop()
  const second = await start()
  assert.deepEqual(await query(second.ownerUrl, 'select n from kept'), [{ n: 5 }])
})
