import nodeModule from 'node:module'
import { dirname } from 'node:path'

/** For the environment of a process of ours: where our own code was compiled already, theirs need not be again. */
export function sharedCompileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = nodeModule.getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
