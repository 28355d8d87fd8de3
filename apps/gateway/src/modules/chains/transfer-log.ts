/** keccak256('Transfer(address,address,uint256)'). */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Coins of a token that moved, as its contract logged it. Addresses in lower case. */
export interface TokenMove {
  readonly token: string
  readonly from: string
  readonly to: string
  /** In the token's smallest units. */
  readonly units: bigint
}

/** A log as nodes give it. */
interface ContractLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

const DATA_CHARACTERS = 66
const ADDRESS_DIGITS = 40

/** Three topics and 32 bytes of data: contracts whose transfers are of another form, such as those of single things, are none of ours. */
export function readMove({ address, topics, data }: ContractLog): TokenMove | undefined {
  const [topic, from, to, ...rest] = topics
  if (topic?.toLowerCase() !== TRANSFER_TOPIC || from === undefined || to === undefined) return undefined
  if (rest.length > 0 || data.length !== DATA_CHARACTERS) return undefined
  return { token: address.toLowerCase(), from: addressIn(from), to: addressIn(to), units: BigInt(data) }
}

const addressIn = (topic: string): string => `0x${topic.slice(-ADDRESS_DIGITS).toLowerCase()}`
