import type { Clock } from '@tollgate/runtime'
import type { Config } from '../config.ts'

/** What a command answers: data for programs, text for people, and whether all was well. */
export interface Report {
  /** Written as the one JSON document of `--json`; undefined writes nothing. */
  readonly json: unknown
  /** Written otherwise; may be empty. Bytes are written as they are. */
  readonly text: string | Uint8Array
  /** Sentences for people beside the data; they go to standard error. */
  readonly notes?: readonly string[]
  /** Default 0. */
  readonly exitCode?: number
}

/** The report of a command that said everything while it ran. */
export const NOTHING_MORE: Report = { json: undefined, text: '' }

/** What a command may touch of the world. */
export interface Shell {
  readonly clock: Clock
  /** Whether data is wanted as JSON. */
  readonly isJson: () => boolean
  /** The settings. Throws ConfigError. */
  readonly config: () => Promise<Config>
  /** As it is, for programs of their own that a command starts. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly input: NodeJS.ReadStream
  /** Data, at once: for commands that go on. Everything else returns a report. */
  readonly print: (line: string) => void
  /** A sentence for people, at once. */
  readonly note: (sentence: string) => void
  /** Makes a commander action of work that answers with a report. */
  readonly act: <Args extends unknown[]>(
    work: (...args: Args) => Promise<Report>,
  ) => (...args: Args) => Promise<void>
}
