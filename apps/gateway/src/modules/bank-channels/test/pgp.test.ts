import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import {
  createMessage,
  decrypt,
  encrypt,
  enums,
  type PrivateKey,
  type PublicKey,
  readMessage,
  sign,
} from 'openpgp'
import { ChannelFault, type ChannelFaultKind } from '../errors.ts'
import type { BankLink, Put } from '../link.ts'
import { CHANNEL_FILE_BYTES_MAX, type ChannelSource } from '../model.ts'
import { hasPgp, type PgpFiles, withPgp } from '../pgp.ts'
import { asked, type Bank, openBank } from './bank.ts'
import { makePair, type PgpPair } from './pgp-keys.ts'

const SOURCE: ChannelSource = {
  directory: '/out',
  holds: 'STATEMENTS',
  names: '*',
  marker: undefined,
  afterwards: { kind: 'DELETE' },
}
const TEXT = 'statement '.repeat(1_000)
const PUT: Put = { name: 'TG1.xml', attempt: 1, bytes: Buffer.from('<pain/>'.repeat(2_000)) }

interface PgpBank {
  readonly bank: Bank
  readonly folder: string
  readonly theirs: PgpPair
  readonly ours: PgpPair
  open(given?: Partial<PgpFiles>): Promise<BankLink>
  /** Lays out a file, and reads it as the gateway does. */
  take(link: BankLink, content: string | Uint8Array): Promise<Buffer>
}

