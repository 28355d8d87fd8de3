import type { ChannelSource, ChannelTarget } from './model.ts'

/** A file that lies at the bank and is finished. */
export interface Offered {
  readonly name: string
  /** How the bank calls it. */
  readonly path: string
  readonly byteCount: number
  /** Looks another way when the file was written again. */
  readonly stamp: string
}

/** What a bank offers at a place. */
export interface Offers {
  readonly files: readonly Offered[]
  /** Others are there, of which it cannot be told yet whether they are finished. */
  readonly hasUnfinished: boolean
}

/** A file on its way to the bank. The same attempt has the same name. */
export interface Put {
  readonly name: string
  readonly attempt: number
  readonly bytes: Buffer
}

/** A file of which it is asked where it is. */
export interface Asked extends Pick<Put, 'name' | 'attempt'> {
  /** As it was sent, which may be longer than what it holds. */
  readonly byteCount: number
}

/**
 * An open conversation with a bank, whatever it speaks. Everything throws ChannelFault, and UNREACHABLE says that nothing is
 * known of what was asked last.
 *
 * A file is put in two steps, so that a lost answer can be asked about: `stage` brings the bytes to where the bank does not
 * act on them, and `release` is the one step by which it gets them. A channel that has no such place stages nothing, and must
 * then find a released file again by its name and attempt. (EBICS: `stage` prepares an order, `release` uploads it, `ask` reads
 * the order's number in HAC; `offers` and `read` are a download, `clear` its receipt.)
 */
export interface BankLink {
  /** Finished files, by name. */
  offers(source: ChannelSource): Promise<Offers>
  /** The bytes, whole. */
  read(offered: Offered): Promise<Buffer>
  /** The bytes are ours for good: the file is deleted, archived or left, as its source says. */
  clear(source: ChannelSource, offered: Offered): Promise<void>
  /** Gives how many bytes lie at the bank then. */
  stage(put: Put): Promise<number>
  release(put: Put): Promise<void>
  /** STAGED: the bank does not have it. RELEASED: it does. UNKNOWN: that cannot be told, with what was seen. */
  ask(
    put: Asked,
  ): Promise<{ readonly kind: 'STAGED' | 'RELEASED' } | { readonly kind: 'UNKNOWN'; readonly why: string }>
  close(): Promise<void>
}

/** Opens conversations with one bank. Remembers what it saw of its files in earlier ones. */
export interface BankLinkDriver {
  /** Aborting ends the conversation at whatever it does. */
  open(signal: AbortSignal): Promise<BankLink>
}

/** A channel as this installation has configured it. */
export interface BankChannel {
  readonly code: string
  /** Whom it is connected with, for people: `acme@sftp.bank.example:22`. */
  readonly peer: string
  /** The host key that the bank must show: `SHA256:…`. */
  readonly hostKey: string
  /** From one look to the next. */
  readonly everySeconds: number
  readonly sources: readonly ChannelSource[]
  readonly target: ChannelTarget | undefined
  /** Of the settings, in hexadecimal. */
  readonly settingsDigest: string
  readonly driver: BankLinkDriver
}
