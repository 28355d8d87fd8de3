import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../../rig/programs.ts'

const WORKSPACES = ['apps', 'packages']
/** The packages of the repository, which must be those of the other folder. */
const OWN_SCOPE = '@tollgate'

/** Lets sources in another folder use the packages that are installed here. */
export function linkPackages(root: string): void {
  const installed = join(ROOT, 'node_modules')
  mkdirSync(join(root, 'node_modules', OWN_SCOPE), { recursive: true })
  for (const name of readdirSync(installed)) {
    if (name !== OWN_SCOPE) symlinkSync(join(installed, name), join(root, 'node_modules', name))
  }
  for (const name of readdirSync(join(installed, OWN_SCOPE))) {
    const own = join('node_modules', OWN_SCOPE, name)
    // Its target is given relative to the link: in the other folder it is that folder's.
    symlinkSync(readlinkSync(join(ROOT, own)), join(root, own))
  }
  for (const workspace of WORKSPACES.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(folder, name, 'node_modules')),
  )) {
    if (existsSync(join(ROOT, workspace)) && existsSync(join(root, dirname(workspace))))
      symlinkSync(join(ROOT, workspace), join(root, workspace))
  }
}
