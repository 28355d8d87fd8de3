import { HDKey } from '@scure/bip32'

// The account m/44'/60'/0'/0 of the mnemonic "test test test test test test test test test test test junk", by which development
// chains give out their coins: everybody has its keys.
const SEED =
  '9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0'

const ACCOUNT = HDKey.fromMasterSeed(Buffer.from(SEED, 'hex')).derive("m/44'/60'/0'/0")

export const ACCOUNT_XPUB = ACCOUNT.publicExtendedKey
export const ACCOUNT_XPRV = ACCOUNT.privateExtendedKey

/** The private key of a path below the account, for the other way to an address. */
export function privateKeyAt(path: string): Uint8Array {
  const { privateKey } = ACCOUNT.derive(path)
  if (privateKey === null) throw new Error('a key without a private part')
  return privateKey
}
