import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase } from '../../../platform/database.ts'
import {
  type HeldChanges,
  type HeldClock,
  heldChanges,
  heldClock,
  testLog,
} from '../../../platform/test/index.ts'
import { createRateAdministration, type RateAdministration, type StoredSheet } from '../administration.ts'
import { createRateService, type RateService } from '../service.ts'

/** Rate lists on a database of the test's own, at noon of 21 November 2026. */
export interface Rig {
  readonly db: Database
  readonly clock: HeldClock
  readonly changes: HeldChanges
  readonly rates: RateAdministration
  readonly service: RateService
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** Makes the list HOUSE, in EUR. */
  createHouse(): Promise<void>
  /** Imports rows of a CSV, with the columns currencyCode, unit, buy, sell. */
  importRows(validFrom: string, ...rows: readonly string[]): Promise<StoredSheet>
}

const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, CZK: 2, KWD: 3 }

export async function openRig(t: TestLife): Promise<Rig> {
  const { url } = await testDatabase(t)
  const { log } = testLog()
  const db = openDatabase({ url, poolMax: 4, log, applicationName: 'rates test' })
  t.after(() => db.close())
  const clock = heldClock()
  const changes = heldChanges()
  const rates = createRateAdministration({ db, clock })
  const rig: Rig = {
    db,
    clock,
    changes,
    rates,
    service: createRateService({ db, clock, changes, log, minorUnitsOf: (code) => DECIMALS[code] }),
    sql: (text, values) => runSql(url, text, values),
    async createHouse() {
      await rates.create({ code: 'HOUSE', name: 'Our own', baseCurrencyCode: 'EUR', staleAfterDays: 4 })
    },
    async importRows(validFrom, ...rows) {
      const bytes = csv(...rows)
      const [stored] = await rates.importFile('HOUSE', { format: 'CSV', bytes, validFrom })
      if (stored === undefined) throw new Error('nothing was stored')
      return stored
    },
  }
  return rig
}

export const csv = (...rows: readonly string[]): Buffer =>
  Buffer.from(['currencyCode,unit,buy,sell', ...rows].join('\n'))

/** A file as the European Central Bank writes it; days as `2026-11-20 USD 1.0813 JPY 163.12`. */
export function ecb(...days: readonly string[]): Buffer {
  const cubes = days.map((day) => {
    const [time = '', ...words] = day.split(' ')
    const rows = words.flatMap((word, index) =>
      index % 2 === 0 ? [`\t\t\t<Cube currency='${word}' rate='${words[index + 1] ?? ''}'/>`] : [],
    )
    return [`\t\t<Cube time='${time}'>`, ...rows, '\t\t</Cube>'].join('\n')
  })
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
${cubes.join('\n')}
\t</Cube>
</gesmes:Envelope>`)
}
