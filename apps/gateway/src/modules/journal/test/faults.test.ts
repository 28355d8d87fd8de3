import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChainer, findHead } from '../../../platform/chain/index.ts'
import { JOURNAL } from '../chained.ts'
import type { JournalEntry } from '../store.ts'
import { entryOf, openJournalRig } from './rig.ts'

const BOOKED = 10
const NEW_ID = '00000000-0000-4000-8000-000000000001'

/** A fault, planted with every trigger switched off, and its one finding. `{4}` is the transfer that was chained as number 4. */
interface Fault {
  readonly what: string
  readonly sql: string
  readonly check: string
  readonly says: string
}

const FAULTS: readonly Fault[] = [
  // The rows of transfers and postings.
  ...[
    ['an amount', `update ledger_postings set amount = amount * 2 where transfer_id = '{4}'`],
    [
      'an amount by its last digit',
      `update ledger_postings set amount = amount + 0.000000000000000001 where transfer_id = '{4}' and posting_no = 3`,
    ],
    [
      'an account',
      `update ledger_postings set account = 'AVAILABLE' where transfer_id = '{4}' and account = 'NOT_SETTLED'`,
    ],
    ['a currency', `update ledger_postings set currency_code = 'USD' where transfer_id = '{4}'`],
    [
      'the order of postings',
      `update ledger_postings set posting_no = posting_no + 1 where transfer_id = '{4}' and posting_no = 3`,
    ],
    ['a posting that is deleted', `delete from ledger_postings where transfer_id = '{4}' and posting_no = 3`],
    ['all postings, which are deleted', `delete from ledger_postings where transfer_id = '{4}'`],
    ['a posting that is added', `insert into ledger_postings values (1, '{4}', 4, 'FEES', 'EUR', 1)`],
    ['an event', `update ledger_transfers set event = 'PAYIN_REVERSED' where transfer_id = '{4}'`],
    ['a payment', `update ledger_transfers set id_payment = 'another' where transfer_id = '{4}'`],
    ['a kind', `update ledger_transfers set kind = 'TOPUP' where transfer_id = '{4}'`],
    [
      'a time, by a microsecond',
      `update ledger_transfers set created_at = created_at + interval '1 microsecond' where transfer_id = '{4}'`,
    ],
    ['a transaction', `update ledger_transfers set xid = '9' where transfer_id = '{4}'`],
  ].map(([what = '', sql = '']) => ({
    what: `a transfer was changed: ${what}`,
    sql,
    check: 'journal_matches_transfers',
    says: 'changed: transfer {4} of merchant 1 \\(\\w+ of \\w+ \\S+\\), or a posting of it, is not what entry 4 was made of; its postings today: ',
  })),
  {
    what: 'a transfer was deleted',
    sql: `delete from ledger_postings where transfer_id = '{4}'; delete from ledger_transfers where transfer_id = '{4}'`,
    check: 'journal_matches_transfers',
    says: 'missing: transfer {4} of merchant 1, of which entry 4 was made; its postings today: none$',
  },
  {
    what: 'a transfer was put into the past',
    sql: insertTransfer(`(select xid from ledger_journal where entry_no = 4)`),
    check: 'journal_has_every_transfer',
    says: `put in: transfer ${NEW_ID} of merchant 1 \\(PAYIN_SUCCESS of PAYIN new\\) has no entry, but later ones have`,
  },
  // The order of the journal.
  {
    what: 'two entries were swapped',
    sql: swap(3, 7),
    check: 'journal_is_whole',
    says: 're-ordered: number 3 belongs to the entry of transfer {3} .* which stands as entry 7; in its place is that of transfer {7} ',
  },
  {
    what: 'two neighbours were swapped',
    sql: swap(4, 5),
    check: 'journal_is_whole',
    says: 're-ordered: number 4 belongs to the entry of transfer {4} .* which stands as entry 5; in its place is that of transfer {5} ',
  },
  {
    what: 'the first and the last entry were swapped',
    sql: swap(1, BOOKED),
    check: 'journal_is_whole',
    says: 're-ordered: number 1 belongs to the entry of transfer {1} .* which stands as entry 10; in its place is that of transfer {10} ',
  },
  {
    what: 'an entry was moved behind the end',
    sql: `update ledger_journal set entry_no = 1000 where entry_no = 4`,
    check: 'journal_is_whole',
    says: 're-ordered: entry 4, of transfer {4} .*, stands as entry 1000$',
  },
  {
    what: 'the transfers of two entries were swapped',
    sql: `update ledger_journal set transfer_id = '${NEW_ID}' where entry_no = 3;
      update ledger_journal set transfer_id = '{3}' where entry_no = 7; update ledger_journal set transfer_id = '{7}' where entry_no = 3`,
    check: 'journal_matches_transfers',
    says: 'changed: entry 3 names transfer {7} .*, of which entry 7 was made$',
  },
  {
    what: 'an entry was made to name a transfer that was put in',
    sql: `${insertTransfer(`'8'`)}; update ledger_journal set transfer_id = '${NEW_ID}' where entry_no = 4`,
    check: 'journal_matches_transfers',
    says: `changed: entry 4 names transfer ${NEW_ID} .*, but was made of transfer {4} `,
  },
  // The rows of the journal.
  {
    what: 'an entry was deleted',
    sql: `delete from ledger_journal where entry_no = 4`,
    check: 'journal_is_whole',
    says: 'missing: entry 4, of transfer {4} of merchant 1 ',
  },
  {
    what: 'the first entry was deleted',
    sql: `delete from ledger_journal where entry_no = 1`,
    check: 'journal_is_whole',
    says: 'missing: entry 1, of transfer {1} of merchant 1 ',
  },
  {
    what: 'several entries were deleted',
    sql: `delete from ledger_journal where entry_no in (4, 5)`,
    check: 'journal_is_whole',
    says: 'missing: entries 4 to 5, of transfer {4} .*, transfer {5} ',
  },
  {
    what: 'an entry was deleted with its transfer',
    sql: `delete from ledger_journal where entry_no = 4; delete from ledger_transfers where transfer_id = '{4}'; delete from ledger_postings where transfer_id = '{4}'`,
    check: 'journal_is_whole',
    says: 'missing: entry 4; of which transfers cannot be told$',
  },
  {
    what: 'an entry was deleted and the numbers closed up',
    sql: `delete from ledger_journal where entry_no = 4; ${renumber(5, -1)}`,
    check: 'journal_is_whole',
    says: 'missing: 1 entry, of transfer {4} .*; in front of what is now entry 4, of transfer {5} .*, and the numbers were closed up$',
  },
  {
    what: 'the last but one was deleted and the numbers closed up',
    sql: `delete from ledger_journal where entry_no = ${BOOKED - 1}; ${renumber(BOOKED, -1)}`,
    check: 'journal_is_whole',
    says: 'missing: 1 entry, of transfer {9} .*; in front of what is now entry 9, of transfer {10} ',
  },
  {
    what: 'entries were deleted with their transfers and the numbers closed up',
    sql: `delete from ledger_transfers where transfer_id in ('{4}', '{5}', '{6}'); delete from ledger_postings where transfer_id in ('{4}', '{5}', '{6}');
      delete from ledger_journal where entry_no in (4, 5, 6); ${renumber(7, -3)}`,
    check: 'journal_is_whole',
    says: 'missing: 3 entries; of which transfers cannot be told; in front of what is now entry 4, of transfer {7} ',
  },
  {
    what: 'entries were put in between, and the numbers moved on',
    sql: `${renumber(4, 2)}; insert into ledger_journal select 4 + n, 1, gen_random_uuid(), xid, cluster_id, content_hash, chain_hash
      from ledger_journal, generate_series(0, 1) n where entry_no = 3`,
    check: 'journal_is_whole',
    says: 'put in: entries 4 to 5, beginning with entry 4, ',
  },
  {
    what: 'an entry of another transaction',
    sql: `update ledger_journal set xid = '9' where entry_no = 4`,
    check: 'journal_is_chained',
    says: 'changed: the xid of entry 4, of transfer {4} .*, which has another$',
  },
  {
    what: 'a content hash was changed',
    sql: `update ledger_journal set content_hash = sha256('x') where entry_no = 4`,
    check: 'journal_is_chained',
    says: 'changed: the content hash of entry 4, of transfer {4} ',
  },
  {
    what: 'a chain hash was changed',
    sql: `update ledger_journal set chain_hash = sha256('x') where entry_no = 4`,
    check: 'journal_is_chained',
    says: 'changed: a hash of entry 4, of transfer {4} .*; it does not follow from the entry before it$',
  },
  {
    what: 'the last chain hash was changed',
    sql: `update ledger_journal set chain_hash = sha256('x') where entry_no = ${BOOKED}`,
    check: 'journal_is_chained',
    says: 'changed: a hash of entry 10, of transfer {10} .*; it does not follow from the entry before it$',
  },
]

