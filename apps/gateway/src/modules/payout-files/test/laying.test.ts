import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import { insertFileEvent, lockFile } from '../store.ts'
import { ACTOR, openRig } from './rig.ts'

// Files whose process died after they were stored and before they were laid into the folder. The next run lays them.

const EUR = { currencyCode: 'EUR', actor: ACTOR }

async function open(t: TestLife) {
  const rig = await openRig(t)
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-laying-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const files = rig.open({ folder })
  /** What triggers do not allow. */
  const force = async (statement: string): Promise<void> => {
    await rig.sql('alter table payout_files disable trigger user')
    await rig.sql(statement)
    await rig.sql('alter table payout_files enable trigger user')
  }
  return {
    rig,
    files,
    force,
    /** A file that is for the folder, and not there. */
    async leftFile(): Promise<string> {
      await rig.payOut()
      const [file] = (await rig.files.create(EUR)).files
      assert.ok(file)
      await force(`update payout_files set is_for_folder = true where file_id = '${file.fileId}'`)
      return file.fileId
    },
    laid: () => readdirSync(folder).toSorted(),
  }
}

test('a file that the process before left is laid by the next run', async (t) => {
  const { files, leftFile, laid } = await open(t)
  const fileId = await leftFile()
  await files.create(EUR)
  assert.deepEqual(laid(), [`${fileId}.xml`])
})

test('a file that an operator has fetched is laid into the folder by nobody: the bank gets it once', async (t) => {
  const { files, leftFile, laid } = await open(t)
  const fileId = await leftFile()
  await files.fetch(fileId, 'ada')
  await files.create(EUR)
  assert.deepEqual([laid(), (await files.show(fileId)).file.folder], [[], 'NONE'])
})

for (const event of ['FETCHED', 'SUBMITTED'] as const)
  test(`a run that found a file to lay waits for the operator who makes it ${event} at that moment, and leaves it`, async (t) => {
    const { rig, files, leftFile, laid } = await open(t)
    const fileId = await leftFile()
    const run = await rig.db.transaction(async (tx) => {
      await lockFile(tx, fileId)
      await insertFileEvent(tx, fileId, { event, actor: ACTOR })
      const running = files.create(EUR)
      await waitUntil(
        async () => {
          const waiting = await rig.sql(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return waiting.length > 0
        },
        { timeoutMs: 20_000, what: 'the run that waits' },
      )
      return { running }
    })
    await run.running
    assert.deepEqual(laid(), [])
  })

test('a file that cannot be read does not keep the others from the folder', async (t) => {
  const { rig, files, force, leftFile, laid } = await open(t)
  const broken = await leftFile()
  await force(`update payout_files set data_key = '', sealed = ''`)
  await rig.payOut()
  const { files: made } = await files.create(EUR)
  assert.deepEqual(
    made.map(({ folder }) => folder),
    ['LAID'],
  )
  assert.deepEqual(laid(), [`${made[0]?.fileId ?? ''}.xml`])
  assert.equal((await files.show(broken)).file.folder, 'NONE')
})
