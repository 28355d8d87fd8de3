import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from '../../bench/house/programs.ts'
import { applyPatch, type Mutant, NoLongerApplies, type Patch } from './mutant.ts'

/** What a run of faults needs of the repository. */
const COPIED = ['apps', 'packages', 'bench', 'faults', 'tools', 'package.json']
const WORKSPACES = ['apps', 'packages']
/** The packages of the repository, which must be those of the copy. */
const OWN_SCOPE = '@tollgate'

/** A copy of the sources in a folder of its own, with the installed packages linked. */
export interface SourceCopy {
  readonly root: string
  /** A folder in it for what is written while it runs. */
  readonly scratch: string
  remove(): void
}

/** Copies the sources and changes the copy. Throws NoLongerApplies, and leaves nothing then. */
export function copySources(patches: readonly Patch[]): SourceCopy {
  const root = mkdtempSync(join(tmpdir(), `tollgate-mutant-${process.pid}-`))
  const remove = (): void => rmSync(root, { recursive: true, force: true })
  try {
    // The server may run as another user, and has its data in the scratch folder.
    chmodSync(root, 0o755)
    const scratch = join(root, 'scratch')
    mkdirSync(scratch)
    for (const name of COPIED) {
      const filter = (path: string): boolean => basename(path) !== 'node_modules'
      cpSync(join(ROOT, name), join(root, name), { recursive: true, filter })
    }
    linkPackages(root)
    for (const patch of patches) changeFile(root, patch)
    return { root, scratch, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Throws NoLongerApplies, with the mutant's name, when a patch does not fit the code as it is. */
export function checkPatches(mutants: readonly Mutant[]): void {
  for (const { name, patches } of mutants) {
    for (const patch of patches) {
      try {
        applyPatch(readFileSync(join(ROOT, patch.file), 'utf8'), patch)
      } catch (error) {
        if (error instanceof NoLongerApplies) throw new NoLongerApplies(`${name}: ${error.message}`)
        throw error
      }
    }
  }
}

function changeFile(root: string, patch: Patch): void {
  const file = join(root, patch.file)
  writeFileSync(file, applyPatch(readFileSync(file, 'utf8'), patch))
}

function linkPackages(root: string): void {
  const installed = join(ROOT, 'node_modules')
  mkdirSync(join(root, 'node_modules', OWN_SCOPE), { recursive: true })
  for (const name of readdirSync(installed)) {
    if (name !== OWN_SCOPE) symlinkSync(join(installed, name), join(root, 'node_modules', name))
  }
  for (const name of readdirSync(join(installed, OWN_SCOPE))) {
    const own = join('node_modules', OWN_SCOPE, name)
    // Its target is given relative to the link: in the copy it is the copy's.
    symlinkSync(readlinkSync(join(ROOT, own)), join(root, own))
  }
  for (const workspace of WORKSPACES.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(folder, name, 'node_modules')),
  )) {
    if (existsSync(join(ROOT, workspace))) symlinkSync(join(ROOT, workspace), join(root, workspace))
  }
}
