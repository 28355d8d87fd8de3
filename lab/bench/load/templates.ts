import { getRandomValues } from 'node:crypto'
import { ID_LENGTH, ID_PLACEHOLDER, type RequestTemplate } from './plan.ts'

/** A template as the generator uses it: the bytes are changed in place before every sending. */
export interface Prepared {
  readonly labelIndex: number
  readonly expectedStatus: number
  /** Sets an id, and returns the bytes to send. */
  next(): Buffer
  /** The id that was set last. */
  id(): string
}

const ALPHABET = Buffer.from('0123456789abcdef', 'latin1')

/** Chooses the next request to send, by weight. */
export function createChooser(templates: readonly RequestTemplate[]): () => Prepared {
  const labels = labelsOf(templates)
  const random = createRandom()
  const prepared = templates.map((template) => prepare(template, labels.indexOf(template.label), random))
  const [only] = prepared
  if (only === undefined) throw new Error('a load needs at least one template')
  if (prepared.length === 1) return () => only
  const total = templates.reduce((sum, { weight }) => sum + weight, 0)
  let upTo = 0
  const bounds = templates.map(({ weight }) => (upTo += weight / total))
  return () => prepared[indexFor(bounds, random() / 2 ** 32)] ?? only
}

export function labelsOf(templates: readonly RequestTemplate[]): readonly string[] {
  return [...new Set(templates.map(({ label }) => label))]
}

/** The first bound that is above the share; bounds rise. */
function indexFor(bounds: readonly number[], share: number): number {
  let low = 0
  let high = bounds.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] ?? 1) > share) high = middle
    else low = middle + 1
  }
  return low
}

function prepare(template: RequestTemplate, labelIndex: number, random: () => number): Prepared {
  const bytes = Buffer.from(template.text, 'latin1')
  const offsets = offsetsOf(bytes)
  const { ids, expectedStatus } = template
  const base = { labelIndex, expectedStatus }
  const [first, ...others] = offsets
  if (first === undefined) return { ...base, next: () => bytes, id: () => '' }
  const id = (): string => bytes.toString('latin1', first, first + ID_LENGTH)
  if (ids === 'new') {
    return {
      ...base,
      id,
      next() {
        writeRandomId(bytes, first, random)
        for (const offset of others) bytes.copyWithin(offset, first, first + ID_LENGTH)
        return bytes
      },
    }
  }
  const known = ids.map((id) => Buffer.from(id.padEnd(ID_LENGTH), 'latin1'))
  if (ids.some(({ length }) => length !== ID_LENGTH))
    throw new Error(`an id of a load has ${ID_LENGTH} characters`)
  return {
    ...base,
    id,
    next() {
      const chosen = known[random() % known.length]
      for (const offset of offsets) chosen?.copy(bytes, offset)
      return bytes
    },
  }
}

function offsetsOf(bytes: Buffer): readonly number[] {
  const offsets: number[] = []
  for (
    let offset = bytes.indexOf(ID_PLACEHOLDER);
    offset >= 0;
    offset = bytes.indexOf(ID_PLACEHOLDER, offset + 1)
  )
    offsets.push(offset)
  return offsets
}

/** Ids are random, as merchants' are: ids that rise would spare the database's index half of its work. */
function writeRandomId(bytes: Buffer, offset: number, random: () => number): void {
  for (let at = offset; at < offset + ID_LENGTH; at += 8) {
    let bits = random()
    for (let digit = at; digit < at + 8; digit += 1) {
      bytes[digit] = ALPHABET[bits & 15] ?? 0
      bits >>>= 4
    }
  }
}

/** xorshift128: 32 random bits a call, cheap and good enough for ids that must only not repeat. */
function createRandom(): () => number {
  const state = getRandomValues(new Uint32Array(4))
  return () => {
    let t = at(state, 3)
    const s = at(state, 0)
    state.copyWithin(1, 0, 3)
    t ^= t << 11
    t ^= t >>> 8
    state[0] = t ^ s ^ (s >>> 19)
    return at(state, 0)
  }
}

const at = (state: Uint32Array, index: number): number => state[index] ?? 0
