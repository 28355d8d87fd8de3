import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file whole or not at all, readable by the owner alone. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
