import assert from 'node:assert/strict'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { deriveKeys, signRequest } from '@tollgate/rail-protocol'
import { createLog } from '@tollgate/runtime/log'
import { SIGN_PATH, SIGNER_KEY_ID, STATUS_PATH } from '@tollgate/signer-protocol'
import type { TestLife } from '@tollgate/testkit'
import { holdAlone, NotAlone } from '../src/alone.ts'
import { serveSigner } from '../src/server.ts'
import { NOON_MS, openSigner, question, SECRET, temporaryFolder } from './support.ts'

async function openServer(t: TestLife, more: { readonly sign?: () => Promise<never> } = {}) {
  const { signer, record } = await openSigner(t)
  const socket = join(temporaryFolder(t), 's.sock')
  const broken: unknown[] = []
  const server = await serveSigner({
    socket,
    secret: SECRET,
    signer: { ...signer, ...more },
    nowMs: () => NOON_MS,
    log: createLog({ level: 'silent' }),
    onBroken: (error) => void broken.push(error),
  })
  t.after(() => server.close())
  return { socket, record, broken }
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly body?: string
  readonly secret?: Buffer
  readonly atSeconds?: number
  readonly sentBody?: string
}

function ask(
  socketPath: string,
  asked: Asked = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { method = 'POST', path = SIGN_PATH, body = JSON.stringify(question()) } = asked
  const headers = signRequest(deriveKeys(asked.secret ?? SECRET).gateway, {
    keyId: SIGNER_KEY_ID,
    method,
    path,
    body,
    timestampSeconds: asked.atSeconds ?? NOON_MS / 1000,
  })
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, method, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asking.on('error', reject)
    asking.end(asked.sentBody ?? body)
  })
}

test('who has the secret gets a signature, and is told the wallet', async (t) => {
  const { socket } = await openServer(t)
  const signed = await ask(socket)
  assert.deepEqual([signed.status, /"kind":"SIGNED"/.test(signed.text)], [200, true])
  assert.match((await ask(socket, { method: 'GET', path: STATUS_PATH, body: '' })).text, /"address":"0x/)
})

test('D62 who has not, changes what was asked, or asks too late gets nothing', async (t) => {
  const { socket, record } = await openServer(t)
  assert.equal((await ask(socket, { secret: Buffer.alloc(32, 9) })).status, 401)
  assert.equal((await ask(socket, { sentBody: JSON.stringify(question({ units: '999' })) })).status, 401)
  assert.equal((await ask(socket, { atSeconds: NOON_MS / 1000 - 301 })).status, 401)
  assert.equal(record.lines(), 0)
})

test('what is no question is said, and what is too long is not read', async (t) => {
  const { socket, record } = await openServer(t)
  assert.equal((await ask(socket, { body: '{}' })).status, 400)
  assert.equal((await ask(socket, { body: JSON.stringify({ ...question(), to: 'x' }) })).status, 400)
  assert.equal((await ask(socket, { path: '/keys' })).status, 404)
  assert.equal((await ask(socket, { body: 'x'.repeat(20_000) })).status, 413)
  assert.equal(record.lines(), 0)
})

test('where the record cannot be written, nothing is signed, and whoever runs it is told', async (t) => {
  const { socket, broken } = await openServer(t, { sign: () => Promise.reject(new Error('no space left')) })
  assert.equal((await ask(socket)).status, 503)
  assert.equal(broken.length, 1)
})

test('D60 two processes never have one record', {
  skip: process.platform !== 'linux' && 'only Linux has such names',
}, async (t) => {
  const file = join(temporaryFolder(t), 'record.jsonl')
  const first = await holdAlone(file)
  await assert.rejects(holdAlone(file), NotAlone)
  await first.release()
  await (await holdAlone(file)).release()
})
