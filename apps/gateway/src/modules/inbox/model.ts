/** Which watched folder a file lay in. */
export type FailedChannel = 'STATEMENTS' | 'PAYOUT_REPORTS'

/** A file that could not be taken. */
export interface FailedDocument {
  readonly documentId: string
  readonly channel: FailedChannel
  readonly fileName: string
  /** In hexadecimal. */
  readonly sha256: string
  readonly byteCount: number
  /** In full: words of the file are in it. */
  readonly reason: string
  readonly putAsideAt: Date
  /** Its bytes are in the database. Otherwise they lie in the folder alone. */
  readonly isStored: boolean
}

/** What is larger lies in the folder alone. Operators could not hand it in either. */
export const STORED_BYTES_MAX = 16 * 1_048_576

/** What is told of a file names its fields (`":20:"`); anything else between quotes is the file's, and may name a person. */
const QUOTED = /"(?!:\d\d[A-Z]?:")(?:[^"\\]|\\.)*(?:"|$)/g
/** Accounts and references, wherever they stand. */
const NUMBERED = /\b[A-Z]*\d[A-Z\d/-]*\d{4}[A-Z\d/-]*/gi

/** The reason without words of the file. */
export const maskReason = (reason: string): string => reason.replace(QUOTED, '"…"').replace(NUMBERED, '…')
