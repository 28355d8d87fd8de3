import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SftpQuestion } from '@tollgate/testkit/sftp'
import { ChannelFault, type ChannelFaultKind } from '../errors.ts'
import type { BankLink, Put } from '../link.ts'
import type { ChannelSource } from '../model.ts'
import { asked, type Bank, openBank } from './bank.ts'

const SOURCE: ChannelSource = {
  directory: '/out',
  holds: 'STATEMENTS',
  names: '*',
  marker: undefined,
  afterwards: { kind: 'DELETE' },
}
const PUT: Put = { name: 'TG1.xml', attempt: 1, bytes: Buffer.from('<pain/>'.repeat(20_000)) }

const open = (bank: Bank): Promise<BankLink> => bank.driver().open(new AbortController().signal)
const namesOf = async (link: BankLink, source = SOURCE) => {
  const { files, hasUnfinished } = await link.offers(source)
  return [...files.map(({ name }) => name), ...(hasUnfinished ? ['…'] : [])]
}
const fault = (kind: ChannelFaultKind, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ChannelFault, String(error))
  assert.deepEqual([error.kind, message.test(error.message)], [kind, true], error.message)
  return true
}

test('a file is offered when it looks the same twice, also in two conversations, and read whole', async (t) => {
  const bank = await openBank(t)
  const driver = bank.driver()
  const text = 'statement '.repeat(10_000)
  writeFileSync(bank.path('out/day.xml'), text)
  const first = await driver.open(new AbortController().signal)
  assert.deepEqual(await namesOf(first), ['…'])
  await first.close()
  const link = await driver.open(new AbortController().signal)
  assert.deepEqual(await namesOf(link), ['day.xml'])
  appendFileSync(bank.path('out/day.xml'), 'more')
  assert.deepEqual(await namesOf(link), ['…'], 'it grows')
  const { files } = await link.offers(SOURCE)
  const [day] = files
  assert.ok(day)
  assert.equal((await link.read(day)).toString(), `${text}more`)
  await link.clear(SOURCE, day)
  assert.deepEqual(readdirSync(bank.path('out')), [])
  await link.close()
})

test('D55 a file that is written to while it is read is not taken', async (t) => {
  const bank = await openBank(t)
  writeFileSync(bank.path('out/day.xml'), 'a'.repeat(100_000))
  const link = await open(bank)
  await link.offers(SOURCE)
  const [day] = (await link.offers(SOURCE)).files
  assert.ok(day)
  bank.server.setTrouble(({ what }) => {
    if (what === 'READ') appendFileSync(bank.path('out/day.xml'), 'b')
    return undefined
  })
  await assert.rejects(link.read(day), fault('FILE', /was written to while it was read/))
  bank.server.setTrouble(undefined)
  // The same size, and another time of change.
  const [again] = (await link.offers(SOURCE)).files.concat((await link.offers(SOURCE)).files)
  assert.ok(again)
  utimesSync(bank.path('out/day.xml'), 1, 1)
  await assert.rejects(link.read(again), fault('FILE', /was written to/))
})

test('D55 only plain files that the source means are offered, by marker where the bank sets one', async (t) => {
  const bank = await openBank(t)
  for (const name of ['a.xml', 'b.txt', '.hidden.xml', 'c.xml', 'c.xml.ok', 'report-1.xml'])
    writeFileSync(bank.path(`out/${name}`), name)
  mkdirSync(bank.path('out/folder.xml'))
  const link = await open(bank)
  const offersOf = async (source: Partial<ChannelSource>) => {
    await link.offers({ ...SOURCE, ...source })
    return namesOf(link, { ...SOURCE, ...source })
  }
  assert.deepEqual(await offersOf({ names: '*.xml' }), ['a.xml', 'c.xml', 'report-1.xml'])
  assert.deepEqual(await offersOf({ names: 'report-*' }), ['report-1.xml'])
  assert.deepEqual(await offersOf({ names: '*.xml', marker: '.ok' }), ['c.xml'])
  const [marked] = (await link.offers({ ...SOURCE, marker: '.ok' })).files
  assert.ok(marked)
  await link.clear({ ...SOURCE, marker: '.ok' }, marked)
  assert.deepEqual(readdirSync(bank.path('out')).toSorted(), [
    '.hidden.xml',
    'a.xml',
    'b.txt',
    'folder.xml',
    'report-1.xml',
  ])
  await assert.rejects(
    link.offers({ ...SOURCE, directory: '/nowhere' }),
    fault('REFUSED', /refuses listing \/nowhere/),
  )
})

test('what is archived keeps its bytes, also beside a file of its name; what is left is not read again', async (t) => {
  const bank = await openBank(t)
  mkdirSync(bank.path('archive'))
  writeFileSync(bank.path('archive/day.xml'), 'of yesterday')
  writeFileSync(bank.path('out/day.xml'), 'of today')
  const link = await open(bank)
  const archiving: ChannelSource = { ...SOURCE, afterwards: { kind: 'ARCHIVE', directory: '/archive' } }
  await link.offers(archiving)
  const [day] = (await link.offers(archiving)).files
  assert.ok(day)
  await link.clear(archiving, day)
  const kept = readdirSync(bank.path('archive')).map((name) =>
    readFileSync(bank.path(`archive/${name}`), 'utf8'),
  )
  assert.deepEqual(kept.toSorted(), ['of today', 'of yesterday'])

  const leaving: ChannelSource = { ...SOURCE, afterwards: { kind: 'LEAVE' } }
  writeFileSync(bank.path('out/stays.xml'), 'stays')
  await link.offers(leaving)
  const [stays] = (await link.offers(leaving)).files
  assert.ok(stays)
  await link.clear(leaving, stays)
  assert.deepEqual(await namesOf(link, leaving), [])
  writeFileSync(bank.path('out/stays.xml'), 'stays, and changed')
  await link.offers(leaving)
  assert.deepEqual(await namesOf(link, leaving), ['stays.xml'])
})

