import { judgeCallback, readRecorded, sharedSecret, TOLERANCE_SECONDS } from '../callback-diagnosis.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { readFileBytes, readFileOrInput } from '../files.ts'
import { findDatabaseUrl } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'
import { readSigners } from '../signers.ts'
import { duration } from '../text.ts'

const KEY_SHOWN = 12

/** `tollgate verify`: whether a recorded callback is signed as it should be, and if not, what happened to it. */
export async function verifyRecorded(
  shell: Shell,
  file: string,
  { key: publicKeys = [], secretFile }: { readonly key?: readonly string[]; readonly secretFile?: string },
): Promise<Report> {
  const recorded = readRecorded(await readFileOrInput(shell, file))
  const secrets = secretFile === undefined ? [] : [sharedSecret(readFileBytes(secretFile).toString('utf8'))]
  const given = [...publicKeys, ...secrets]
  const keys = given.length > 0 ? given : await keysHere(shell)
  const verdict = judgeCallback(recorded, keys, shell.clock.nowMs())
  if (!verdict.isValid)
    return {
      json: { isValid: false, why: verdict.why, fix: verdict.fix },
      text: `${verdict.why}\n-> ${verdict.fix}`,
      exitCode: EXIT_CODES.FAULT,
    }
  const { key, ageSeconds } = verdict
  // Of a secret nothing is shown.
  const shown = key.startsWith('whpk_') ? `${key.slice(0, KEY_SHOWN)}…` : 'whsec_…'
  const isOld = Math.abs(ageSeconds) > TOLERANCE_SECONDS
  return {
    json: { isValid: true, key: shown, ageSeconds },
    text: `The signature is right: by ${shown}, ${duration(Math.abs(ageSeconds))} ${ageSeconds < 0 ? 'ahead of this clock' : 'ago'}.`,
    notes: isOld ? ['A receiver refuses it by now: it is more than five minutes from its own clock.'] : [],
  }
}

/** Those of all merchants of the installation that runs here. */
async function keysHere(shell: Shell): Promise<readonly string[]> {
  if ((await findDatabaseUrl(await shell.config())) === undefined)
    throw new CommandFailure(
      'USAGE',
      'Name the keys by --key: GET /merchant-info shows them as callbackPublicKeys. No installation runs here.',
    )
  return (await readSigners(shell)).flatMap(({ publicKeys }) => publicKeys)
}
