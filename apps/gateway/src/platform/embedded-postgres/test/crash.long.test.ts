import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { PostmasterExit } from '../index.ts'
import { insertUntilCut, postmasterPid, query, testDirectory } from './support.ts'

const WRITER = fileURLToPath(new URL('writer-process.ts', import.meta.url))
const ACKNOWLEDGED_BEFORE_KILL = 200

test('after kill -9 of its owner the server is replaced, and every acknowledged row is there', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const writer = spawn(process.execPath, [WRITER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(writer, 'exit')
  let acknowledged = 0
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged = Number(line)
    if (acknowledged === ACKNOWLEDGED_BEFORE_KILL) writer.kill('SIGKILL')
  }
  await ended
  assert.ok(acknowledged >= ACKNOWLEDGED_BEFORE_KILL)
  const orphan = postmasterPid(dataDir)
  assert.doesNotThrow(() => process.kill(orphan, 0), 'the server outlives its owner')
  const server = await start()
  assert.equal(server.replacedOrphan, true)
  assert.notEqual(postmasterPid(dataDir), orphan)
  const rows = await query(
    server.ownerUrl,
    `select count(*)::int as n from counted where n <= ${acknowledged}`,
  )
  assert.deepEqual(rows, [{ n: acknowledged }])
})

test('after kill -9 of the server, restart brings it back on the same address with every acknowledged row', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const exits: PostmasterExit[] = []
  const { promise: exited, resolve } = Promise.withResolvers<PostmasterExit>()
  const server = await start({
    onExit: (exit) => {
      exits.push(exit)
      resolve(exit)
    },
  })
  const memory = sharedMemory(postmasterPid(dataDir))
  let acknowledged = 0
  await insertUntilCut(server.ownerUrl, (n) => {
    acknowledged = n
    if (n === ACKNOWLEDGED_BEFORE_KILL) process.kill(postmasterPid(dataDir), 'SIGKILL')
  })
  await exited
  assert.equal(exits[0]?.signal, 'SIGKILL')
  await Promise.all([server.restart(), server.restart()])
  const rows = await query(
    server.ownerUrl,
    `select count(*)::int as n from counted where n <= ${acknowledged}`,
  )
  assert.deepEqual(rows, [{ n: acknowledged }])
  assert.ok(acknowledged >= ACKNOWLEDGED_BEFORE_KILL)
  assert.equal(exits.length, 1)
  assert.deepEqual(
    memory.filter((file) => existsSync(file)),
    [],
    'the start removes what the killed one left in /dev/shm',
  )
})

/** The files of shared memory that a process has open; none where the system does not show them. */
function sharedMemory(pid: number): readonly string[] {
  const maps = `/proc/${pid}/maps`
  return existsSync(maps)
    ? [...new Set(readFileSync(maps, 'utf8').match(/\/dev\/shm\/PostgreSQL\.\d+/g))]
    : []
}

test('a session that outlives its killed server and hears nothing does not keep the next one from starting', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const { promise: exited, resolve } = Promise.withResolvers<PostmasterExit>()
  const server = await start({ onExit: resolve })
  const client = new pg.Client({ connectionString: server.url })
  client.on('error', () => undefined)
  await client.connect()
  const [session] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  const pid = session?.pid ?? assert.fail('the session has no process')
  t.after(() => spawnSync('kill', ['-KILL', String(pid)], { stdio: 'ignore' }))
  // As deaf as one that waits for a lock whose holder is dead.
  process.kill(pid, 'SIGSTOP')
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await exited
  await server.restart()
  assert.deepEqual(await query(server.url, 'select 1 as alive'), [{ alive: 1 }])
})

test('a restart of a living server and a stop are not reported as an exit, and a stopped server stays stopped', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const exits: PostmasterExit[] = []
  const server = await start({ onExit: (exit) => exits.push(exit) })
  const before = postmasterPid(dataDir)
  await server.restart()
  assert.notEqual(postmasterPid(dataDir), before)
  assert.deepEqual(await query(server.url, 'select 1 as alive'), [{ alive: 1 }])
  await Promise.all([server.stop(), server.stop()])
  await assert.rejects(server.restart(), /has been stopped/)
  await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/)
  assert.deepEqual(exits, [])
})

test('Ctrl-C to the process group of the owner does not reach the server', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const writer = spawn(process.execPath, [WRITER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = once(writer, 'exit')
  await once(createInterface({ input: writer.stdout }), 'line')
  process.kill(-(writer.pid ?? assert.fail('the writer has no pid')), 'SIGINT')
  await ended
  assert.equal((await start()).replacedOrphan, true)
})
