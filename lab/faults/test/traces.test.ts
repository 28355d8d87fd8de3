import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { test } from 'node:test'
import type { Member } from '../setup/member.ts'
import { findSecrets, findTraces } from '../setup/traces.ts'

const FILES = 250

test('a secret in a log is found, and not told again as a whole', () => {
  const output = '{"level":"info","msg":"paid by DE89370400440532013000"}'
  assert.deepEqual(findSecrets(output, ['not there', 'DE89370400440532013000']), [
    { invariant: 'I16', says: 'a process has written "DE8937…" into its log' },
  ])
})

test('a process that forgets files is found', (t) => {
  const member: Pick<Member, 'pid' | 'takeOutput'> = { pid: () => process.pid, takeOutput: () => '' }
  assert.deepEqual(findTraces([member], ['a secret']), [])
  const files = Array.from({ length: FILES }, () => openSync(import.meta.filename, 'r'))
  t.after(() => files.forEach(closeSync))
  assert.deepEqual(
    findTraces([member], ['a secret']).map(({ invariant }) => invariant),
    ['I18'],
  )
})
