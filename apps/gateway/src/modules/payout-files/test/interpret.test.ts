import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount, sumAmounts } from '@tollgate/money'
import { PayoutFileProblem } from '../errors.ts'
import { interpretReport, type ReportedFile } from '../interpret.ts'
import type { FilePayment } from '../model.ts'
import { readPain002 } from '../pain002.ts'
import { failureFor, meaningOf, verificationOf } from '../reasons.ts'
import { pain002, type Said } from './rig.ts'

const FILE_ID = 'TGFILE'
const PAYMENTS = ['R1', 'R2', 'R3'].map(
  (reference, index): FilePayment => ({
    merchantId: '1',
    kind: 'PAYOUT',
    idPayment: `OUT-${reference}`,
    position: index + 1,
    reference,
    money: { amount: parsePlainAmount(String(10 + index)), currencyCode: 'EUR' },
  }),
)
const FILE: ReportedFile = {
  fileId: FILE_ID,
  paymentCount: PAYMENTS.length,
  controlSum: { amount: sumAmounts(PAYMENTS.map(({ money }) => money.amount)), currencyCode: 'EUR' },
  payments: PAYMENTS,
}

/** `R1 TRANSACTION SETTLED`, and `aside` behind what is put aside. */
async function read(said: Said, file: ReportedFile | 'NONE' = FILE): Promise<readonly string[]> {
  const report = readPain002(Buffer.from(pain002(FILE_ID, said)))
  return (await interpretReport(report, file === 'NONE' ? undefined : file)).map(
    ({ reference, level, says, aside }) =>
      [reference ?? '-', level, says, ...(aside === undefined ? [] : ['aside'])].join(' '),
  )
}

async function asides(
  said: Said,
  file: ReportedFile | 'NONE' = FILE,
): Promise<readonly (string | undefined)[]> {
  const report = readPain002(Buffer.from(pain002(FILE_ID, said)))
  return (await interpretReport(report, file === 'NONE' ? undefined : file)).map(({ aside }) => aside)
}

test('what is said of a transaction counts for it alone', async () => {
  const lines = [
    ['R1', 'ACSC', undefined, '10.00'],
    ['R2', 'RJCT', 'AC04'],
    ['R3', 'PDNG'],
  ] as const
  assert.deepEqual(await read({ group: 'PART', count: 3, sum: '33', lines }), [
    'R1 TRANSACTION SETTLED',
    'R2 TRANSACTION REJECTED',
    'R3 TRANSACTION UNDECIDED',
  ])
})

test('what is said of the batch or the file counts for all that no line names', async () => {
  assert.deepEqual(
    await read({ group: 'RJCT' }),
    ['R1', 'R2', 'R3'].map((each) => `${each} GROUP REJECTED`),
  )
  assert.deepEqual(await read({ group: 'ACSC', batch: 'ACSC' }), [
    'R1 BATCH SETTLED',
    'R2 BATCH SETTLED',
    'R3 BATCH SETTLED',
  ])
  assert.deepEqual(await read({ batch: 'RJCT', lines: [['R2', 'RJCT', 'AM05']] }), [
    'R2 TRANSACTION REJECTED',
    'R1 BATCH REJECTED',
    'R3 BATCH REJECTED',
  ])
})

test('accepted, in process and pending are no outcome', async () => {
  for (const code of ['ACCP', 'ACTC', 'ACSP', 'PDNG', 'RCVD', 'PART', 'ACWC'])
    assert.deepEqual(await read({ group: code }), ['- GROUP UNDECIDED'], code)
  assert.deepEqual(await read({}), ['- GROUP UNDECIDED'])
})

test('a status that nobody knows is put aside, at every level', async () => {
  assert.deepEqual(await read({ group: 'XXXX' }), ['- GROUP UNCLEAR aside'])
  assert.deepEqual(await read({ lines: [['R1', 'toString']] }), ['R1 TRANSACTION UNCLEAR aside'])
  assert.equal(meaningOf('constructor'), 'UNCLEAR')
})

test('a report about no file of ours, or with other totals, is put aside as a whole', async () => {
  assert.deepEqual(await asides({ group: 'ACSC' }, 'NONE'), ['There is no file TGFILE.'])
  assert.deepEqual(
    await read(
      {
        lines: [
          ['R1', 'ACSC'],
          ['R9', 'RJCT'],
        ],
      },
      'NONE',
    ),
    ['R1 TRANSACTION SETTLED aside', 'R9 TRANSACTION REJECTED aside'],
  )
  assert.match((await asides({ group: 'ACSC', count: 2 }))[0] ?? '', /2 payments, but the file has 3/)
  assert.match((await asides({ group: 'ACSC', sum: '33.01' }))[0] ?? '', /33\.01 in all, but the file has 33/)
})

test('other totals of the batch put the report aside as a whole, as those of the file do', async () => {
  assert.deepEqual(
    await read({ batch: 'ACSC', batchCount: 3, batchSum: '33.00' }),
    ['R1', 'R2', 'R3'].map((each) => `${each} BATCH SETTLED`),
  )
  assert.match((await asides({ batch: 'ACSC', batchSum: '32' }))[0] ?? '', /32 in all, but the file has 33/)
  assert.deepEqual(await read({ batch: 'ACSC', batchCount: 2 }), ['- GROUP SETTLED aside'])
  assert.deepEqual(await read({ group: 'ACSC', batchSum: '32', lines: [['R1', 'ACSC']] }), [
    'R1 TRANSACTION SETTLED aside',
  ])
  await assert.rejects(read({ batch: 'ACSC', batchSum: '9,99' }), /OrgnlCtrlSum.* is no amount/)
})

