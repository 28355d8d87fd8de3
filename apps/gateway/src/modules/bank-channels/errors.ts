import { Problem } from '../../platform/problem.ts'

/** Something that cannot be done with channels of banks. */
export class BankChannelProblem extends Problem {
  override readonly name = 'BankChannelProblem'
}

export const CHANNEL_FAULT_KINDS = ['HOST_KEY', 'SIGN_IN', 'UNREACHABLE', 'REFUSED', 'FILE'] as const

/**
 * Why an exchange with a bank did not come about. HOST_KEY: the server is not the one that was named. SIGN_IN: it does not
 * know us. UNREACHABLE: no answer, or the connection broke. REFUSED: it answered that it will not. FILE: one file is wrong,
 * and the others are not.
 */
export type ChannelFaultKind = (typeof CHANNEL_FAULT_KINDS)[number]

/** What went wrong at a bank's channel, in a sentence for operators. */
export class ChannelFault extends Error {
  override readonly name = 'ChannelFault'
  readonly kind: ChannelFaultKind

  constructor(kind: ChannelFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