test('D53 another host key ends it before anything is said, and names both fingerprints', async (t) => {
  const bank = await openBank(t)
  await (await open(bank)).close()
  const pinned = bank.server.hostKey
  const shown = bank.server.changeHostKey()
  assert.notEqual(shown, pinned)
  await assert.rejects(open(bank), (error) => {
    fault('HOST_KEY', /Nothing was sent/)(error)
    assert.ok(error instanceof Error && error.message.includes(shown) && error.message.includes(pinned))
    return true
  })
})

test('a bank that does not let us in, has no answer, or no key to show it: each is said apart', async (t) => {
  const bank = await openBank(t)
  bank.server.setOpen(false)
  await assert.rejects(open(bank), fault('SIGN_IN', /does not let acme in with this key/))
  writeFileSync(bank.keyFile, 'no key')
  await assert.rejects(open(bank), fault('SIGN_IN', /private key .* cannot be used/))
  await assert.rejects(
    bank.driver({ keyFile: join(bank.directory, 'nowhere') }).open(new AbortController().signal),
    fault('SIGN_IN', /cannot be read/),
  )
  const elsewhere = await openBank(t)
  await assert.rejects(
    elsewhere.driver({ port: 1 }).open(new AbortController().signal),
    fault('UNREACHABLE', /cannot be reached/),
  )
})

test('a put lies under a name of its attempt until it is released, and is asked for in every state', async (t) => {
  const bank = await openBank(t)
  const link = await open(bank)
  await link.stage(PUT)
  assert.deepEqual(readdirSync(bank.path('in')), ['TG1.xml.1.part'])
  assert.deepEqual(await link.ask(asked(PUT)), { kind: 'STAGED' })
  await link.release(PUT)
  assert.deepEqual(readFileSync(bank.path('in/TG1.xml')), PUT.bytes)
  assert.deepEqual(await link.ask(asked(PUT)), { kind: 'RELEASED' })
  const next = { ...PUT, attempt: 2 }
  await link.stage(next)
  assert.equal((await link.ask(asked(next))).kind, 'UNKNOWN', 'another file has the name')
  await assert.rejects(link.release(next), fault('REFUSED', /renaming/))
  const gone = await link.ask(asked({ ...PUT, name: 'TG2.xml' }))
  assert.match(gone.kind === 'UNKNOWN' ? gone.why : '', /Neither .* is there/)
  writeFileSync(bank.path('in/TG3.xml'), 'of somebody else')
  assert.equal((await link.ask(asked({ ...PUT, name: 'TG3.xml' }))).kind, 'UNKNOWN')
  assert.deepEqual(bank.server.renamed, ['/in/TG1.xml'])
})

test('what an attempt before left behind is removed by the next one', async (t) => {
  const bank = await openBank(t)
  let link = await open(bank)
  let writes = 0
  bank.server.setTrouble(({ what }) => {
    if (what === 'WRITE') writes += 1
    return writes === 2 ? 'CUT' : undefined
  })
  await assert.rejects(link.stage(PUT), fault('UNREACHABLE', /broke at writing/))
  bank.server.setTrouble(undefined)
  link = await open(bank)
  await link.stage({ ...PUT, attempt: 2 })
  assert.deepEqual(readdirSync(bank.path('in')), ['TG1.xml.2.part'])
})

const QUESTIONS: readonly SftpQuestion['what'][] = ['LOOK', 'OPEN', 'WRITE', 'CLOSE', 'RENAME']
for (const what of QUESTIONS)
  test(`a connection that is cut at ${what} is UNREACHABLE, whether or not the bank did it`, async (t) => {
    const bank = await openBank(t)
    for (const trouble of ['CUT', 'CUT_AFTER'] as const) {
      const put = { ...PUT, name: `${what}-${trouble}.xml` }
      bank.server.setTrouble((question) => (question.what === what ? trouble : undefined))
      const link = await open(bank)
      await assert.rejects(
        (async () => {
          await link.stage(put)
          await link.release(put)
        })(),
        fault('UNREACHABLE', /connection to .* broke at/),
      )
    }
  })

test('a bank that does not answer any more ends the conversation, and so does who wants to stop', async (t) => {
  const bank = await openBank(t)
  const link = await bank.driver({ answerMs: 100 }).open(new AbortController().signal)
  bank.server.setTrouble(() => 'SILENT')
  await assert.rejects(link.offers(SOURCE), fault('UNREACHABLE', /broke at listing/))
  const stopping = new AbortController()
  bank.server.setTrouble(undefined)
  const other = await bank.driver().open(stopping.signal)
  bank.server.setTrouble(() => {
    stopping.abort()
    return 'SILENT'
  })
  await assert.rejects(other.offers(SOURCE), fault('UNREACHABLE', /broke at listing/))
})
