import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces a file in one step that survives a power cut: readers see the old text or the new one. */
export function replaceFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', mode)
  try {
    // Also where an earlier try left one, and whatever the process masks.
    fchmodSync(file, mode)
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

/** The same, readable by the owner alone. */
export const writePrivately = (path: string, text: string): void => replaceFile(path, text, 0o600)

/** Makes the names in a folder durable, so that a rename is not undone by a power cut. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
