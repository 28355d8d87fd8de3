import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import { createFailedDocuments } from '../../inbox/index.ts'
import { importFile } from '../import/import.ts'
import { createStatementWorker, type StatementService } from '../index.ts'
import { writeCamt } from './camt-writer.ts'
import { openRig, type Rig } from './rig.ts'

const camt = (text: string): string => writeCamt({ statements: [{ entries: [{ amount: '5', text }] }] })

/** A watched folder of the test's own. */
function watch(t: TestLife, rig: Rig, take?: StatementService['take']): string {
  const directory = mkdtempSync(join(tmpdir(), 'statements-'))
  const worker = createStatementWorker({
    statements: rig.statements,
    acts:
      take === undefined ? rig.acts : { handInFromFolder: (order) => take({ ...order, actor: 'folder' }) },
    failed: createFailedDocuments(rig),
    directory,
    log: createLog({ level: 'silent' }),
    pollMs: 20,
  })
  t.after(async () => {
    await worker.stop()
    rmSync(directory, { recursive: true })
  })
  worker.start()
  return directory
}

const PATIENCE_MS = 10_000
const has = (path: string) => waitUntil(() => existsSync(path), { timeoutMs: PATIENCE_MS, what: path })

test('a file that was put into the folder is taken and moved to done', async (t) => {
  const rig = await openRig(t)
  const directory = watch(t, rig)
  writeFileSync(join(directory, 'a.xml'), camt('a'))
  await has(join(directory, 'done', 'a.xml'))
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5'])
  writeFileSync(join(directory, 'a.xml'), camt('b'))
  await has(join(directory, 'done', 'a.xml.2'))
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'UNKNOWN 5'])
})

test('a file that cannot be taken is moved to failed, with the reason beside it', async (t) => {
  const rig = await openRig(t)
  const directory = watch(t, rig)
  writeFileSync(join(directory, 'bad.xml'), camt('a').slice(0, -30))
  writeFileSync(join(directory, 'lonely.csv'), 'a,b\n')
  await has(join(directory, 'failed', 'bad.xml'))
  await has(join(directory, 'failed', 'lonely.csv'))
  assert.match(readFileSync(join(directory, 'failed', 'bad.xml.error.txt'), 'utf8'), /not well-formed XML/)
  assert.match(
    readFileSync(join(directory, 'failed', 'lonely.csv.error.txt'), 'utf8'),
    /needs its mapping: put it as mapping.json/,
  )
  assert.deepEqual(await rig.lines(), [])
})

test('what is still being written is left alone, and so are folders', async (t) => {
  const rig = await openRig(t)
  const directory = watch(t, rig)
  writeFileSync(join(directory, 'a.xml.part'), camt('a'))
  writeFileSync(join(directory, '.hidden'), camt('a'))
  writeFileSync(join(directory, 'b.xml'), camt('b'))
  await has(join(directory, 'done', 'b.xml'))
  assert.deepEqual(readdirSync(directory).toSorted(), ['.hidden', 'a.xml.part', 'done', 'failed'])
  renameSync(join(directory, 'a.xml.part'), join(directory, 'a.xml'))
  await has(join(directory, 'done', 'a.xml'))
})

test('CSV files are read by the mapping that lies beside them', async (t) => {
  const rig = await openRig(t)
  const directory = watch(t, rig)
  const mapping = {
    account: 'CZ6508000000192000145399',
    currencyCode: 'CZK',
    columns: { bookedOn: 1, amount: 2 },
  }
  writeFileSync(join(directory, 'mapping.json'), JSON.stringify({ ...mapping, hasHeader: false }))
  writeFileSync(join(directory, 'day.csv'), '2026-11-20,5\n')
  await has(join(directory, 'done', 'day.csv'))
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5'])
  assert.ok(existsSync(join(directory, 'mapping.json')))
})

test('a file whose taking was interrupted before it was moved is moved the next time, and nothing is taken twice', async (t) => {
  const rig = await openRig(t)
  let tries = 0
  const directory = watch(t, rig, async (order) => {
    const taken = await rig.statements.take(order)
    tries += 1
    if (tries === 1) throw new Error('the process died here')
    return taken
  })
  writeFileSync(join(directory, 'a.xml'), camt('a'))
  await has(join(directory, 'done', 'a.xml'))
  assert.ok(tries > 1)
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5'])
})

test('lines that an interrupted import left behind are looked at', async (t) => {
  const rig = await openRig(t)
  const deps = { db: rig.db, ids: randomIds, secrets: rig.secrets }
  await importFile(deps, { fileName: 'a.xml', bytes: Buffer.from(camt('a')), actor: 'folder' })
  assert.deepEqual(await rig.lines(), ['NEW 0'])
  watch(t, rig)
  const isLookedAt = async () => (await rig.lines())[0] === 'UNKNOWN 5'
  await waitUntil(isLookedAt, { timeoutMs: PATIENCE_MS, what: 'the line to be looked at' })
})
