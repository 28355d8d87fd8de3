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
function read(said: Said, file: ReportedFile | 'NONE' = FILE): readonly string[] {
  const report = readPain002(Buffer.from(pain002(FILE_ID, said)))
  return interpretReport(report, file === 'NONE' ? undefined : file).map(
    ({ reference, level, says, aside }) =>
      [reference ?? '-', level, says, ...(aside === undefined ? [] : ['aside'])].join(' '),
  )
}

const asides = (said: Said, file: ReportedFile | 'NONE' = FILE): readonly (string | undefined)[] =>
  interpretReport(readPain002(Buffer.from(pain002(FILE_ID, said))), file === 'NONE' ? undefined : file).map(
    ({ aside }) => aside,
  )

test('what is said of a transaction counts for it alone', () => {
  const lines = [
    ['R1', 'ACSC', undefined, '10.00'],
    ['R2', 'RJCT', 'AC04'],
    ['R3', 'PDNG'],
  ] as const
  assert.deepEqual(read({ group: 'PART', count: 3, sum: '33', lines }), [
    'R1 TRANSACTION SETTLED',
    'R2 TRANSACTION REJECTED',
    'R3 TRANSACTION UNDECIDED',
  ])
})

test('what is said of the batch or the file counts for all that no line names', () => {
  assert.deepEqual(
    read({ group: 'RJCT' }),
    ['R1', 'R2', 'R3'].map((each) => `${each} GROUP REJECTED`),
  )
  assert.deepEqual(read({ group: 'ACSC', batch: 'ACSC' }), [
    'R1 BATCH SETTLED',
    'R2 BATCH SETTLED',
    'R3 BATCH SETTLED',
  ])
  assert.deepEqual(read({ batch: 'RJCT', lines: [['R2', 'RJCT', 'AM05']] }), [
    'R2 TRANSACTION REJECTED',
    'R1 BATCH REJECTED',
    'R3 BATCH REJECTED',
  ])
})

test('accepted, in process and pending are no outcome', () => {
  for (const code of ['ACCP', 'ACTC', 'ACSP', 'PDNG', 'RCVD', 'PART', 'ACWC'])
    assert.deepEqual(read({ group: code }), ['- GROUP UNDECIDED'], code)
  assert.deepEqual(read({}), ['- GROUP UNDECIDED'])
})

test('a status that nobody knows is put aside, at every level', () => {
  assert.deepEqual(read({ group: 'XXXX' }), ['- GROUP UNCLEAR aside'])
  assert.deepEqual(read({ lines: [['R1', 'toString']] }), ['R1 TRANSACTION UNCLEAR aside'])
  assert.equal(meaningOf('constructor'), 'UNCLEAR')
})

test('a report about no file of ours, or with other totals, is put aside as a whole', () => {
  assert.deepEqual(asides({ group: 'ACSC' }, 'NONE'), ['There is no file TGFILE.'])
  assert.deepEqual(
    read(
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
  assert.match(asides({ group: 'ACSC', count: 2 })[0] ?? '', /2 payments, but the file has 3/)
  assert.match(asides({ group: 'ACSC', sum: '33.01' })[0] ?? '', /33\.01 in all, but the file has 33/)
})

test('an unknown reference, another amount, another batch, and a line that takes back what is said of all, are put aside', () => {
  assert.match(asides({ lines: [['R9', 'ACSC']] })[0] ?? '', /no payment with the reference R9/)
  assert.match(asides({ lines: [['R1', 'ACSC', undefined, '10.01']] })[0] ?? '', /10\.01 EUR, but 10 EUR/)
  assert.match(asides({ batchId: 'OTHER', lines: [['R1', 'ACSC']] })[0] ?? '', /no batch OTHER/)
  assert.match(asides({ batchId: 'OTHER', batch: 'RJCT' })[0] ?? '', /no batch OTHER/)
  assert.equal(asides({ batchId: 'NOTPROVIDED', lines: [['R1', 'ACSC']] })[0], undefined)
  assert.match(
    asides({ group: 'RJCT', lines: [['R1', 'ACSC']] })[0] ?? '',
    /RJCT of all, and ACSC of this one/,
  )
  assert.match(asides({ batch: 'ACSC', lines: [['R1', 'RJCT']] })[0] ?? '', /ACSC of all, and RJCT/)
  assert.match(asides({ group: 'RJCT', batch: 'ACSC' })[0] ?? '', /RJCT of the file, and ACSC of its batch/)
  assert.match(asides({ group: 'RJCT', batch: 'ACCP' })[0] ?? '', /RJCT of the file, and ACCP/)
})

test('of one payment a report says one thing: twice the same counts once, two things count nothing', () => {
  assert.deepEqual(
    read({
      lines: [
        ['R1', 'ACSC'],
        ['R1', 'ACSC'],
      ],
    }),
    ['R1 TRANSACTION SETTLED'],
  )
  assert.deepEqual(
    asides({
      lines: [
        ['R1', 'ACSC'],
        ['R1', 'RJCT'],
      ],
    }),
    ['The report says two different things of it.'],
  )
})

test('what is no status report is refused, and so is one with a trap in it', () => {
  const refused = (text: string | Uint8Array, says: RegExp): void =>
    assert.throws(
      () => readPain002(Buffer.from(text)),
      (error) => error instanceof PayoutFileProblem && says.test(error.message),
    )
  refused('<a/>', /no status report/)
  refused('not xml', /cannot be read/)
  refused(Buffer.from([0xff, 0xfe, 0x3c]), /not in UTF-8/)
  refused('<Document><CstmrPmtStsRpt/></Document>', /which file/)
  refused('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document>&e;</Document>', /document type/)
})

test('reasons of banks become reasons that merchants read; whose account lacks money is not told', () => {
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

test('D22 what a verification of payee says decides nothing, be it of the file or of one payment', () => {
  const lines = [
    ['R1', 'RCVC'],
    ['R2', 'RVNM'],
    ['R3', 'RVMC'],
  ] as const
  assert.deepEqual(read({ group: 'RVNM', lines }), [
    'R1 TRANSACTION UNDECIDED',
    'R2 TRANSACTION UNDECIDED',
    'R3 TRANSACTION UNDECIDED',
  ])
  for (const group of ['RCVC', 'RVNM', 'RVMC', 'RVNA'])
    assert.deepEqual(read({ group }), ['- GROUP UNDECIDED'], group)
  assert.deepEqual(['RCVC', 'RVMC', 'RVNM', 'RVNA', 'ACSC', 'constructor'].map(verificationOf), [
    'MATCH',
    'CLOSE_MATCH',
    'NO_MATCH',
    'NOT_CHECKED',
    undefined,
    undefined,
  ])
})
