import { derivationPathOf } from '../../rails/evm/index.ts'
import { CommandFailure } from '../failure.ts'
import type { Report } from '../shell.ts'

/** `tollgate chains path`. */
export function showPath(reference: string): Promise<Report> {
  if (!/^[0-9A-HJKMNP-TV-Z]{12}$/.test(reference))
    throw new CommandFailure(
      'USAGE',
      `A payment's reference has 12 capital letters and digits, such as 7MZKQ2VTN4CX. This is ${JSON.stringify(reference)}.`,
    )
  const path = derivationPathOf(reference)
  return Promise.resolve({ json: { reference, path }, text: path })
}
