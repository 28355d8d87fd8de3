import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWN_IBAN, writeCamt } from './camt-writer.ts'
import { faultsOf, openRig, type Rig, refusal } from './rig.ts'

async function countsOf(rig: Rig): Promise<readonly number[]> {
  const [row] = await rig.sql(
    `select (select count(*)::int from statement_files) as files, (select count(*)::int from statements) as statements,
       (select count(*)::int from statement_lines) as lines`,
  )
  return Object.values(row ?? {}).map(Number)
}

test('the same file is taken once', async (t) => {
  const rig = await openRig(t)
  const file = { statements: [{ entries: [{ amount: '5', text: 'a' }] }] }
  const first = await rig.take(file)
  const second = await rig.take(file)
  assert.deepEqual([first.kind, second.kind, second.fileId], ['TAKEN', 'KNOWN', first.fileId])
  assert.deepEqual(await countsOf(rig), [1, 1, 1])
})

test('a line that came in a notification is known when the statement has it, also without a reference of the bank', async (t) => {
  const rig = await openRig(t)
  const told = [
    { amount: '5', text: 'with a reference', bankReference: 'B-1' },
    { amount: '7', text: 'without  one', iban: 'CZ6508000000192000145399' },
  ]
  await rig.take({ message: '054', version: '04', statements: [{ entries: told }] })
  const taken = await rig.take({ statements: [{ entries: [...told, { amount: '9', text: 'new' }] }] })
  assert.deepEqual(
    taken.statements.map(({ lineCount, knownCount }) => [lineCount, knownCount]),
    [[1, 2]],
  )
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'UNKNOWN 7', 'UNKNOWN 9'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('equal lines of one statement are as many lines; an overlapping statement brings only what is new', async (t) => {
  const rig = await openRig(t)
  const gift = { amount: '5', text: 'gift' }
  await rig.take({ statements: [{ entries: [gift, gift] }] })
  await rig.take({ statements: [{ id: 'S2', entries: [gift, gift, gift, { amount: '6', text: 'other' }] }] })
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'UNKNOWN 5', 'UNKNOWN 5', 'UNKNOWN 6'])
})

test('equal lines on two pages of one statement are two', async (t) => {
  const rig = await openRig(t)
  const page = (number: number, sequence: string, balances: readonly [string, string]): string =>
    [`:20:P${number}`, `:25:37040044/0532013000`, `:28C:00001/0000${number}`, `:60${balances[0]}`]
      .concat([':61:2611201120C5,00NTRFNONREF', ':86:gift', `:62${balances[1]}`, '-'])
      .join(sequence)
  const text = [
    page(1, '\r\n', ['F:C261119EUR0,00', 'M:C261120EUR5,00']),
    page(2, '\r\n', ['M:C261120EUR5,00', 'F:C261120EUR10,00']),
  ].join('\r\n')
  const { statements } = await rig.takeText(text, 'day.sta')
  assert.deepEqual(
    statements.map(({ accountCode, lineCount }) => [accountCode, lineCount]),
    [
      ['MAIN', 1],
      ['MAIN', 1],
    ],
  )
})

test('a batch is as many lines as it has transactions, and together they are the sum', async (t) => {
  const rig = await openRig(t)
  const [one, two] = [await rig.accept({ amount: '30' }), await rig.accept({ amount: '70' })]
  const parts = [
    { amount: '30', text: one.reference },
    { amount: '70', text: two.reference },
  ]
  for (const version of ['02', '04', '08'] as const) {
    const { statements } = await rig.take({
      version,
      statements: [{ id: version, entries: [{ amount: '100', bankReference: 'BATCH', parts }] }],
    })
    assert.equal((statements[0]?.lineCount ?? 0) + (statements[0]?.knownCount ?? 0), 2)
  }
  assert.deepEqual(await rig.lines(), ['MATCHED 0', 'MATCHED 0'])
  const wrong = [...parts, { amount: '1', text: 'more' }]
  const { statements, warnings } = await rig.take({
    statements: [{ entries: [{ amount: '100', bankReference: 'X', parts: wrong }] }],
  })
  // What was booked is what arrived: it is one line, whatever its transactions say.
  assert.equal(statements[0]?.lineCount, 1)
  assert.match(warnings.join(), /Ntry: its 3 transactions make 101 EUR, but 100 EUR are booked/)
  const [line] = await rig.sql('select amount::text from statement_lines order by line_id desc limit 1')
  assert.equal(line?.['amount'], '100')
})

test('transactions that come after their sum take its place', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept({ amount: '30' })
  const sum = { amount: '100', bankReference: 'BATCH' }
  await rig.take({ statements: [{ entries: [{ ...sum, text: 'collected' }] }] })
  assert.deepEqual(await rig.lines(), ['UNKNOWN 100'])
  const parts = [
    { amount: '30', text: payin.reference },
    { amount: '70', text: 'unknown' },
  ]
  await rig.take({ message: '054', statements: [{ entries: [{ ...sum, parts }] }] })
  assert.deepEqual(await rig.lines(), ['SPLIT 0', 'MATCHED 0', 'UNKNOWN 70'])
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  const again = await rig.take({ statements: [{ id: 'later', entries: [{ ...sum, text: 'collected' }] }] })
  assert.deepEqual(again.statements[0]?.lineCount, 0)
  assert.deepEqual(await faultsOf(rig), [])
})

