/** True for an address of Ethereum and the chains that are made like it: all in one case, or with the checksum of EIP-55. */
export function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9A-Fa-f]{40}$/.test(text)) return false
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || digits === checksummed(digits)
}

/** Where the hash of the digits in lower case has a digit from 8 on, a letter is a capital. */
function checksummed(digits: string): string {
  const lower = digits.toLowerCase()
  const hash = keccak256(Buffer.from(lower, 'latin1'))
  return Array.from(lower, (digit, index) => {
    const byte = hash[index >> 1] ?? 0
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 0xf
    return nibble >= 8 ? digit.toUpperCase() : digit
  }).join('')
}

const ROUNDS = 24
const RATE_BYTES = 136
const MASK = (1n << 64n) - 1n

const rotate = (lane: bigint, by: number): bigint =>
  by === 0 ? lane : ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK

/** Offsets of rho, and the constants of iota, as FIPS 202 derives them. */
const OFFSETS: readonly number[] = rhoOffsets()
const CONSTANTS: readonly bigint[] = Array.from({ length: ROUNDS }, (_, round) => iotaConstant(round))

function rhoOffsets(): number[] {
  const offsets = Array<number>(25).fill(0)
  let [x, y] = [1, 0]
  for (let step = 0; step < 24; step += 1) {
    offsets[x + 5 * y] = (((step + 1) * (step + 2)) / 2) % 64
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
  }
  return offsets
}

function iotaConstant(round: number): bigint {
  let constant = 0n
  for (let index = 0; index <= 6; index += 1)
    if (shiftRegister(index + 7 * round)) constant |= 1n << BigInt((1 << index) - 1)
  return constant
}

function shiftRegister(steps: number): boolean {
  let register = 1
  for (let step = 0; step < steps % 255; step += 1) {
    register <<= 1
    if (register & 0x100) register ^= 0x171
  }
  return (register & 1) === 1
}

/** Keccak-256 as Ethereum uses it: SHA-3 before it got its own padding, so Node's `sha3-256` is another hash. One block. */
function keccak256(message: Uint8Array): Buffer {
  const block = Buffer.alloc(RATE_BYTES)
  block.set(message)
  block[message.length] = 0x01
  block[RATE_BYTES - 1] = (block[RATE_BYTES - 1] ?? 0) | 0x80
  let lanes = Array.from({ length: 25 }, (_, index) =>
    index * 8 < RATE_BYTES ? block.readBigUInt64LE(index * 8) : 0n,
  )
  for (const constant of CONSTANTS) lanes = permute(lanes, constant)
  const hash = Buffer.alloc(32)
  for (const [index, lane] of lanes.slice(0, 4).entries()) hash.writeBigUInt64LE(lane, index * 8)
  return hash
}

function permute(lanes: readonly bigint[], constant: bigint): bigint[] {
  const at = (from: readonly bigint[], x: number, y: number): bigint => from[(x % 5) + 5 * y] ?? 0n
  const columns = Array.from({ length: 5 }, (_, x) =>
    [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ at(lanes, x, y), 0n),
  )
  const mixed = lanes.map((lane, index) => {
    const x = index % 5
    return lane ^ (columns[(x + 4) % 5] ?? 0n) ^ rotate(columns[(x + 1) % 5] ?? 0n, 1)
  })
  const moved = Array<bigint>(25).fill(0n)
  for (const [index, lane] of mixed.entries()) {
    const [x, y] = [index % 5, Math.floor(index / 5)]
    moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(lane, OFFSETS[index] ?? 0)
  }
  const next = moved.map((lane, index) => {
    const [x, y] = [index % 5, Math.floor(index / 5)]
    return lane ^ (~at(moved, x + 1, y) & MASK & at(moved, x + 2, y))
  })
  next[0] = (next[0] ?? 0n) ^ constant
  return next
}
