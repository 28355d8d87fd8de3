import type { ChannelFaultKind } from './errors.ts'

/** What the files of a directory are. */
export type ChannelHolds = 'STATEMENTS' | 'PAYOUT_REPORTS'

/** A directory of a bank, and how its files are taken from there. */
export interface ChannelSource {
  readonly directory: string
  readonly holds: ChannelHolds
  /** Which names: `*` stands for anything. */
  readonly names: string
  /** A file is finished when one of its name and this ending lies beside it; undefined: when it looks the same twice. */
  readonly marker: string | undefined
  /** What becomes of a file at the bank when its bytes are here. */
  readonly afterwards:
    | { readonly kind: 'LEAVE' | 'DELETE' }
    | { readonly kind: 'ARCHIVE'; readonly directory: string }
}

/** Where files of payouts are put. */
export interface ChannelTarget {
  readonly directory: string
  /** Where they lie until they are whole; the same directory under another ending, if undefined. */
  readonly stagingDirectory: string | undefined
}

/** What became of the latest looks. */
export interface ChannelState {
  readonly code: string
  readonly lookedAt: Date | undefined
  readonly succeededAt: Date | undefined
  readonly failures: number
  readonly fault:
    | { readonly kind: ChannelFaultKind; readonly message: string; readonly since: Date }
    | undefined
  /** Nothing is tried until somebody asks for it, or the settings change. */
  readonly isHalted: boolean
  /** Files that were fetched, and not handed on yet. */
  readonly waitingCount: number
}

/** A file that a channel brought. */
export interface ChannelFile {
  readonly fileNo: string
  readonly channelCode: string
  readonly holds: ChannelHolds
  /** Where it lay at the bank; undefined where nobody noted it. */
  readonly directory: string | undefined
  readonly fileName: string
  /** In hexadecimal. */
  readonly sha256: string
  readonly byteCount: number
  readonly fetchedAt: Date
  /** TAKEN by the room of the documents, or put ASIDE with its reason; undefined: not handed on yet. */
  readonly outcome: 'TAKEN' | 'ASIDE' | undefined
}

/** No statement and no report is larger. */
export const CHANNEL_FILE_BYTES_MAX = 64 * 1_048_576

/** After these a bank may lock the account, or somebody else answers: a person looks first. */
export const isHalting = (kind: ChannelFaultKind): boolean => kind === 'HOST_KEY' || kind === 'SIGN_IN'

const RETRY_SECONDS_MIN = 30
const RETRY_SECONDS_MAX = 900

/** How long after so many failures in a row it is tried again. */
export const retrySeconds = (failures: number, everySeconds: number): number =>
  Math.max(
    Math.min(RETRY_SECONDS_MIN * 2 ** Math.min(failures - 1, 10), RETRY_SECONDS_MAX),
    Math.min(everySeconds, RETRY_SECONDS_MAX),
  )

/** Names with which nothing else can be meant than a file of the directory. */
const PLAIN_NAME = /^(?!\.)[^/\\\p{C}]{1,200}$/u

/** Whether a file of the listing is one of the source's, by its name. */
export function isMeant({ names, marker }: Pick<ChannelSource, 'names' | 'marker'>, name: string): boolean {
  if (!PLAIN_NAME.test(name) || (marker !== undefined && name.endsWith(marker))) return false
  const [first = '', ...rest] = names.split('*')
  if (!name.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return name === first
  let place = first.length
  for (const part of rest) {
    const found = name.indexOf(part, place)
    if (found < 0) return false
    place = found + part.length
  }
  return name.length - last.length >= place && name.endsWith(last)
}

/** The name under which a file lies until it is whole. Each attempt has its own, so that two can never write into one. */
export const stagingName = (name: string, attempt: number): string => `${name}.${attempt}.part`
