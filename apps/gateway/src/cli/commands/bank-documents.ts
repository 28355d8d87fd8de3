import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Printed, WaitingSchema } from '@tollgate/contract'
import type { OptionRow, Pen, Shown } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput, writeNewFile } from '../files.ts'
import type { OperatorOptions } from '../operator-call.ts'
import type { Shell } from '../shell.ts'

// Documents of banks, which commands hand in and fetch as bytes. Names and accounts are in them.

/** A file of a bank as it is handed in: its name is for the record, and for the sentence that refuses it. */
export async function bankFile(shell: Shell, path: string): Promise<{ name: string; bytes: Buffer }> {
  const bytes = await readFileOrInput(shell, path)
  return { name: path === '-' ? 'standard input' : basename(path), bytes }
}

export interface OutOptions extends OperatorOptions {
  readonly out?: string
}

export const OUT: OptionRow = { flags: '--out <path>', says: 'new file to write; default: standard output' }

/** Asked before it is noted that somebody has the bytes. */
export function requireNew(out: string | undefined): void {
  if (out === undefined) return
  if (existsSync(out)) throw new CommandFailure('USAGE', `${out} cannot be written: it exists already.`)
  if (!existsSync(dirname(out)))
    throw new CommandFailure('USAGE', `${out} cannot be written: its folder does not exist.`)
}

interface Content {
  readonly name: string
  readonly sha256: string
  readonly contentBase64: string
}

/** The bytes as they are: on standard output, or in a new file of their own and then nowhere else. */
export function deliverContent(
  { contentBase64, ...facts }: Content,
  out: string | undefined,
): Exclude<Shown, string> {
  const bytes = Buffer.from(contentBase64, 'base64')
  if (out === undefined) return { text: bytes }
  writeNewFile(out, bytes)
  return {
    json: { ...facts, path: out },
    text: `${facts.name}: ${bytes.length} bytes written to ${out}. SHA-256 ${facts.sha256}.`,
  }
}

/** What a command says of a document, or a decision, that waits for a second operator now. */
export const waitingText = ({ waiting }: Printed<typeof WaitingSchema>, pen: Pen): string =>
  `Waits for a second operator as confirmation ${waiting.confirmationId}; nothing has happened yet.\nDigest ${waiting.digest}, until ${pen.momentOf(waiting.expireAt)}.`
