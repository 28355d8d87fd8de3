import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ROOT } from '../../rig/programs.ts'
import { linkPackages } from '../setup/linked-packages.ts'
import { applyPatch, type Mutant, NoLongerApplies, type Patch } from './mutant.ts'

/** What a run of faults needs of the repository. */
const COPIED = ['apps', 'packages', 'lab', 'tools', 'package.json']

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
        refuseReplaced(patch)
      } catch (error) {
        if (error instanceof NoLongerApplies) throw new NoLongerApplies(`${name}: ${error.message}`)
        throw error
      }
    }
  }
}

/** A function that a later migration replaces is not the one that is called. */
function refuseReplaced({ file, find }: Patch): void {
  const folder = dirname(join(ROOT, file))
  if (basename(folder) !== 'migrations') return
  const later = readdirSync(folder).find(
    (name) => name > basename(file) && readFileSync(join(folder, name), 'utf8').includes(find),
  )
  if (later !== undefined)
    throw new NoLongerApplies(`${file} has the text, and so has ${later}, which is later:\n${find}`)
}

function changeFile(root: string, patch: Patch): void {
  const file = join(root, patch.file)
  writeFileSync(file, applyPatch(readFileSync(file, 'utf8'), patch))
}