function insertTransfer(xid: string): string {
  return `insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment, created_at, xid)
      values (1, '${NEW_ID}', 'PAYIN_SUCCESS', 'PAYIN', 'new', now() - interval '1 hour', ${xid})`
}

function swap(one: number, other: number): string {
  return `update ledger_journal set entry_no = 5000 where entry_no = ${one}; update ledger_journal set entry_no = ${one} where entry_no = ${other};
    update ledger_journal set entry_no = ${other} where entry_no = 5000`
}

function renumber(fromNo: number, by: number): string {
  return `update ledger_journal set entry_no = entry_no + 5000 where entry_no >= ${fromNo};
    update ledger_journal set entry_no = entry_no - 5000 + ${by} where entry_no >= 5000`
}

const withIds = (text: string, entries: readonly JournalEntry[]): string =>
  text.replace(/\{(\d+)\}/g, (_, entryNo: string) => entries[Number(entryNo) - 1]?.transferId ?? 'nothing')

test('K4 each fault is found, named, and told once', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(BOOKED)
  await rig.chainAll()
  const entries = await rig.journal()
  const head = await findHead(rig.db, JOURNAL)
  assert.equal(entries.length, BOOKED)
  assert.deepEqual(await rig.findings(head), [], 'sound books')
  for (const { what, sql, check, says } of FAULTS) {
    await t.test(what, async () => {
      await rig.outside.query('begin')
      await rig.outside.query(withIds(sql, entries))
      const findings = await rig.findings(head)
      await rig.outside.query('rollback')
      assert.equal(findings.length, 1, findings.join('\n'))
      assert.match(findings[0] ?? '', new RegExp(`^${check}: ${withIds(says, entries)}`))
    })
  }
  assert.deepEqual(await rig.findings(head), [], 'and nothing of it was kept')
})

