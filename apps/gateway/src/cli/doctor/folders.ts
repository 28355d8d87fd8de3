import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { type Finding, fail, ok } from './finding.ts'

const NAME = 'bank folders'
const SETTINGS = [
  'TOLLGATE_STATEMENTS_DIR',
  'TOLLGATE_PAYOUT_FILES_DIR',
  'TOLLGATE_PAYOUT_REPORTS_DIR',
] as const

/** Whether files for banks, and from them, can be read and written where the settings say. */
export function examineFolders(config: Pick<Config, (typeof SETTINGS)[number]>): readonly Finding[] {
  return SETTINGS.flatMap((setting) => {
    const folder = config[setting]
    return folder === undefined ? [] : [examine(setting, resolve(folder))]
  })
}

function examine(setting: string, folder: string): Finding {
  const place = placeOf(folder)
  if (!statSync(place).isDirectory())
    return fail(NAME, `${setting} names ${folder}, and ${place} is not a folder.`, `Correct ${setting}.`)
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok(NAME, `${setting}: ${folder}`)
  } catch {
    return fail(
      NAME,
      `${setting} names ${folder}, and this user may not read and write ${place}.`,
      'Run as the user who runs Tollgate, or change the owner of the folder; for a systemd unit, ReadWritePaths must name it.',
    )
  }
}

/** The folder, or the one above it in which it is made when it is first needed. */
function placeOf(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : placeOf(dirname(folder))
}
