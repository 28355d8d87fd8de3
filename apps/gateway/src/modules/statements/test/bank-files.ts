import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CHECKOUT = fileURLToPath(new URL('../../../../../../', import.meta.url))

/** Statements of real banks and the schemas of ISO 20022: beside the checkout, or where TOLLGATE_SHARED_DATA says. */
const BANK_DATA = process.env['TOLLGATE_SHARED_DATA'] ?? join(CHECKOUT, '..', 'shared', 'data')

/** Why tests with these data are left out; false when they are there. */
export const SKIPPED_WITHOUT_DATA: string | false = existsSync(join(BANK_DATA, 'statements'))
  ? false
  : `${BANK_DATA} is not there: set TOLLGATE_SHARED_DATA to the folder with the banks' files`

/** The bytes of a file such as `mt940/cmxl-mt940.sta`. */
export const bankFile = (name: string): Buffer => readFileSync(join(BANK_DATA, 'statements', name))

/** The text of a schema such as `camt.053.001.08`. */
export const schemaOf = (message: string): string =>
  readFileSync(join(BANK_DATA, 'iso20022', `${message}.xsd`), 'utf8')
