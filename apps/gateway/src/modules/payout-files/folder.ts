import { existsSync, readFileSync } from 'node:fs'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PayoutFileProblem } from './errors.ts'

/** The name of a file in the folder for the bank. */
export const nameInFolder = (fileId: string): string => `${fileId}.xml`

/**
 * Lays bytes into a folder, whole or not at all, readable by the owner alone. What lies there under the name already is
 * left alone: the same bytes are fine, others are an error.
 */
export async function layInto(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, name)
  const temporary = join(folder, `.${name}.new`)
  await rm(temporary, { force: true })
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(temporary, target)
  } catch (error) {
    if (!existsSync(target)) throw error
    if (!readFileSync(target).equals(bytes))
      throw new PayoutFileProblem(`${target} is there already, with other content.`, 'CONFLICT')
  } finally {
    await rm(temporary, { force: true })
  }
}