function temporaryFolder(t: TestLife): string {
  const folder = mkdtempSync(join(tmpdir(), 'pgp-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openPgpBank(t: TestLife): Promise<PgpBank> {
  const [bank, folder] = [await openBank(t), temporaryFolder(t)]
  const [theirs, ours] = [await makePair(folder, 'bank'), await makePair(folder, 'own')]
  let count = 0
  return {
    bank,
    folder,
    theirs,
    ours,
    open: (given) =>
      withPgp(bank.driver(), {
        bankKeyFile: theirs.publicFile,
        keyFile: ours.privateFile,
        passphraseFile: undefined,
        ...given,
      }).open(new AbortController().signal),
    async take(link, content) {
      count += 1
      const name = `${count}.pgp`
      writeFileSync(bank.path(`out/${name}`), content)
      await link.offers(SOURCE)
      const offered = (await link.offers(SOURCE)).files.find((each) => each.name === name)
      assert.ok(offered)
      return link.read(offered)
    },
  }
}

const fault = (kind: ChannelFaultKind, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ChannelFault, String(error))
  assert.deepEqual([error.kind, message.test(error.message)], [kind, true], error.message)
  return true
}

interface Sealing {
  readonly to: PublicKey
  readonly by?: PrivateKey
}

const seal = async (text: string, { to, by }: Sealing): Promise<string> =>
  encrypt({
    message: await createMessage({ text }),
    encryptionKeys: to,
    ...(by !== undefined && { signingKeys: by }),
  })

test('what the bank signed and encrypted is read in clear: armoured, binary and compressed', async (t) => {
  const { open, take, theirs, ours } = await openPgpBank(t)
  const link = await open()
  const message = await createMessage({ text: TEXT })
  const keys = { encryptionKeys: ours.publicKey, signingKeys: theirs.privateKey }
  const compressed = { preferredCompressionAlgorithm: enums.compression.zlib }
  assert.equal((await take(link, await encrypt({ message, ...keys }))).toString(), TEXT)
  assert.equal((await take(link, await encrypt({ message, ...keys, format: 'binary' }))).toString(), TEXT)
  assert.equal((await take(link, await encrypt({ message, ...keys, config: compressed }))).toString(), TEXT)
  await link.close()
})

test('D66 what is not encrypted to us and signed by the bank is not taken, and stays at the bank', async (t) => {
  const { bank, folder, open, take, theirs, ours } = await openPgpBank(t)
  const link = await open()
  const stranger = await makePair(folder, 'stranger')
  const good = await seal(TEXT, { to: ours.publicKey, by: theirs.privateKey })
  const bytes: Uint8Array = await encrypt({
    message: await createMessage({ text: TEXT }),
    encryptionKeys: ours.publicKey,
    signingKeys: theirs.privateKey,
    format: 'binary',
  })
  const damaged = Uint8Array.from(bytes)
  damaged[bytes.length - 30] = (damaged[bytes.length - 30] ?? 0) ^ 1
  const bomb = await encrypt({
    message: await createMessage({ binary: new Uint8Array(CHANNEL_FILE_BYTES_MAX + 1) }),
    encryptionKeys: ours.publicKey,
    signingKeys: theirs.privateKey,
    config: { preferredCompressionAlgorithm: enums.compression.zlib },
  })
  const refused: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['in clear', TEXT, /it is no message of OpenPGP/],
    ['empty', '', /it is no message of OpenPGP|our key does not open it/],
    ['cut off', good.slice(0, good.length / 2), /it is no message of OpenPGP|our key does not open it/],
    ['damaged', damaged, /our key does not open it/],
    [
      'encrypted to somebody else',
      await seal(TEXT, { to: stranger.publicKey, by: theirs.privateKey }),
      /it is not encrypted to our key/,
    ],
    ['signed by nobody', await seal(TEXT, { to: ours.publicKey }), /nobody has signed it/],
    [
      'signed by somebody else',
      await seal(TEXT, { to: ours.publicKey, by: stranger.privateKey }),
      /the bank's key has not signed it/,
    ],
    [
      'signed by us',
      await seal(TEXT, { to: ours.publicKey, by: ours.privateKey }),
      /the bank's key has not signed it/,
    ],
    [
      'signed, and not encrypted',
      await sign({ message: await createMessage({ text: TEXT }), signingKeys: theirs.privateKey }),
      /it is not encrypted to our key/,
    ],
    ['larger than any file when it is unpacked', bomb, /our key does not open it \(.*[Mm]aximum/],
  ]
  for (const [what, content, says] of refused)
    await assert.rejects(take(link, content), fault('FILE', says), what)
  assert.equal(readdirSync(bank.path('out')).length, refused.length)
  // Others go on.
  assert.equal((await take(link, good)).toString(), TEXT)
  await link.close()
})

test('D66 a key of the bank that has ended, or was revoked for any reason, is not believed, whatever date a signature has', async (t) => {
  const { folder, open, take, ours } = await openPgpBank(t)
  const madeAt = new Date(Date.now() - 7_200_000)
  const expired = await makePair(folder, 'expired', { madeAt, expiresSeconds: 3_600 })
  const date = new Date(Date.now() - 5_400_000)
  const message = await createMessage({ text: TEXT, date })
  const signed = await sign({ message, signingKeys: expired.privateKey, date, format: 'object' })
  const whileGood = await encrypt({ message: signed, encryptionKeys: ours.publicKey })
  const link = await open({ bankKeyFile: expired.publicFile })
  await assert.rejects(take(link, whileGood), fault('FILE', /the bank's key has not signed it \(.*expired/))
  await assert.rejects(link.stage(PUT), fault('FILE', /TG1\.xml cannot be encrypted to the bank: .*expired/))
  await link.close()
  for (const flag of [enums.reasonForRevocation.keySuperseded, enums.reasonForRevocation.keyCompromised]) {
    const revoked = await makePair(folder, `revoked-${flag}`, { madeAt })
    const past = await sign({ message, signingKeys: revoked.privateKey, date, format: 'object' })
    await revoked.revoke(flag)
    const other = await open({ bankKeyFile: revoked.publicFile })
    const bySuch = await encrypt({ message: past, encryptionKeys: ours.publicKey })
    await assert.rejects(take(other, bySuch), fault('FILE', /the bank's key has not signed it \(.*revoked/))
    await assert.rejects(other.stage(PUT), fault('FILE', /cannot be encrypted to the bank: .*revoked/))
    await other.close()
  }
})

test('what is put is encrypted to the bank and signed by us, under a name of its own, and found again by its length', async (t) => {
  const { bank, open, theirs, ours } = await openPgpBank(t)
  const link = await open()
  const byteCount = await link.stage(PUT)
  assert.deepEqual(readdirSync(bank.path('in')), ['TG1.xml.pgp.1.part'])
  assert.ok(byteCount > PUT.bytes.length)
  assert.deepEqual(await link.ask(asked(PUT, byteCount)), { kind: 'STAGED' })
  await link.release(PUT)
  assert.deepEqual(await link.ask(asked(PUT, byteCount)), { kind: 'RELEASED' })
  assert.equal(
    (await link.ask(asked(PUT, byteCount - 1))).kind,
    'UNKNOWN',
    'it is not as long as what was sent',
  )
  const message = await readMessage({ binaryMessage: readFileSync(bank.path('in/TG1.xml.pgp')) })
  const opened = await decrypt({
    message,
    decryptionKeys: theirs.privateKey,
    verificationKeys: ours.publicKey,
    expectSigned: true,
    format: 'binary',
  })
  assert.deepEqual(Buffer.from(opened.data), PUT.bytes)
  assert.equal((await link.ask(asked({ ...PUT, name: 'TG2.xml' }))).kind, 'UNKNOWN')
  // Encrypted anew, in the place of what was begun.
  const next = { ...PUT, name: 'TG3.xml' }
  await link.stage(next)
  await link.stage({ ...next, attempt: 2 })
  assert.deepEqual(readdirSync(bank.path('in')), ['TG1.xml.pgp', 'TG3.xml.pgp.2.part'])
  await link.close()
})

test('D66 keys that cannot be used stop the channel before the bank is asked, in a sentence that repeats nothing of them', async (t) => {
  const { bank, folder, open, theirs, ours } = await openPgpBank(t)
  const locked = await makePair(folder, 'locked', { passphrase: 'open sesame' })
  const words = (text: string): string => {
    writeFileSync(join(folder, 'words'), text)
    return join(folder, 'words')
  }
  const none = join(folder, 'none')
  const wrong: readonly (readonly [Partial<PgpFiles>, RegExp])[] = [
    [{ bankKeyFile: none }, /none cannot be read as a key of OpenPGP: ENOENT/],
    [{ bankKeyFile: words('no key') }, /words cannot be read as a key of OpenPGP/],
    [
      {
        bankKeyFile: words(
          `${readFileSync(theirs.publicFile, 'utf8')}\n${readFileSync(ours.publicFile, 'utf8')}`,
        ),
      },
      /cannot be read|must hold one key/,
    ],
    [{ bankKeyFile: theirs.privateFile }, /bank\.key is a private key\. If it is the bank's, it is burnt/],
    [{ keyFile: ours.publicFile }, /own\.pub has no private part/],
    [{ keyFile: locked.privateFile }, /locked\.key has a passphrase: pgp\.passphraseFile must name/],
    [
      { keyFile: locked.privateFile, passphraseFile: words('open barley') },
      /locked\.key is not opened by what is in .*words: .*Incorrect key passphrase/,
    ],
  ]
  for (const [given, says] of wrong)
    await assert.rejects(open(given), (error) => {
      assert.doesNotMatch(String(error), /barley|BEGIN/)
      return fault('SIGN_IN', says)(error)
    })
  assert.deepEqual(bank.server.renamed, [])
  const link = await open({ keyFile: locked.privateFile, passphraseFile: words('open sesame\n') })
  await link.close()
})

test('whether the package is there is known without loading it', () => {
  assert.equal(hasPgp(), true)
  const missing = (): never => {
    throw new Error('Cannot find package')
  }
  assert.equal(hasPgp(missing), false)
})

const GPG = 'gpg'
const hasGpg = (() => {
  try {
    execFileSync(GPG, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test('GnuPG opens and believes what we put, and we what it signs and encrypts', {
  skip: hasGpg ? false : 'there is no gpg on this machine (Debian: apt-get install gnupg)',
}, async (t) => {
  const { bank, open, take, theirs, ours } = await openPgpBank(t)
  const home = temporaryFolder(t)
  const gpg = (...words: readonly string[]): Buffer =>
    execFileSync(GPG, ['--homedir', home, '--batch', '--yes', '--trust-model', 'always', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  t.after(() => execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'], { stdio: 'ignore' }))
  gpg('--import', theirs.privateFile)
  gpg('--import', ours.publicFile)
  const link = await open()
  const plain = join(home, 'day.xml')
  writeFileSync(plain, TEXT)
  for (const armour of [[], ['--armor']]) {
    const sealed = gpg(
      ...armour,
      '--sign',
      '--encrypt',
      '-u',
      'bank@example.test',
      '-r',
      'own@example.test',
      '-o',
      '-',
      plain,
    )
    assert.equal((await take(link, sealed)).toString(), TEXT)
  }
  await link.stage(PUT)
  await link.release(PUT)
  const said = gpg(
    '--status-fd',
    '1',
    '--decrypt',
    '-o',
    join(home, 'out'),
    bank.path('in/TG1.xml.pgp'),
  ).toString()
  assert.match(said, /GOODSIG .*own@example\.test/)
  assert.deepEqual(readFileSync(join(home, 'out')), PUT.bytes)
  await link.close()
})
