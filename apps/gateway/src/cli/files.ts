import { readFileSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { CommandFailure } from './failure.ts'
import type { Shell } from './shell.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
}

/** The bytes of a file. Throws a sentence when it cannot be read. */
export function readFileBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new CommandFailure('USAGE', `${file} cannot be read: ${REASONS[code] ?? code}.`)
  }
}

/** Writes a new file that only its owner can read. Throws a sentence when it is there already, or cannot be written. */
export function writeNewFile(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    const reason = code === 'EEXIST' ? 'it exists already' : code
    throw new CommandFailure('USAGE', `${path} cannot be written: ${reason}.`)
  }
}

/** The bytes of a file, or of standard input for `-`. At a prompt that waits for typing, says how to hand them in. */
export async function readFileOrInput(shell: Shell, file: string): Promise<Buffer> {
  if (file !== '-') return readFileBytes(file)
  if (shell.input.isTTY) shell.note('Reading standard input; end it with Ctrl-D, or name a file.')
  return buffer(shell.input)
}

/** The same as text. */
export async function readTextOrInput(shell: Shell, file: string): Promise<string> {
  return (await readFileOrInput(shell, file)).toString('utf8')
}

const TEXT_BYTES_MAX = 64 * 1024

/** A short text that was typed, or came on standard input for `-`. */
export async function textOrInput(shell: Shell, text: string, what: string): Promise<string> {
  if (text !== '-') return text.trim()
  const bytes = await readFileOrInput(shell, '-')
  const given = bytes.subarray(0, TEXT_BYTES_MAX).toString('utf8').trim()
  if (given === '') throw new CommandFailure('USAGE', `Standard input is empty; ${what} was expected there.`)
  return given
}
