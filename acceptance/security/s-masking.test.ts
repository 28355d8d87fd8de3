import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { createPayin } from '../support/payins.ts'
import { whileNothingIsNoted } from './support/unnoted.ts'

// What the lines of statements say of people: masked wherever lines are shown, and in full with a trace.

const NAME = 'Božena Němcová'
const NUMBER = 'CZ6508000000192000145399'
const DOMESTIC = '19-2000145399'
const WORDS = 'na knihy pro Barunku'
/** Everything of the payer, as it stands in the file, taken apart and run together. */
const SECRETS = [
  NAME,
  'Němcová',
  'NEMCOVA',
  NUMBER,
  'CZ65',
  '2000145399',
  DOMESTIC,
  WORDS,
  'Barunku',
] as const

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    settings: { TOLLGATE_SECOND_PERSON: 'on', TOLLGATE_SECOND_PERSON_FROM: 'EUR=1000' },
  },
)
const token = await gateway.demo().token('GET /.*', 'POST /payins/.*')
const keys = {
  AUDITOR: await addOperator('olga', 'AUDITOR'),
  SUPPORT: await addOperator('susi', 'SUPPORT'),
  FINANCE: await addOperator('fred', 'FINANCE'),
  APPROVER: await addOperator('anna', 'APPROVER'),
  CATALOGUE: await addOperator('carl', 'CATALOGUE'),
  ADMIN: await addOperator('adam', 'ADMIN'),
} as const
const READERS = ['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER'] as const
const keyFile = (role: keyof typeof keys): readonly string[] => {
  const path = join(gateway.dataDir, `${role}.key`)
  writeFileSync(path, keys[role])
  return ['--operator-key-file', path]
}

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const get = (key: string, path: string): Promise<RawResponse> => send({ method: 'GET', path, token: key })
const details = (role: keyof typeof keys, lineId: string): Promise<RawResponse> =>
  get(keys[role], `/operator/statement-lines/${lineId}/details`)

interface Line {
  readonly amount: number
  readonly text: string
  readonly bankReference?: string
  readonly isDebit?: boolean
}

let statements = 0

/** A day's camt.053 of the sandbox's account in EUR: each line from the same person, who says it in every field there is. */
function camt(lines: readonly Line[]): string {
  statements += 1
  const party = (side: string): string =>
    `<${side}><Nm>${NAME}</Nm></${side}><${side}Acct><Id><IBAN>${NUMBER}</IBAN></Id></${side}Acct>`
  const entry = ({ amount, text, bankReference, isDebit }: Line, index: number): string => `<Ntry>
    <Amt Ccy="EUR">${amount}.00</Amt><CdtDbtInd>${isDebit === true ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
    <BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>${bankReference ?? `S${statements}-${index}`}</AcctSvcrRef>
    <NtryDtls><TxDtls><Refs><EndToEndId>NEMCOVA ${statements}${index}</EndToEndId></Refs>
      <RltdPties>${party(isDebit === true ? 'Cdtr' : 'Dbtr')}</RltdPties>
      <RmtInf><Ustrd>${text}</Ustrd><Strd><CdtrRefInf><Ref>NEMCOVA ${DOMESTIC}</Ref></CdtrRefInf></Strd></RmtInf>
    </TxDtls></NtryDtls></Ntry>`
  const sum = lines.reduce((total, { amount, isDebit }) => total + (isDebit === true ? -amount : amount), 0)
  const balance = (code: string, amount: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`
  const opening = 1_000 * statements
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
    <GrpHdr><MsgId>M${statements}</MsgId><CreDtTm>2026-11-20T20:00:00Z</CreDtTm></GrpHdr>
    <Stmt><Id>S${statements}</Id><CreDtTm>2026-11-20T20:00:00Z</CreDtTm><Acct><Id><IBAN>DE93999999990000000001</IBAN></Id></Acct>
    ${balance('OPBD', opening)}${balance('CLBD', opening + sum)}${lines.map(entry).join('')}</Stmt></BkToCstmrStmt></Document>`
}

/** Takes the lines, and answers their ids in order. */
async function bring(...lines: readonly Line[]): Promise<readonly string[]> {
  const path = '/operator/statements?fileName=day.xml'
  const headers = { 'content-type': 'application/xml' }
  const request = { method: 'POST', path, token: keys.FINANCE, rawBody: camt(lines), headers } as const
  expectSuccess(await send(request), 200)
  const all = await get(keys.AUDITOR, `/operator/statement-lines?limit=${lines.length}&states=${STATES}`)
  return listAt(expectSuccess(all, 200), 'data')
    .map((line) => textAt(line, 'lineId'))
    .toReversed()
}

const STATES = 'UNDER,OVER,LATE,DOUBLE,UNKNOWN,AMBIGUOUS,OTHER_CURRENCY,MATCHED,APPLIED,NOTED,RETURNING'

function assertSilent(text: string): void {
  for (const secret of SECRETS)
    assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `${secret} in ${text}`)
}