test('what is pending is not money', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  const { statements } = await rig.take({
    statements: [{ entries: [{ amount: '100', text: payin.reference, status: 'PDNG' }] }],
  })
  assert.deepEqual([statements[0]?.lineCount, statements[0]?.pendingCount], [0, 1])
  assert.equal(await rig.statusOf(payin), 'CREATED AWAITING_CUSTOMER')
})

test('a statement that does not add up is told of, which one and by how much; whoever is strict has its file refused as a whole', async (t) => {
  const rig = await openRig(t)
  const entries = [{ amount: '5', text: 'a' }]
  const wrong = { statements: [{ entries }, { id: 'BAD', opening: '5', closing: '10.05', entries }] }
  const order = { fileName: 'bad.xml', bytes: Buffer.from(writeCamt(wrong)), actor: 'operator:ada' }
  const why = await refusal(rig.statements.take({ ...order, isStrict: true }))
  assert.match(
    why,
    /statement 2 \(BAD\) at \/Document\/BkToCstmrStmt\/Stmt\[2\] does not add up: 5 .* 0\.05 EUR are not accounted for/,
  )
  assert.deepEqual(await countsOf(rig), [0, 0, 0])
  const taken = await rig.statements.take(order)
  assert.equal(taken.kind, 'TAKEN')
  assert.match(taken.warnings.join(), /0\.05 EUR/)
  const [file] = await rig.statements.listFiles({ before: undefined, limit: 10 })
  assert.deepEqual(file?.warnings, taken.warnings)
})

test('a statement of an account that is none of ours is refused, and so is one in another currency of it', async (t) => {
  const rig = await openRig(t)
  const entries = [{ amount: '5', text: 'a' }]
  const why = await refusal(rig.take({ statements: [{ iban: 'NL91ABNA0417164300', entries }] }))
  assert.match(
    why,
    /statement 1 \(S1\) is of the account NL91ABNA0417164300 in EUR, which is none of ours.*accounts add/,
  )
  assert.match(
    await refusal(rig.take({ statements: [{ iban: OWN_IBAN, currencyCode: 'CZK', entries }] })),
    /in CZK, which is none of ours/,
  )
  assert.deepEqual(await countsOf(rig), [0, 0, 0])
})

test('two who take the same file at once take it once', async (t) => {
  const rig = await openRig(t)
  const file = { statements: [{ entries: [{ amount: '5', text: 'a' }] }] }
  const other = { statements: [{ id: 'S2', entries: [{ amount: '5', text: 'a' }] }] }
  const taken = await Promise.all([rig.take(file), rig.take(file), rig.take(other)])
  assert.deepEqual(taken.map(({ kind }) => kind).toSorted(), ['KNOWN', 'TAKEN', 'TAKEN'])
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5'])
})

test('names, accounts and texts are not readable in the database', async (t) => {
  const rig = await openRig(t)
  await rig.take({
    statements: [
      { entries: [{ amount: '5', text: 'Herzliche Grüße', name: 'Jana', iban: 'CZ6508000000192000145399' }] },
    ],
  })
  const rows = JSON.stringify(await rig.sql('select to_jsonb(l)::text as row from statement_lines l'))
  for (const secret of ['Herzliche', 'Jana', 'CZ65'])
    assert.ok(!rows.includes(secret) && !rows.includes(Buffer.from(secret).toString('hex')))
  const [line] = await rig.statements.listLines({ states: ['UNKNOWN'], before: undefined, limit: 1 })
  assert.deepEqual(line?.details, { partyName: 'J…', partyAccount: '…5399', texts: ['…'] })
  const { details } = await rig.statements.showInFull({ lineId: line.lineId, operatorCode: 'ada' })
  assert.deepEqual(details, {
    partyName: 'Jana',
    partyAccount: 'CZ6508000000192000145399',
    texts: ['Herzliche Grüße'],
  })
})

test('what the bank said of a line is never changed or removed', async (t) => {
  const rig = await openRig(t)
  await rig.take({ statements: [{ entries: [{ amount: '5', text: 'a' }] }] })
  for (const change of [
    'update statement_lines set amount = 6',
    'delete from statement_lines',
    'truncate statement_lines cascade',
  ])
    await assert.rejects(rig.sql(change), /stays as the bank sent it/, change)
})

test('ten thousand lines are taken and matched in seconds', { timeout: 180_000 }, async (t) => {
  const rig = await openRig(t)
  const payins = await Promise.all(
    Array.from({ length: 2_000 }, (_, index) => rig.accept({ idPayment: `many-${index}`, amount: '10' })),
  )
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    amount: '10',
    text: payins[index]?.reference ?? `a gift of somebody with a longer text, number ${index}`,
    bankReference: `B-${index}`,
    iban: 'CZ6508000000192000145399',
    name: 'Jana Nová',
  }))
  const { matched } = await rig.take({ statements: [{ entries }] })
  assert.deepEqual(matched, { lines: 10_000, matched: 2_000 })
  assert.deepEqual(await faultsOf(rig), [])
})
