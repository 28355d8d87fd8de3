import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COOKIE, openRig, selfWith } from './support.ts'

// Channels of banks: how they look, and having one look.

const CHANNEL = {
  code: 'MYBANK',
  peer: 'acme@sftp.bank.example:22',
  hostKey: 'SHA256:q5tI0UhwPd1',
  everySeconds: 300,
  state: 'WORKS',
  failures: 0,
  waitingFiles: 2,
  lookedAt: '2026-11-21T10:15:30.123Z',
  succeededAt: '2026-11-21T10:15:30.123Z',
}
const STOPPED = {
  ...CHANNEL,
  code: 'OTHER',
  state: 'STOPPED',
  failures: 1,
  fault: { kind: 'HOST_KEY', message: 'it shows <another> key', since: '2026-11-21T10:00:00.000Z' },
}
const FILES = ['TAKEN', 'ASIDE', undefined].map((outcome, index) => ({
  fileNo: String(index),
  holds: index === 0 ? 'PAYOUT_REPORTS' : 'STATEMENTS',
  fileName: `<day-${index}>`,
  sha256: 'ab'.repeat(32),
  byteCount: 5_120,
  fetchedAt: '2026-11-21T10:15:30.123Z',
  ...(outcome !== undefined && { outcome }),
}))
const answers = {
  'GET /operator/me': selfWith('statements.read', 'institutions.change'),
  'GET /operator/bank-channels': { body: { data: [CHANNEL, STOPPED] } },
  'GET /operator/bank-channels/OTHER/files': { body: { data: FILES, nextCursor: 'next' } },
  'GET /operator/bank-channels/NONE/files': { body: { data: [] } },
}

test('each channel says how it is, and what is wrong', async (t) => {
  const rig = await openRig(t, answers)
  const text = await (await rig.get('/bank-files/channels')).text()
  assert.match(
    text,
    /<a href="\/bank-files\/channels\/MYBANK">[\s\S]*Works[\s\S]*acme@sftp\.bank\.example:22/,
  )
  assert.match(text, /OTHER[\s\S]*Stopped[\s\S]*it shows &lt;another&gt; key/)
})

test('where there is none, it says where they are named, and that no screen adds one', async (t) => {
  const rig = await openRig(t, { ...answers, 'GET /operator/bank-channels': { body: { data: [] } } })
  const text = await (await rig.get('/bank-files/channels')).text()
  assert.match(text, /TOLLGATE_BANK_CHANNELS_FILE/)
})

test('a channel that has stopped says what to do, what it brought, and is asked to look', async (t) => {
  const rig = await openRig(t, {
    ...answers,
    'POST /operator/bank-channels/OTHER/!look': { body: STOPPED },
  })
  const text = await (await rig.get('/bank-files/channels/OTHER')).text()
  assert.match(
    text,
    /it shows &lt;another&gt; key<\/b> \(since 21 Nov 2026, 10:00:00\)\. Nothing is tried until/,
  )
  assert.match(text, /Call the bank on a number you know/)
  assert.match(
    text,
    /&lt;day-0&gt;<\/b><span class="sub">Status report[\s\S]*Taken[\s\S]*Not taken[\s\S]*Waits/,
  )
  assert.match(text, /cursor=next/)
  const formToken = /name="formToken" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const answer = await rig.post('/bank-files/channels/OTHER/look', { formToken })
  assert.equal(answer.headers.get('location'), '/bank-files/channels/OTHER?done=asked')
  assert.match(
    await (await rig.get('/bank-files/channels/OTHER?done=asked')).text(),
    /the next look comes at once/,
  )
})

test('who may only read has no button, and a channel that there is not is said', async (t) => {
  const rig = await openRig(t, { ...answers, 'GET /operator/me': selfWith('statements.read') })
  assert.doesNotMatch(
    await (await rig.get('/bank-files/channels/OTHER')).text(),
    /bank-files\/channels\/OTHER\/look/,
  )
  const missing = await rig.get('/bank-files/channels/NONE')
  assert.match(await missing.text(), /There is no channel NONE/)
})

test('a payout file of which nobody can tell whether the bank has it stands out, until somebody says so', async (t) => {
  const file = (fileId: string, more: object) => ({
    fileId,
    accountCode: 'SANDBOX_EUR',
    currencyCode: 'EUR',
    format: 'PAIN_001_001_09',
    paymentCount: 1,
    controlSum: { amount: 70, currencyCode: 'EUR' },
    speed: 'NORMAL',
    executionOn: '2026-11-21',
    byteCount: 5_120,
    sha256: 'ab'.repeat(32),
    createdBy: 'operator:ada',
    createdAt: '2026-11-21T10:00:00.000Z',
    folder: 'NONE',
    channel: { code: 'MYBANK', state: 'UNCLEAR', changedAt: '2026-11-21T10:05:00.000Z' },
    ...more,
  })
  const data = [file('TG1', {}), file('TG2', { submittedAt: '2026-11-21T11:00:00.000Z' })]
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('payout-files.read'),
    'GET /operator/payout-files': { body: { data } },
  })
  const text = await (await rig.get('/bank-files')).text()
  assert.match(text, /Unclear: ask the bank[\s\S]*TG1[\s\S]*Submitted[\s\S]*TG2/)
  assert.equal(text.match(/Unclear/g)?.length, 1)
})

test('the list of a channel that brought fifty files is light', async (t) => {
  const data = Array.from({ length: 50 }, (_, index) => ({
    ...FILES[0],
    fileNo: String(index),
    fileName: `day-${index}.xml`,
  }))
  const rig = await openRig(t, { ...answers, 'GET /operator/bank-channels/OTHER/files': { body: { data } } })
  const answer = await fetch(`${rig.url}/bank-files/channels/OTHER`, {
    headers: { cookie: COOKIE, 'accept-encoding': 'br' },
  })
  const sent = Number(answer.headers.get('content-length'))
  assert.ok(sent > 0 && sent <= 40_000, String(sent))
})
