import { test } from 'node:test'
import { appendFileSync } from 'node:fs'
import { openRig } from './rig.ts'
import { writeCamt } from './camt-writer.ts'
import { readStatementFile } from '../recognise.ts'
import { importFile } from '../import.ts'
import { randomIds } from '../../../platform/ids.ts'
import { LEDGER_CHECKS, BOOKING_CHECKS, PAYMENT_CHECKS } from '../../ledger/checks.ts'
import { SUSPENSE_CHECKS } from '../../ledger/suspense-checks.ts'
test('x', {timeout: 120000}, async (t) => {
  const rig = await openRig(t)
  const payins = await Promise.all(Array.from({ length: 2_000 }, (_, index) => rig.accept({ idPayment: `many-${index}`, amount: '10' })))
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    amount: '10', text: payins[index]?.reference ?? `a gift of somebody with a longer text, number ${index}`,
    bankReference: `B-${index}`, iban: 'CZ6508000000192000145399', name: 'Jana Nová' }))
  const bytes = Buffer.from(writeCamt({ statements: [{ entries }] }))
  let at = performance.now()
  const lap = (what: string) => { appendFileSync('/tmp/laps.txt', what + ' ' + Math.round(performance.now() - at) + '\n'); at = performance.now() }
  readStatementFile(bytes); lap('parse')
  await importFile({ db: rig.db, ids: randomIds, secrets: rig.secrets }, { fileName: 'x', bytes, actor: 'folder' }); lap('import incl parse')
  await rig.statements.match(); lap('match')
  for (const { name, text } of [...LEDGER_CHECKS, ...BOOKING_CHECKS, ...PAYMENT_CHECKS, ...SUSPENSE_CHECKS]) { await rig.sql(text + ' limit 100'); if (performance.now() - at > 300) lap(name); else at = performance.now() }
})
