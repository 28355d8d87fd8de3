import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '@tollgate/testkit'
import { issueToken, prepareInstallation, startGateway } from '../../rig/gateway.ts'
import { createSql } from '../../rig/sql.ts'
import { captureLife } from '../contenders/life-capture.ts'
import { HOUSEKEEPING, LIFE } from '../life-statements.ts'

test('every statement of a payment’s life is written down, so that none is added unseen', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-life-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const { url } = await testDatabase(t)
  const server = {
    url,
    dataDir,
    sql: createSql(url),
    settings: {},
    restart: () => Promise.reject(new Error('the server is shared')),
    stop: () => Promise.resolve(),
  }
  const demo = await prepareInstallation(server)
  const gateway = await startGateway(server)
  const token = await issueToken(gateway.port, demo).finally(() => gateway.stop())

  const { ofLife, ofIdle } = await captureLife({ server, token })

  const added = [...ofLife].filter((name) => ![LIFE, HOUSEKEEPING, ofIdle].some((known) => known.has(name)))
  assert.deepEqual(
    added.toSorted(),
    [],
    `Not in lab/bench/life-statements.ts. If a payment's life needs it, measure what it costs (npm run bench -- --only life) and
add it to LIFE; if a payment does not wait for it, add it to HOUSEKEEPING`,
  )
  assert.deepEqual(
    [...LIFE].filter((name) => !ofLife.has(name)),
    [],
    'In LIFE of lab/bench/life-statements.ts, and the life of a payment does without: remove it',
  )
})