test('an unknown reference, another amount, another batch, and a line that takes back what is said of all, are put aside', async () => {
  assert.match((await asides({ lines: [['R9', 'ACSC']] }))[0] ?? '', /no payment with the reference R9/)
  assert.match(
    (await asides({ lines: [['R1', 'ACSC', undefined, '10.01']] }))[0] ?? '',
    /10\.01 EUR, but 10 EUR/,
  )
  assert.match((await asides({ batchId: 'OTHER', lines: [['R1', 'ACSC']] }))[0] ?? '', /no batch OTHER/)
  assert.match((await asides({ batchId: 'OTHER', batch: 'RJCT' }))[0] ?? '', /no batch OTHER/)
  assert.equal((await asides({ batchId: 'NOTPROVIDED', lines: [['R1', 'ACSC']] }))[0], undefined)
  assert.match(
    (await asides({ group: 'RJCT', lines: [['R1', 'ACSC']] }))[0] ?? '',
    /RJCT of all, and ACSC of this one/,
  )
  assert.match((await asides({ batch: 'ACSC', lines: [['R1', 'RJCT']] }))[0] ?? '', /ACSC of all, and RJCT/)
  assert.match(
    (await asides({ group: 'RJCT', batch: 'ACSC' }))[0] ?? '',
    /RJCT of the file, and ACSC of its batch/,
  )
  assert.match((await asides({ group: 'RJCT', batch: 'ACCP' }))[0] ?? '', /RJCT of the file, and ACCP/)
})

test('of one payment a report says one thing: twice the same counts once, two things count nothing', async () => {
  assert.deepEqual(
    await read({
      lines: [
        ['R1', 'ACSC'],
        ['R1', 'ACSC'],
      ],
    }),
    ['R1 TRANSACTION SETTLED'],
  )
  assert.deepEqual(
    await asides({
      lines: [
        ['R1', 'ACSC'],
        ['R1', 'RJCT'],
      ],
    }),
    ['The report says two different things of it.'],
  )
})

test('a large report takes many turns of the event loop, so that others have theirs', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => [`R${index}`, 'ACSC'] as const)
  for (const file of [FILE, undefined]) {
    const report = readPain002(Buffer.from(pain002(FILE_ID, { lines })))
    let turns = 0
    let isDone = false
    const look = (): void => {
      turns += 1
      if (!isDone) setImmediate(look)
    }
    setImmediate(look)
    const entries = await interpretReport(report, file)
    isDone = true
    assert.equal(entries.length, 20_000)
    assert.ok(turns >= 20, `${turns} turns`)
  }
})

test('what is no status report is refused, and so is one with a trap in it', async () => {
  const refused = (text: string | Uint8Array, says: RegExp): void =>
    assert.throws(
      () => readPain002(Buffer.from(text)),
      (error) => error instanceof PayoutFileProblem && says.test(error.message),
    )
  refused('<a/>', /no status report/)
  refused('not xml', /cannot be read/)
  refused(Buffer.from([0xff, 0xfe, 0x3c]), /should be in utf-16le, but it is not/)
  refused(Buffer.from('<a>ü</a>', 'latin1'), /should be in UTF-8, but it is not/)
  refused('<Document><CstmrPmtStsRpt/></Document>', /which file/)
  refused('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document>&e;</Document>', /document type/)
})

test('reasons of banks become reasons that merchants read; whose account lacks money is not told', async () => {
  assert.deepEqual(failureFor('AC04'), {
    code: 'ACCOUNT_CLOSED',
    message: 'The account to pay to is closed. (AC04)',
  })
  assert.deepEqual(failureFor('AM04'), { code: 'DECLINED', message: 'The bank declined the payment. (AM04)' })
  assert.deepEqual(failureFor('<b>free text'), {
    code: 'DECLINED',
    message: 'The bank declined the payment.',
  })
  assert.equal(failureFor(undefined).code, 'DECLINED')
  assert.equal(failureFor('toString').code, 'DECLINED')
})

test('D22 what a verification of payee says decides nothing, be it of the file or of one payment', async () => {
  const lines = [
    ['R1', 'RCVC'],
    ['R2', 'RVNM'],
    ['R3', 'RVMC'],
  ] as const
  assert.deepEqual(await read({ group: 'RVNM', lines }), [
    'R1 TRANSACTION UNDECIDED',
    'R2 TRANSACTION UNDECIDED',
    'R3 TRANSACTION UNDECIDED',
  ])
  for (const group of ['RCVC', 'RVNM', 'RVMC', 'RVNA'])
    assert.deepEqual(await read({ group }), ['- GROUP UNDECIDED'], group)
  assert.deepEqual(['RCVC', 'RVMC', 'RVNM', 'RVNA', 'ACSC', 'constructor'].map(verificationOf), [
    'MATCH',
    'CLOSE_MATCH',
    'NO_MATCH',
    'NOT_CHECKED',
    undefined,
    undefined,
  ])
})
