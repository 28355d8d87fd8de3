// What many addresses have of a chain's own coin, by one question: a program that is run as if a contract were made of it, and whose
// answer is what it returns. Nothing is made, and no contract of somebody else's is needed. After the program come the addresses, 20 bytes
// each; it returns 16 bytes for each, which hold more coins than there are.
//
//   60 31       PUSH1 49            where the next address is
//   60 20       PUSH1 32            where its balance goes to; before that, there is room for the address
//   5b          JUMPDEST            (4)
//   38 82 10    CODESIZE DUP3 LT    is there one more?
//   60 13 57    PUSH1 19 JUMPI
//   60 20 80 82 03 90 f3            PUSH1 32 DUP1 DUP3 SUB SWAP1 RETURN
//   00          STOP
//   5b          JUMPDEST            (19)
//   60 14 82 60 00 39               PUSH1 20 DUP3 PUSH1 0 CODECOPY
//   60 00 51 60 60 1c 31            PUSH1 0 MLOAD PUSH1 96 SHR BALANCE
//   60 80 1b 81 52                  PUSH1 128 SHL DUP2 MSTORE
//   60 10 01                        PUSH1 16 ADD
//   90 60 14 01 90                  SWAP1 PUSH1 20 ADD SWAP1
//   60 04 56                        PUSH1 4 JUMP
const BALANCES_PROGRAM = [
  '603160205b388210601357602080820390f300',
  '5b60148260003960005160601c3160801b81526010019060140190600456',
].join('')

/** What nodes return at most is as long as a contract may be: 24,576 bytes. */
export const BALANCES_AT_ONCE = 1_200

/** @param addresses `0x` and 40 digits */
export const balancesProgram = (addresses: readonly string[]): string =>
  `0x${BALANCES_PROGRAM}${addresses.map((address) => address.slice(2)).join('')}`

const BALANCE_DIGITS = 32

/** In the coin's smallest units; undefined for an answer that is not so long. */
export function readBalances(answer: string, count: number): readonly bigint[] | undefined {
  const digits = answer.slice(2)
  if (digits.length !== count * BALANCE_DIGITS) return undefined
  return Array.from({ length: count }, (_, index) =>
    BigInt(`0x${digits.slice(index * BALANCE_DIGITS, (index + 1) * BALANCE_DIGITS)}`),
  )
}
