import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TestLife } from '@tollgate/testkit'
import { ConfigError, readConfig } from '../src/config.ts'
import { SECRET, temporaryFolder } from './support.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

type Environment = Readonly<Record<string, string>>

const minimal = (folder: string): Environment => ({
  SIMULATOR_PORT: '0',
  SIMULATOR_DATA_DIR: folder,
  SIMULATOR_SECRET: SECRET.toString('base64'),
  SIMULATOR_ADMIN_KEY: 'key',
})

function run(t: TestLife, environment: Environment): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  t.after(() => void child.kill('SIGKILL'))
  return child
}

async function addressOf(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message')
  assert.equal(message.type, 'OPEN')
  return message.url
}

test('it says when it is open, and SIGTERM ends it with 0', async (t) => {
  const child = run(t, minimal(temporaryFolder(t)))
  const url = await addressOf(child)
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const answer = await fetch(`${url}/admin/mood`, { headers: { authorization: 'Bearer key' } })
  assert.deepEqual(await answer.json(), { mood: 'NORMAL' })
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('it ends when whoever started it is gone', async (t) => {
  const child = run(t, minimal(temporaryFolder(t)))
  await addressOf(child)
  child.disconnect()
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a port that is taken, a setting that is wrong and a journal that is damaged get one sentence each', async (t) => {
  const folder = temporaryFolder(t)
  const first = run(t, minimal(folder))
  const { port } = new URL(await addressOf(first))
  const damaged = temporaryFolder(t)
  writeFileSync(join(damaged, 'bank.jsonl'), 'no JSON\n')
  for (const [settings, says] of [
    [{ ...minimal(temporaryFolder(t)), SIMULATOR_PORT: port }, /EADDRINUSE/],
    [{ ...minimal(folder), SIMULATOR_SECRET: 'short' }, /^SIMULATOR_SECRET must be 32 bytes or more/],
    [minimal(damaged), /^Line 1 of .* cannot be read\.$/],
  ] as const) {
    const child = run(t, settings)
    assert.ok(child.stderr)
    const [said] = await Promise.all([text(child.stderr), once(child, 'exit')])
    assert.match(said.trim(), says)
    assert.equal(said.trim().split('\n').length, 1)
    assert.equal(child.exitCode, 2)
  }
})

test('secrets may be in files, and a gateway is told where one is named', (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'secret')
  writeFileSync(file, `${SECRET.toString('base64')}\n`)
  const { SIMULATOR_SECRET: _inFile, ...rest } = minimal(folder)
  const settings = readConfig({
    ...rest,
    SIMULATOR_SECRET_FILE: file,
    SIMULATOR_GATEWAY_URL: 'http://127.0.0.1:8080/',
  })
  assert.deepEqual(Buffer.from(settings.secret), SECRET)
  assert.deepEqual(settings.gateway, { url: 'http://127.0.0.1:8080', railCode: 'simulator' })
  assert.equal(settings.host, '127.0.0.1')
  for (const wrong of [
    { SIMULATOR_SECRET_FILE: join(folder, 'none') },
    { SIMULATOR_SECRET: '' },
    { SIMULATOR_SECRET: 'AAAA' },
    { SIMULATOR_PORT: '80.5' },
    { SIMULATOR_PORT: '65536' },
    { SIMULATOR_ADMIN_KEY: '' },
    { SIMULATOR_GATEWAY_URL: 'ftp://x' },
    { SIMULATOR_GATEWAY_URL: 'http://x', SIMULATOR_RAIL_CODE: '../x' },
  ]) {
    const environment = 'SIMULATOR_SECRET_FILE' in wrong ? rest : minimal(folder)
    assert.throws(() => readConfig({ ...environment, ...wrong }), ConfigError, JSON.stringify(wrong))
  }
})
