import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import type { TestLife } from '@tollgate/testkit'
import { ChannelFault } from '../../modules/bank-channels/errors.ts'
import type { BankChannel, BankLink } from '../../modules/bank-channels/link.ts'
import { putFiles } from '../../modules/bank-channels/putting.ts'
import { createOutgoingFiles } from '../../modules/payout-files/index.ts'
import { openRig } from '../../modules/payout-files/test/rig.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { fileChannelsOf } from '../../rooms/bank-channels.ts'

// A person takes a file whose answer was lost, at whatever moment of the next conversation.

const ACTOR = 'operator:ada'

/** A bank that has every file under its staging name, and is brought what `brought` says. */
async function open(t: TestLife) {
  const rig = await openRig(t)
  const brought: string[] = []
  const link: BankLink = {
    offers: async () => ({ files: [], hasUnfinished: false }),
    read: () => Promise.reject(new ChannelFault('FILE', 'there is none')),
    clear: async () => undefined,
    stage: async ({ bytes }) => bytes.length,
    release: async ({ name }) => {
      brought.push(`by channel ${name}`)
    },
    ask: async () => ({ kind: 'STAGED' }),
    close: async () => undefined,
  }
  const channel: BankChannel = {
    code: 'MYBANK',
    peer: 'acme@bank',
    hostKey: '',
    everySeconds: 0,
    settingsDigest: 'settings',
    sources: [],
    target: { directory: '/in', stagingDirectory: undefined },
    driver: { open: async () => link },
  }
  await rig.sql(`insert into bank_channels (channel_code) values ('MYBANK')`)
  const files = rig.open({ channels: fileChannelsOf([{ ...channel, accounts: ['SANDBOX_EUR'] }]) })
  const outgoing = createOutgoingFiles(rig)
  const needs = { outgoing, log: createLog({ level: 'silent' }), metrics: createMetrics(), askAgainMs: 0 }
  const take = (fileId: string): Promise<void> =>
    files.takeByHand(fileId, { actor: ACTOR, reason: 'the cut-off is near' })
  return {
    brought,
    take,
    look: (given: Partial<BankLink> = {}) => putFiles(needs, channel, { ...link, ...given }),
    /** The answer to the release of a file was lost, long enough ago for a person to take it. */
    async lostFile(): Promise<string> {
      await rig.payOut()
      const [file] = (await files.create({ currencyCode: 'EUR', actor: ACTOR })).files
      assert.ok(file)
      const put = await outgoing.begin(file.fileId)
      assert.ok(put && (await outgoing.releasing(file.fileId, put.attempt, put.bytes.length)))
      await rig.sql('alter table payout_file_puts disable trigger user')
      await rig.sql(`update payout_file_puts set changed_at = changed_at - interval '16 min'`)
      await rig.sql('alter table payout_file_puts enable trigger user')
      return file.fileId
    },
    async carry(fileId: string): Promise<void> {
      await take(fileId)
      brought.push(`by hand ${(await files.fetch(fileId, 'ada')).name}`)
    },
    putOf: async (fileId: string) => (await files.show(fileId)).file.put?.state,
  }
}

test('D54 a file that a person takes while the bank is asked where it is goes to the bank by hand alone', async (t) => {
  const { lostFile, look, carry, putOf, brought } = await open(t)
  const fileId = await lostFile()
  await look({
    async ask() {
      await carry(fileId)
      return { kind: 'STAGED' }
    },
  })
  assert.deepEqual([brought, await putOf(fileId)], [[`by hand ${fileId}.xml`], 'BY_HAND'])
})

test('D54 a file that a person takes while another one is looked for is not even asked about', async (t) => {
  const { lostFile, look, carry, putOf, brought } = await open(t)
  const [first = '', second = ''] = [await lostFile(), await lostFile()].toSorted()
  const asked: string[] = []
  await look({
    async ask({ name }) {
      asked.push(name)
      if (asked.length === 1) await carry(second)
      return { kind: 'STAGED' }
    },
  })
  assert.deepEqual(asked, [`${first}.xml`])
  assert.deepEqual(brought, [`by hand ${second}.xml`, `by channel ${first}.xml`])
  assert.deepEqual([await putOf(first), await putOf(second)], ['PUT', 'BY_HAND'])
})

test('D54 nobody can take a file while it is released a second time, however long the first time is ago', async (t) => {
  const { lostFile, look, take, putOf } = await open(t)
  const fileId = await lostFile()
  await look({ release: () => assert.rejects(take(fileId), /is getting the file .* at this moment/) })
  assert.equal(await putOf(fileId), 'PUT')
})
