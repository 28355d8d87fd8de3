import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onDemand } from '../../tools/on-demand.ts'
import { ROOT } from '../rig/programs.ts'

/** As in the shop's package.json. */
export const MEDUSA_VERSION = '2.21.2'

const PACKAGES = ['sdk', 'medusa-provider'] as const

/** The folder of the shop: Medusa is installed when it is missing, and our packages are put beside it as a merchant installs them. */
export function installMedusa(): string {
  const folder = onDemand('lab/medusa/shop')
  const { status } = spawnSync(process.execPath, ['tools/sdk-package/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 2],
  })
  if (status !== 0) throw new Error('npm run sdk failed')
  for (const name of PACKAGES) {
    const place = join(folder, 'node_modules/@tollgate', name)
    rmSync(place, { recursive: true, force: true })
    cpSync(join(ROOT, 'packages', name, 'dist'), place, { recursive: true })
  }
  return folder
}
