import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCreditorReference } from '@tollgate/payment-codes'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { SKIPPED_WITHOUT_DATA, schemaOf } from './bank-files.ts'
import { writeCamt } from './camt-writer.ts'

// The files that these tests write are such as banks write.
const ENTRIES = [
  {
    amount: '100',
    text: 'a & b',
    name: 'Jana',
    iban: 'CZ6508000000192000145399',
    bankReference: 'B1',
    charge: '0.5',
  },
  { amount: '-7', structured: toCreditorReference('7Q2M8KX4ZC0D'), isReversal: true, status: 'PDNG' },
  {
    amount: '30',
    parts: [
      { amount: '10', text: 'a' },
      { amount: '20', endToEndId: 'E2E' },
    ],
  },
] as const

for (const message of ['053', '054'] as const) {
  for (const version of ['02', '04', '08'] as const) {
    test(`camt.${message}.001.${version} is written as its official schema wants it`, {
      skip: SKIPPED_WITHOUT_DATA,
    }, () => {
      using schema = XmlDocument.fromString(schemaOf(`camt.${message}.001.${version}`))
      using validator = XsdValidator.fromDoc(schema)
      using written = XmlDocument.fromString(
        writeCamt({ message, version, statements: [{ entries: ENTRIES }] }),
      )
      assert.doesNotThrow(() => validator.validate(written))
    })
  }
}