test('several faults at once are each told', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(20)
  await rig.chainAll()
  const entries = await rig.journal()
  await rig.outside.query(
    withIds(
      `update ledger_postings set amount = amount * 2 where transfer_id = '{2}'; ${swap(4, 5)}; delete from ledger_journal where entry_no = 8;
      update ledger_journal set chain_hash = sha256('x') where entry_no = 10; delete from ledger_transfers where transfer_id = '{13}';
      ${swap(15, 18)}; ${insertTransfer(`'8'`)}`,
      entries,
    ),
  )
  const told = [
    'changed: transfer {2} ',
    're-ordered: number 4 ',
    'missing: entry 8, of transfer {8} ',
    'changed: a hash of entry 10, of transfer {10} ',
    'missing: transfer {13} of merchant 1, of which entry 13 was made; its postings today: CLEARING -100 EUR, NOT_SETTLED 97 EUR, FEES 3 EUR$',
    're-ordered: number 15 ',
    `put in: transfer ${NEW_ID} .* has no entry`,
  ]
  const findings = await rig.findings()
  assert.equal(findings.length, told.length, findings.join('\n'))
  for (const [index, says] of told.entries())
    assert.match(findings[index] ?? '', new RegExp(`: ${withIds(says, entries)}`))
})

test('where all is wrong, no more is told than anybody can read', async (t) => {
  const rig = await openJournalRig(t)
  await rig.book(...Array.from({ length: 150 }, () => entryOf()))
  await rig.chainAll()
  await rig.outside.query('update ledger_postings set amount = amount * 2')
  assert.equal((await rig.findings()).length, 100)
})

