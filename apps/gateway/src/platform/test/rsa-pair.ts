import { generateKeyPairSync } from 'node:crypto'

export interface PemPair {
  readonly publicKey: string
  readonly privateKey: string
}

export function rsaPair(modulusLength = 2048, publicExponent = 65_537): PemPair {
  return generateKeyPairSync('rsa', {
    modulusLength,
    publicExponent,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}
