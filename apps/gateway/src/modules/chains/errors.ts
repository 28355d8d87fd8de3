import { Problem } from '../../platform/problem.ts'

/** Something that cannot be done with chains. */
export class ChainProblem extends Problem {
  override readonly name = 'ChainProblem'
}

/**
 * Why a chain could not be read. SETTINGS: a node is of another chain, or a token is another one than the settings say. UNREACHABLE: a
 * node does not answer. REFUSED: it answered that it will not. DISAGREE: two nodes say different things of one block.
 * REORGANISED: the chain has none of the blocks that were read before.
 */
export type ChainFaultKind = 'SETTINGS' | 'UNREACHABLE' | 'REFUSED' | 'DISAGREE' | 'REORGANISED'

/** What went wrong with a chain, in a sentence for operators. */
export class ChainFault extends Error {
  override readonly name = 'ChainFault'
  readonly kind: ChainFaultKind

  constructor(kind: ChainFaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The process that signs payouts does not answer, or not as it should, in a sentence for operators. */
export class SignerFault extends Error {
  override readonly name = 'SignerFault'
}