const looksAt = async (lineId: string): Promise<readonly unknown[]> => {
  const { body } = await get(keys.AUDITOR, '/operator/unmaskings?limit=100')
  return listAt(body, 'data')
    .filter((each) => at(each, 'lineId') === lineId)
    .map((each) => [at(each, 'operatorCode'), at(each, 'subject')])
}

test('S31 whoever may see lines of statements sees no payer’s name, account or words, in lists or alone', async () => {
  const [credit = '', debit = ''] = await bring(
    { amount: 41, text: WORDS },
    { amount: 12, text: `${NAME} ${NUMBER}`, isDebit: true },
  )
  for (const role of READERS) {
    const list = await get(keys[role], '/operator/statement-lines')
    assertSilent(list.text)
    assert.deepEqual(
      listAt(expectSuccess(list, 200), 'data').map((line) => [
        at(line, 'isMasked'),
        at(line, 'party', 'name'),
        at(line, 'party', 'accountNumber'),
        ...new Set(['references', 'texts'].flatMap((name) => listAt(line, name))),
      ]),
      Array.from({ length: 2 }, () => [true, 'B…', '…5399', '…']),
    )
    for (const lineId of [credit, debit]) {
      const shown = await get(keys[role], `/operator/statement-lines/${lineId}`)
      assert.equal(at(expectSuccess(shown, 200), 'isMasked'), true)
      assertSilent(shown.text)
    }
  }
  for (const role of ['CATALOGUE', 'ADMIN'] as const)
    expectError(await get(keys[role], `/operator/statement-lines/${credit}`), 403, 'OPERATION_NOT_PERMITTED')
})

test('S31 a line that names a payment says so, with the reference of ours and the bank’s, and hides a bank reference that names the payer', async () => {
  const id = 'S31-PAYIN'
  const { body } = await createPayin(gateway, token, { id, amount: '99' })
  const reference = textAt(body, 'paymentMethodResponse', 'reference')
  const [under = '', named = '', numbered = '', word = ''] = await bring(
    { amount: 98, text: `${reference} ${NAME}`, bankReference: 'BANK-2026-1' },
    { amount: 1, text: 'x', bankReference: 'REF-NĚMCOVÁ-1' },
    { amount: 2, text: 'x', bankReference: `${DOMESTIC.replace('-', '')}/${NUMBER}` },
    { amount: 3, text: 'x', bankReference: 'OVERDUE RENT' },
  )
  const shown = expectSuccess(await get(keys.SUPPORT, `/operator/statement-lines/${under}`), 200)
  assert.equal(textAt(shown, 'bankReference'), 'BANK-2026-1')
  assert.equal(textAt(shown, 'payment', 'idPayment'), id)
  assert.match(listAt(shown, 'reasons').join(), new RegExp(`our reference ${reference.slice(-12)}`))
  for (const lineId of [named, numbered, word]) {
    const line = await get(keys.SUPPORT, `/operator/statement-lines/${lineId}`)
    assert.equal(textAt(line.body, 'bankReference'), '…')
    assertSilent(line.text)
  }
})

