import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { waitUntil } from '@tollgate/testkit'
import { openLogFile } from '../log-file.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const until = (what: string, isSo: () => boolean): Promise<void> =>
  waitUntil(isSo, { timeoutMs: 5_000, what })

test('the log is appended to, and only its owner may read it, also one that others could', async (t) => {
  const file = join(folder(t), 'gateway.log')
  writeFileSync(file, 'before\n')
  chmodSync(file, 0o644)
  const log = createLog({ level: 'info', destination: openLogFile(file) })
  log.info({ n: 1 }, 'after')
  await until('the line', () => readFileSync(file, 'utf8').includes('"msg":"after"'))
  assert.match(readFileSync(file, 'utf8'), /^before\n\{/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('a full log is put aside and a new one begun: few files, each of its size, no line lost or torn between two', async (t) => {
  const path = folder(t)
  const file = join(path, 'gateway.log')
  const destination = openLogFile(file, { bytesMax: 100, oldFilesMax: 3 })
  const lines = Array.from({ length: 60 }, (_, n) => `line ${String(n).padStart(4, '0')}\n`)
  for (const line of lines) destination.write(line)
  const names = ['gateway.log.3', 'gateway.log.2', 'gateway.log.1', 'gateway.log']
  const kept = (): string => names.map((name) => readFileSync(join(path, name), 'utf8')).join('')
  await until('the last line', () => kept().endsWith(lines.at(-1) ?? ''))
  assert.deepEqual(readdirSync(path).sort(), names.toReversed())
  // Ten bytes a line, ten lines a file; of the six files that were begun the newest four are there.
  assert.equal(kept(), lines.slice(20).join(''))
  for (const name of names) assert.equal(statSync(join(path, name)).mode & 0o777, 0o600)
})

test('a log that cannot be written loses lines, and goes on when it can be', async (t) => {
  const path = folder(t)
  const file = join(path, 'gateway.log')
  const destination = openLogFile(file, { bytesMax: 20 })
  destination.write('the first line of all\n')
  await until('the first line', () => statSync(file).size > 0)
  rmSync(path, { recursive: true })
  destination.write('nobody reads this line\n')
  destination.write('nor this one\n')
  mkdirSync(path)
  destination.write('it goes on\n')
  await until('the log to go on', () => readFileSync(file, 'utf8') === 'it goes on\n')
})