test('an end that was cut off shows against a head that was kept, and nowhere else', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(6)
  await rig.chainAll()
  const head = await findHead(rig.db, JOURNAL)
  assert.ok(head)
  await rig.outside.query(`begin; delete from ledger_transfers where transfer_id in (select transfer_id from ledger_journal where entry_no > 4);
    delete from ledger_journal where entry_no > 4`)
  assert.deepEqual(await rig.findings(), [])
  assert.deepEqual(await rig.findings(head), [
    'journal_contains_the_head: missing: entries 5 to 6, which were there when the head was kept: the end was cut off',
  ])
  await rig.outside.query('rollback')
  const [, , third] = await rig.journal()
  assert.deepEqual(await rig.findings(third), [], 'an older head is contained as well')
  await rig.outside.query('begin; delete from ledger_journal where entry_no > 4')
  assert.deepEqual(await rig.findings(), [], 'they have not waited for long')
  await rig.outside.query('commit')
  await rig.chainAll()
  assert.deepEqual(await rig.findings(head), [], 'what is chained again from the same transfers is the same')
})

test('K4 a journal that was written anew as a whole shows against a head that was kept', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(6)
  await rig.chainAll()
  const head = await findHead(rig.db, JOURNAL)
  assert.ok(head)
  await rig.outside.query(`update ledger_postings set amount = amount * 2
    where transfer_id = (select transfer_id from ledger_journal where entry_no = 2); truncate ledger_journal`)
  await rig.chainAll()
  assert.deepEqual(await rig.findings(), [])
  assert.deepEqual(await rig.findings(head), [
    'journal_contains_the_head: changed: the chain hash of entry 6 is not that of the head that was kept: the journal was written anew',
  ])
})

test('transfers that nothing chains are told after ten minutes, all in one, with the reason', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(1)
  await rig.chainAll()
  const oldest = entryOf()
  await rig.book(oldest)
  await rig.bookMany(2)
  assert.deepEqual(await rig.findings(), [])
  await rig.outside.query(
    `update ledger_transfers t set created_at = now() - interval '11 minutes'
    where not exists (select from ledger_journal j where j.transfer_id = t.transfer_id)`,
  )
  await rig.untilNothingIsOpen()
  assert.deepEqual(await rig.findings(), [
    `journal_has_every_transfer: not chained after 10 minutes: 3 transfers, first transfer ${oldest.transferId} of merchant 1 (PAYIN_SUCCESS of PAYIN ${oldest.idPayment}); no worker chains`,
  ])
  await rig.chainAll()
  await rig.outside.query(`begin; ${insertTransfer('pg_current_xact_id()')}`)
  const findings = await rig.findings()
  await rig.outside.query('rollback')
  assert.equal(findings.length, 1)
  assert.match(
    findings[0] ?? '',
    /a transaction of the cluster that has been open since then holds them back$/,
  )
})

test('an empty ledger has nothing to find, and contains the empty head alone', async (t) => {
  const rig = await openJournalRig(t)
  assert.deepEqual(await rig.findings({ entryNo: 0, chainHash: Buffer.alloc(32) }), [])
  assert.equal((await rig.findings({ entryNo: 1, chainHash: Buffer.alloc(32) })).length, 1)
  assert.deepEqual(await createChainer(rig.db, JOURNAL).chain(), { entries: 0, isFull: false })
})
