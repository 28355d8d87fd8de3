import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesIn, movementOf } from '../formats/balances.ts'
import type { ParsedEntry, ParsedFile } from '../formats/parsed.ts'
import { readStatementFile } from '../formats/recognise.ts'
import type { Dialect } from './dialects.ts'
import { MT940_DIALECTS } from './dialects-mt940.ts'
import { CAMT_DIALECTS, CSV_DIALECTS } from './dialects-others.ts'

// docs/bank-files.md is the table of these.

function toldBy(entry: ParsedEntry): readonly string[] {
  const { partyName = '', partyAccount = '', endToEndId = '', texts } = entry.parts[0]?.details ?? {}
  const said = [partyName, partyAccount, endToEndId, texts?.[0] ?? '']
  return [movementOf([entry]), entry.bookedOn, entry.bankReference ?? '', ...said]
}

function read({ file, bytes, mapping, encoding }: Dialect): ParsedFile {
  return readStatementFile(Buffer.from(file, bytes), { mapping, encoding })
}

function symbolsOf(entry: ParsedEntry | undefined): readonly string[] {
  const { variableSymbol = '', specificSymbol = '', constantSymbol = '' } = entry?.parts[0]?.details ?? {}
  return [variableSymbol, specificSymbol, constantSymbol]
}

function accountsIn({ statements }: ParsedFile): readonly string[] {
  return statements.map(
    ({ account, currencyCode }) => `${account.iban ?? account.accountNumber ?? ''} ${currencyCode}`,
  )
}

for (const dialect of [...MT940_DIALECTS, ...CAMT_DIALECTS, ...CSV_DIALECTS]) {
  test(`${dialect.bank}: ${dialect.peculiarity}`, () => {
    const file = read(dialect)
    const entries = file.statements.flatMap((statement) => statement.entries)
    const { warnings = [], accounts = accountsIn(file), symbols = symbolsOf(entries[0]) } = dialect
    assert.deepEqual(entries.map(toldBy), dialect.entries)
    assert.deepEqual(differencesIn(file), [])
    assert.equal(file.warnings.length, warnings.length, file.warnings.join('\n'))
    for (const [index, pattern] of warnings.entries()) assert.match(file.warnings[index] ?? '', pattern)
    assert.deepEqual(accountsIn(file), accounts)
    assert.deepEqual(symbolsOf(entries[0]), symbols)
  })
}
