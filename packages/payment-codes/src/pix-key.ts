/** What a PIX key is (Manual de Padrões para Iniciação do Pix). */
type PixKeyKind = 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'RANDOM'

/** A PIX key in the one form in which it travels. */
interface PixKey {
  readonly kind: PixKeyKind
  readonly key: string
}

const EMAIL_LENGTH_MAX = 77

/**
 * Reads a PIX key in the spellings that people use: a tax number with its points, a phone with spaces. Undefined when it is
 * none: a CPF or CNPJ with wrong check digits is none.
 */
export function readPixKey(text: string): PixKey | undefined {
  const trimmed = text.trim()
  const lower = trimmed.toLowerCase()
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower)) return { kind: 'RANDOM', key: lower }
  if (lower.includes('@')) return emailKey(lower)
  if (trimmed.startsWith('+')) return phoneKey(trimmed)
  const compact = trimmed.replace(/[\s./-]/g, '').toUpperCase()
  if (isCpf(compact)) return { kind: 'CPF', key: compact }
  return isCnpj(compact) ? { kind: 'CNPJ', key: compact } : undefined
}

const emailKey = (text: string): PixKey | undefined =>
  text.length <= EMAIL_LENGTH_MAX && /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text)
    ? { kind: 'EMAIL', key: text }
    : undefined

/** Country 55, the area, and eight or nine digits. */
function phoneKey(text: string): PixKey | undefined {
  const key = text.replace(/[\s().-]/g, '')
  return /^\+55\d{10,11}$/.test(key) ? { kind: 'PHONE', key } : undefined
}

/** Both check digits are mod 11 over what stands before them; letters of newer CNPJs count by their place in ASCII. */
function checkDigit(symbols: string, weightMax: number): number {
  const sum = Array.from(symbols)
    .reverse()
    .reduce((total, symbol, index) => {
      const weight = weightMax === Infinity ? index + 2 : (index % (weightMax - 1)) + 2
      return total + (symbol.charCodeAt(0) - 48) * weight
    }, 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

function hasCheckDigits(text: string, weightMax: number): boolean {
  const first = checkDigit(text.slice(0, -2), weightMax)
  const second = checkDigit(text.slice(0, -1), weightMax)
  return text.endsWith(`${String(first)}${String(second)}`)
}

/** Eleven equal digits have right check digits, and are never given. */
const isCpf = (text: string): boolean =>
  /^\d{11}$/.test(text) && !/^(\d)\1{10}$/.test(text) && hasCheckDigits(text, Infinity)

const isCnpj = (text: string): boolean =>
  /^[0-9A-Z]{12}\d{2}$/.test(text) && !/^(\d)\1{13}$/.test(text) && hasCheckDigits(text, 9)
