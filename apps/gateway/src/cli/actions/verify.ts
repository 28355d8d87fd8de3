import { verifyBooks } from '../../modules/ledger/index.ts'
import { EXIT_CODES } from '../failure.ts'
import { inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate verify`. */
export function verify(shell: Shell): Promise<Report> {
  return inHouse(shell, async ({ db }) => {
    const { checks, findings } = await verifyBooks(db)
    const isClean = findings.length === 0
    return {
      json: { clean: isClean, checks, findings },
      text: isClean
        ? `The books agree: ${checks.length} checks found nothing.`
        : findings.map(({ check, detail }) => `${check}: ${detail}`).join('\n'),
      ...(!isClean && {
        notes: [`${findings.length} findings. Stop payouts, keep the database as it is, and look into each.`],
        exitCode: EXIT_CODES.FAULT,
      }),
    }
  })
}
