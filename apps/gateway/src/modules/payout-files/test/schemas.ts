import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url))

/** Where data for tests from elsewhere is, if it is: TOLLGATE_SHARED_DATA, or beside the project. */
const FOLDER = process.env['TOLLGATE_SHARED_DATA'] ?? resolve(ROOT, '../shared/data')

/** The schema of a message of ISO 20022, which is not ours to pass on; undefined where it is not at hand. */
export function findSchema(message: string): string | undefined {
  const file = resolve(FOLDER, 'iso20022', `${message}.xsd`)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