test('S31 who decides reads one line in full, and each reading is noted under the name before anything is shown', async () => {
  const [lineId = ''] = await bring({ amount: 42, text: WORDS })
  for (const [role, code] of [
    ['FINANCE', 'fred'],
    ['APPROVER', 'anna'],
  ] as const) {
    const before = (await looksAt(lineId)).length
    const line = expectSuccess(await details(role, lineId), 200)
    assert.deepEqual(
      [
        at(line, 'isMasked'),
        at(line, 'party', 'name'),
        at(line, 'party', 'accountNumber'),
        at(line, 'texts'),
      ],
      [false, NAME, NUMBER, [WORDS]],
    )
    const looks = await looksAt(lineId)
    assert.deepEqual([looks.length, looks[0]], [before + 1, [code, 'STATEMENT_LINE']])
  }
  const asked = (await looksAt(lineId)).length
  for (const role of ['AUDITOR', 'SUPPORT', 'CATALOGUE', 'ADMIN'] as const) {
    const refused = await details(role, lineId)
    expectError(refused, 403, 'OPERATION_NOT_PERMITTED')
    assertSilent(refused.text)
  }
  expectError(await details('FINANCE', '999999999'), 410, 'ENTITY_NOT_FOUND')
  assert.equal((await looksAt(lineId)).length, asked)
  assert.deepEqual(await looksAt('999999999'), [])
})

test('S31 a line is not shown in full where it cannot be noted who reads it', async () => {
  const [lineId = ''] = await bring({ amount: 46, text: WORDS })
  await whileNothingIsNoted(databaseUrl, async () => {
    const refused = await details('FINANCE', lineId)
    expectError(refused, 500, 'SYSTEM')
    assertSilent(refused.text)
  })
  expectSuccess(await details('FINANCE', lineId), 200)
})

test('S31 decisions, what waits for a second person and what would follow say nothing of the payer', async () => {
  const [returned = '', noted = ''] = await bring(
    { amount: 43, text: WORDS },
    { amount: 44, text: WORDS, isDebit: true },
  )
  const decide = (lineId: string, decision: string): Promise<RawResponse> =>
    send({
      method: 'POST',
      path: `/operator/statement-lines/${lineId}/!decide`,
      token: keys.FINANCE,
      body: { decision, reason: 'it is so' },
    })
  const decided = await decide(returned, 'RETURN')
  assert.equal(at(expectSuccess(decided, 200), 'isMasked'), true)
  const waits = await decide(noted, 'NOTE')
  const confirmation = textAt(expectSuccess(waits, 202), 'waiting', 'confirmationId')
  const line = await get(keys.AUDITOR, `/operator/statement-lines/${noted}`)
  const shown = await get(keys.APPROVER, `/operator/confirmations/${confirmation}`)
  const list = await get(keys.APPROVER, '/operator/confirmations')
  for (const response of [decided, waits, line, shown, list]) {
    assert.ok(response.status < 300)
    assertSilent(response.text)
  }
})

test('S31 a file that waits for a second person tells what would follow, and nothing of the payers', async () => {
  const path = '/operator/statements?fileName=large.xml'
  const headers = { 'content-type': 'application/xml' }
  const rawBody = camt([{ amount: 5_000, text: WORDS }])
  const waits = await send({ method: 'POST', path, token: keys.FINANCE, rawBody, headers })
  const confirmation = textAt(expectSuccess(waits, 202), 'waiting', 'confirmationId')
  const shown = await get(keys.APPROVER, `/operator/confirmations/${confirmation}`)
  assert.equal(shown.status, 200)
  for (const response of [waits, shown]) assertSilent(response.text)
})

test('S31 by the command line: lines are masked, and --full takes an operator who may and is noted', async () => {
  const [lineId = ''] = await bring({ amount: 45, text: WORDS })
  const shown = [
    await gateway.cli('statements', 'list', '--all'),
    await gateway.cli('statements', 'list', '--all', '--json'),
    await gateway.cli('statements', 'show', lineId),
    await gateway.cli('statements', 'show', lineId, '--json'),
  ]
  for (const { stdout, stderr } of shown) assertSilent(stdout + stderr)
  await assert.rejects(gateway.cli('statements', 'show', lineId, '--full'), /needs an operator key/)
  await assert.rejects(
    gateway.cli('statements', 'show', lineId, '--full', ...keyFile('SUPPORT')),
    /needs statements[.]unmask/,
  )
  assert.deepEqual(await looksAt(lineId), [])
  const full = await gateway.cli('statements', 'show', lineId, '--full', ...keyFile('FINANCE'))
  assert.match(full.stdout, new RegExp(`${NAME}, ${NUMBER}[^]*${WORDS}`))
  assert.deepEqual(await looksAt(lineId), [['fred', 'STATEMENT_LINE']])
  const list = await gateway.cli('operators', 'unmaskings', ...keyFile('AUDITOR'))
  assert.match(list.stdout, new RegExp(`fred +STATEMENT_LINE +${lineId}`))
})
