import { type SignAnswer, type SignRequest, transferTransaction } from '@tollgate/signer-protocol'
import { addr, Transaction } from 'micro-eth-signer'
import type { Signed, SigningRecord } from './record.ts'
import { type ChainRules, judge } from './rules.ts'

interface SignerParts {
  /** `0x` and 64 digits. */
  readonly privateKey: string
  readonly secret: Uint8Array
  readonly chains: readonly ChainRules[]
  readonly record: SigningRecord
  readonly nowMs: () => number
}

/** Signs transfers by its own rules. */
export interface Signer {
  /** For which it signs; in lower case. */
  readonly address: string
  /** Whatever is answered as signed is on the disk. Rejects once the record cannot be written any more. */
  sign(request: SignRequest): Promise<SignAnswer>
}

export function createSigner({ privateKey, record, ...rules }: SignerParts): Signer {
  return {
    address: addr.fromPrivateKey(privateKey).toLowerCase(),
    async sign(request) {
      // Judged and noted without a pause in between: two questions at once cannot have one number.
      const verdict = judge({ ...rules, record, nowMs: rules.nowMs() }, request)
      if (verdict.kind === 'REFUSED')
        return { ...verdict, nextNonce: String(record.nextNonce(request.chainId)) }
      const { chainId, reference } = request
      const earlierHashes = record.hashesOf(chainId, reference)
      if (verdict.kind === 'KNOWN') {
        await record.settled()
        return answerOf(verdict.signed, earlierHashes.slice(0, -1))
      }
      const { seal: _seal, ...content } = { ...request, nonce: verdict.nonce }
      const signed: Signed = { ...content, ...signedWith(privateKey, content), signedAtMs: rules.nowMs() }
      await record.add(signed)
      return answerOf(signed, earlierHashes)
    },
  }
}

function answerOf(
  { transaction, hash, nonce, maxFeePerGas, maxPriorityFeePerGas }: Signed,
  earlierHashes: readonly string[],
): SignAnswer {
  const told = { transaction, hash, nonce, maxFeePerGas, maxPriorityFeePerGas }
  return { kind: 'SIGNED', ...told, earlierHashes: [...earlierHashes] }
}

function signedWith(
  privateKey: string,
  request: Omit<SignRequest, 'seal'>,
): Pick<Signed, 'transaction' | 'hash'> {
  const { to, ...rest } = transferTransaction({ ...request, units: BigInt(request.units) })
  const unsigned = Transaction.prepare({
    type: 'eip1559',
    chainId: BigInt(request.chainId),
    nonce: BigInt(request.nonce),
    to: addr.addChecksum(to),
    ...rest,
    gasLimit: BigInt(request.gasLimit),
    maxFeePerGas: BigInt(request.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(request.maxPriorityFeePerGas),
  })
  const signed = unsigned.signBy(privateKey, false)
  return { transaction: signed.toHex().toLowerCase(), hash: `0x${signed.hash.replace(/^0x/, '')}` }
}
